/*
 * seo.c - data of SEO plugins about an item. Titles and descriptions may be templates: "%%title%%
 * %%sep%% %%sitename%%" in Yoast, "%title% %sep% %sitename%" in Rank Math.
 */
#include "item/seo.h"
#include "plan/given.h"
#include "plan/suggest.h"
#include "read/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_HERE 30
#define SEPARATOR "-"

/* Returns the value of a template variable; NULL: the variable is unknown. */
static const char *
value_of(struct stet_call *call, const struct run *run, const struct wxr_item *item,
    const char *name, size_t len)
{
	const char *site = json_string_value(json_object_get(run->channel, "title"));
	const char *tagline = json_string_value(json_object_get(run->channel, "tagline"));
	const struct {
		const char *name, *value;
	} known[] = { { "title", item->title }, { "sitename", site }, { "sitedesc", tagline },
		{ "sep", SEPARATOR }, { "excerpt", item->excerpt },
		{ "excerpt_only", item->excerpt }, { "page", "" }, { "pagenumber", "" } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].name) == len && strncmp(known[i].name, name, len) == 0)
			return text_decode(call, known[i].value != NULL ? known[i].value : "");
	return NULL;
}

/* Returns the name of the variable at `at`, which is between "%" or "%%"; NULL: there is none.
 * *behind: the text after it. */
static const char *
name_at(const char *at, size_t *len, const char **behind)
{
	size_t marks = strspn(at, "%");
	const char *name = at + marks;

	*len = strspn(name, "abcdefghijklmnopqrstuvwxyz_");
	*behind = name + *len + marks;
	if (marks > 2 || *len == 0 || *len > NAME_MAX_HERE || strncmp(name + *len, at, marks) != 0)
		return NULL;
	return name;
}

bool
seo_is(const char *key)
{
	return strncmp(key, "_yoast_wpseo_", 13) == 0 || strncmp(key, "_rank_math_", 11) == 0 ||
	       strncmp(key, "rank_math_", 10) == 0;
}

const char *
seo_text(
    struct stet_call *call, const struct run *run, const struct wxr_item *item, const char *text)
{
	const char *behind, *name, *value, *copy;
	char *out;
	size_t len;
	FILE *f;

	if (strchr(text, '%') == NULL)
		return text;
	if ((f = open_memstream(&out, &len)) == NULL)
		stet_out_of_memory();
	while (*text != '\0') {
		size_t n, plain = strcspn(text, "%");

		(void)fwrite(text, 1, plain, f);
		text += plain;
		if (*text == '\0')
			break;
		name = name_at(text, &n, &behind);
		value = name != NULL ? value_of(call, run, item, name, n) : NULL;
		if (value != NULL) {
			(void)fputs(value, f);
			text = behind;
		} else {
			(void)fputc(*text++, f);
		}
	}
	if (fclose(f) != 0)
		stet_out_of_memory();
	copy = stet_strdup(call, out);
	free(out);
	return copy;
}

/* ---- the member seo of items ---- */

/* Rank Math stores a list of robots directives; Yoast 1 for noindex, 2 for index, 0 for the site's
 * default. */
static bool
no_index(const char *key, const char *text)
{
	return strcmp(key, "rank_math_robots") == 0 ? strstr(text, "noindex") != NULL
						    : strcmp(text, "1") == 0;
}

static void
put_url(struct stet_call *call, json_t *seo, const char *member, const char *text, const char **why)
{
	bool is = false;
	const char *reason;

	/* A file of a source without addresses has none that other sites could fetch. */
	if (strncmp(text, GIVEN_FILE, strlen(GIVEN_FILE)) != 0 &&
	    stet_match(call, STET_WEB_URL, text, &is, &reason) == STET_OK && is)
		(void)json_object_set_new(seo, member, json_string(text));
	else
		*why = "it is no http or https URL";
}

bool
seo_take(struct stet_call *call, json_t *seo, const char *key, const char *text, const char **why)
{
	const char *slug = suggest_field(call, key);

	*why = NULL;
	if (strcmp(key, "rank_math_robots") == 0 || strcmp(slug, "seo_no_index") == 0)
		(void)json_object_set_new(seo, "noIndex", json_boolean(no_index(key, text)));
	else if (*text == '\0')
		return seo_is(key);
	else if (strcmp(slug, "seo_title") == 0)
		(void)json_object_set_new(seo, "title", json_string(text_cut(call, text, 200)));
	else if (strcmp(slug, "seo_description") == 0)
		(void)json_object_set_new(
		    seo, "description", json_string(text_cut(call, text, 500)));
	else if (strcmp(slug, "seo_canonical") == 0)
		put_url(call, seo, "canonical", text, why);
	else if (strcmp(slug, "seo_image") == 0)
		put_url(call, seo, "image", text, why);
	else
		return false;
	return true;
}
