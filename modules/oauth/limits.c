/*
 * limits.c - how much a program may do with a grant: calls a minute, writes an hour, items in a
 * batch, deletions a day. A grant has limits of its own, or those of the settings. A principal gets
 * them as scopes limit:<what>:<number>, by which the core counts (stet/limit.h).
 */
#include "oauth.h"
#include <stdlib.h>
#include <stet/limit.h>
#include <string.h>

/* The column `limits` of a grant has words like "writes:100". */
static const struct limit {
	const char *word; /* as in scopes */
	const char *member; /* of bodies; also the field of forms, and its name in oauth_words */
	const char *setting;
} limits[] = {
	{ "calls", "callsPerMinute", LIMIT_CALLS },
	{ "writes", "writesPerHour", LIMIT_WRITES },
	{ "items", "batchItems", LIMIT_ITEMS },
	{ "deletions", "deletionsPerDay", LIMIT_DELETIONS },
};
#define LIMITS (sizeof(limits) / sizeof(limits[0]))

/* The number of a limit in the column; -1: that of the settings. */
static int
stored(const char *column, const struct limit *l)
{
	size_t len = strlen(l->word);

	for (const char *at = column; at != NULL && *at != '\0'; at += strspn(at, " ")) {
		if (strncmp(at, l->word, len) == 0 && at[len] == ':')
			return (int)strtol(at + len + 1, NULL, 10);
		at += strcspn(at, " ");
	}
	return -1;
}

static int
usual(struct stet_call *call, const struct limit *l)
{
	return (int)json_integer_value(stet_setting(call, l->setting));
}

/* The number of a limit that applies; 0: any number. */
static int
applied(struct stet_call *call, const char *column, const struct limit *l)
{
	int own = stored(column, l);

	return own >= 0 ? own : usual(call, l);
}

const char *
limits_scopes(struct stet_call *call, const char *scopes, const char *column)
{
	for (size_t i = 0; i < LIMITS; i++) {
		int most = applied(call, column, &limits[i]);

		if (most > 0)
			scopes = stet_printf(
			    call, "%s " STET_SCOPE_LIMIT "%s:%d", scopes, limits[i].word, most);
	}
	return scopes;
}

void
limits_json(struct stet_call *call, struct stet_json *out, const char *column)
{
	stet_object(out, "limits");
	for (size_t i = 0; i < LIMITS; i++)
		stet_put_int(out, limits[i].member, applied(call, column, &limits[i]));
	stet_close(out);
}

/* Returns the column with this number of a limit; -1: without it. */
static const char *
with(struct stet_call *call, const char *column, const struct limit *l, int number)
{
	const char *text = "";

	for (size_t i = 0; i < LIMITS; i++) {
		int n = &limits[i] == l ? number : stored(column, &limits[i]);

		if (n >= 0)
			text = stet_printf(
			    call, "%s%s%s:%d", text, *text != '\0' ? " " : "", limits[i].word, n);
	}
	return *text != '\0' ? text : NULL;
}

/* ---- pages ---- */

void
limits_list(struct stet_call *call, struct stet_html *html, const char *column)
{
	for (size_t i = 0; i < LIMITS; i++) {
		int most = applied(call, column, &limits[i]);

		if (most > 0)
			stet_html_fill(html, page_words(call), "<li>{label}: {most}</li>\n",
			    "label", stet_word(page_words(call), limits[i].member), "most",
			    stet_printf(call, "%d", most), NULL);
	}
}

void
limits_put(struct stet_call *call, struct stet_html *html)
{
	stet_html_fill(html, page_words(call),
	    "<details>\n<summary>{limits_legend}</summary>\n<fieldset>\n<legend>{limits_hint}</legend>"
	    "\n",
	    NULL);
	for (size_t i = 0; i < LIMITS; i++)
		stet_html_fill(html, page_words(call),
		    "<p><label for=\"{name}\">{label}</label> <input type=\"number\" id=\"{name}\""
		    " name=\"{name}\" min=\"0\" max=\"{most}\" value=\"{value}\"></p>\n",
		    "name", limits[i].member, "label",
		    stet_word(page_words(call), limits[i].member), "most",
		    stet_printf(call, "%d", LIMIT_MOST), "value",
		    stet_printf(call, "%d", usual(call, &limits[i])), NULL);
	stet_html_raw(html, "</fieldset>\n</details>\n");
}

/* Reads a number of the form; false: it is none that a limit can be. */
static bool
number(const char *text, int *out)
{
	char *end;
	long n = strtol(text, &end, 10);

	*out = (int)n;
	return *text >= '0' && *text <= '9' && *end == '\0' && n <= LIMIT_MOST;
}

bool
limits_take(struct stet_call *call, const struct oauth_params *form, struct oauth_grant *g)
{
	for (size_t i = 0; i < LIMITS; i++) {
		const char *text = params_get(form, limits[i].member);
		int n;

		if (text == NULL)
			continue;
		if (!number(text, &n))
			return false;
		if (n != usual(call, &limits[i])) /* so that it follows the settings */
			g->limits = with(call, g->limits, &limits[i], n);
	}
	return true;
}

/* ---- the op ---- */

#define NUMBER(name, what)                                                        \
	{                                                                         \
		name, STET_INTEGER, STET_NULLABLE,                                \
		    .about = what "; 0: any number, null: what the settings say", \
		    STET_RANGE(0, LIMIT_MOST)                                     \
	}
const struct stet_member limits_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the grant" },
	NUMBER("callsPerMinute", "Calls a minute"),
	NUMBER("writesPerHour", "Writes an hour"),
	NUMBER("batchItems", "Calls in a batch"),
	NUMBER("deletionsPerDay", "Deletions a day"),
	{ 0 },
};
const struct stet_member limits_out[] = {
	{ "callsPerMinute", STET_INTEGER, STET_REQUIRED, .about = "0: any number" },
	{ "writesPerHour", STET_INTEGER, STET_REQUIRED, .about = "0: any number" },
	{ "batchItems", STET_INTEGER, STET_REQUIRED, .about = "0: any number" },
	{ "deletionsPerDay", STET_INTEGER, STET_REQUIRED, .about = "0: any number" },
	{ 0 },
};
const struct stet_member limits_set_out[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "limits", STET_OBJECT, STET_REQUIRED, .of = limits_out, .about = "What applies now" },
	{ 0 },
};

enum stet_status
limits_set(struct stet_call *call)
{
	const char *id = stet_arg(call, "id"), *user = stet_principal(call)->id, *column;
	struct stet_json *out = stet_reply(call);
	const char *program = stet_principal(call)->token_id;
	struct stet_rows rows;

	if (program != NULL && strcmp(program, id) == 0)
		return stet_fail(
		    call, STET_FORBIDDEN, NULL, "A program cannot change its own limits");
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT limits FROM oauth_grants WHERE id = ?1 AND user_id = ?2", STET_ARGS(id, user)));
	column = stet_col_dup(&rows, 0);
	for (size_t i = 0; i < LIMITS; i++)
		if (stet_has(call, limits[i].member))
			column = with(call, column, &limits[i],
			    stet_arg_null(call, limits[i].member)
				? -1
				: (int)stet_arg_int(call, limits[i].member));
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE oauth_grants SET limits = ?1 WHERE id = ?2 AND user_id = ?3",
	    STET_ARGS(column, id, user)));
	stet_object(out, NULL);
	stet_put_str(out, "id", id);
	limits_json(call, out, column);
	stet_close(out);
	return STET_OK;
}
