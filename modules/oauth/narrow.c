/*
 * narrow.c - how a user narrows what a program may do: read only or drafts only, in some
 * collections, until a time. The fields of the consent page, and what follows from their values.
 */
#include "oauth.h"
#include <stet/content.h>
#include <string.h>

#define WRITE "content:write"
#define DRAFT "content:draft"
#define COMPACT "mcp:compact"
#define COLLECTION "collection:" /* how a principal is limited to a collection (stet_covers) */
#define SHOWN 200 /* collections on the page */

static enum stet_status
collections_of(struct stet_call *call, const struct stet_collection *const **out, size_t *count)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);

	*count = 0;
	return schema != NULL ? schema->collections(call, out, count) : STET_OK;
}

/* ---- the fields ---- */

static void
put_choice(struct stet_call *call, struct stet_html *html, const char *value, const char *word,
    bool checked)
{
	stet_html_fill(html, page_words(call),
	    checked ? "<p><input type=\"radio\" id=\"{id}\" name=\"access\" value=\"{id}\" checked>"
		    : "<p><input type=\"radio\" id=\"{id}\" name=\"access\" value=\"{id}\">",
	    "id", value, NULL);
	stet_html_fill(html, page_words(call), " <label for=\"{id}\">{text}</label></p>\n", "id",
	    value, "text", stet_word(page_words(call), word), NULL);
}

/* Sets *arg if the scope is for more than reading. */
static void
writes_one(struct stet_call *call, const char *scope, void *arg)
{
	bool *writes = arg;
	size_t len = strlen(scope);

	(void)call;
	*writes = *writes || len < 5 || strcmp(scope + len - 5, ":read") != 0;
}

static void
put_access(struct stet_call *call, struct stet_html *html, const char *scopes)
{
	bool writes = false;

	scopes_each(call, scopes, writes_one, &writes);
	if (!writes)
		return;
	stet_html_fill(
	    html, page_words(call), "<fieldset>\n<legend>{access_legend}</legend>\n", NULL);
	put_choice(call, html, "all", "access_all", true);
	if (scopes_within(call, WRITE, scopes))
		put_choice(call, html, "drafts", "access_drafts", false);
	put_choice(call, html, "read", "access_read", false);
	stet_html_raw(html, "</fieldset>\n");
}

static enum stet_status
put_collections(struct stet_call *call, struct stet_html *html)
{
	const struct stet_collection *const *list;
	size_t count;

	STET_TRY(collections_of(call, &list, &count));
	if (count < 2)
		return STET_OK;
	stet_html_fill(html, page_words(call),
	    "<details>\n<summary>{collections_legend}</summary>\n<fieldset>\n<legend>"
	    "{collections_hint}</legend>\n",
	    NULL);
	for (size_t i = 0; i < count && i < SHOWN; i++)
		stet_html_fill(html, page_words(call),
		    "<p><input type=\"checkbox\" id=\"c-{slug}\" name=\"collection\" value=\"{slug}\">"
		    " <label for=\"c-{slug}\">{label}</label></p>\n",
		    "slug", list[i]->slug, "label", list[i]->label, NULL);
	stet_html_raw(html, "</fieldset>\n</details>\n");
	return STET_OK;
}

enum stet_status
narrow_put(struct stet_call *call, struct stet_html *html, const char *scopes)
{
	put_access(call, html, scopes);
	STET_TRY(put_collections(call, html));
	if (!scopes_within(call, COMPACT, scopes))
		stet_html_fill(html, page_words(call),
		    "<p><input type=\"checkbox\" id=\"compact\" name=\"compact\" value=\"1\">"
		    " <label for=\"compact\">{compact}</label></p>\n",
		    NULL);
	stet_html_fill(html, page_words(call),
	    "<p><label for=\"until\">{until}</label> <select id=\"until\" name=\"until\">"
	    "<option value=\"\">{until_revoked}</option><option value=\"day\">{until_day}</option>"
	    "<option value=\"month\">{until_month}</option></select></p>\n",
	    NULL);
	return STET_OK;
}

/* ---- their values ---- */

struct kept {
	const char *access, *scopes;
	bool limited; /* to collections */
};

static void
add(struct stet_call *call, struct kept *k, const char *scope)
{
	k->scopes = stet_printf(call, "%s%s%s", k->scopes, *k->scopes != '\0' ? " " : "", scope);
}

/* Keeps a scope, or what is left of it. */
static void
keep_one(struct stet_call *call, const char *scope, void *arg)
{
	struct kept *k = arg;
	bool writes = false;

	writes_one(call, scope, &writes);
	if (k->limited && (strcmp(scope, "admin") == 0 || strcmp(scope, "schema:write") == 0))
		return; /* opens all collections */
	if (!writes || strcmp(scope, COMPACT) == 0 || strcmp(k->access, "all") == 0)
		add(call, k, scope);
	else if (strcmp(k->access, "drafts") == 0 && strcmp(scope, WRITE) == 0)
		add(call, k, DRAFT);
}

/* The ticked collections, separated by spaces; NULL: none of them exists. *any: some are ticked;
 * otherwise all collections are meant. */
static enum stet_status
ticked(struct stet_call *call, const struct oauth_params *form, const char **out, bool *any)
{
	const struct stet_collection *const *list;
	size_t count;

	*out = NULL;
	*any = false;
	STET_TRY(collections_of(call, &list, &count));
	for (size_t i = 0; i < form->count; i++) {
		const char *value = form->field[i]->value;

		if (strcmp(form->field[i]->name, "collection") != 0 || *value == '\0')
			continue;
		*any = true;
		for (size_t k = 0; k < count; k++)
			if (strcmp(value, list[k]->slug) == 0)
				*out =
				    *out == NULL ? value : stet_printf(call, "%s %s", *out, value);
	}
	return STET_OK;
}

enum stet_status
narrow_take(struct stet_call *call, const struct oauth_params *form, struct oauth_grant *g)
{
	const char *access = params_get(form, "access"), *until = params_get(form, "until");
	struct kept kept = { .access = access != NULL ? access : "all", .scopes = "" };
	int days = until == NULL ? 0 : strcmp(until, "day") == 0 ? 1 : 30;

	STET_TRY(ticked(call, form, &g->collections, &kept.limited));
	if (kept.limited && g->collections == NULL) { /* deleted since the page was shown */
		g->scopes = "";
		return STET_OK;
	}
	scopes_each(call, g->scopes, keep_one, &kept);
	if (params_get(form, "compact") != NULL && *kept.scopes != '\0')
		add(call, &kept, COMPACT);
	g->scopes = kept.scopes;
	g->ends_at = days > 0 ? stet_time_text(call, stet_now(call) + days * DAY) : NULL;
	return STET_OK;
}

static void
limit_one(struct stet_call *call, const char *collection, void *arg)
{
	const char **scopes = arg;

	*scopes = stet_printf(call, "%s " COLLECTION "%s", *scopes, collection);
}

const char *
narrow_scopes(struct stet_call *call, const char *scopes, const char *collections)
{
	if (collections != NULL)
		scopes_each(call, collections, limit_one, &scopes);
	return scopes;
}
