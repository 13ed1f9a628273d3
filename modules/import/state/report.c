/* report.c - the report of an import. Lists are bounded; counts are exact. */
#include "state/report.h"
#include "state/account.h"
#include "state/run.h"

#define LISTED_MAX 1000
#define TEXT_MOST 500 /* characters */

const struct stet_member execute_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED, .about = "Nothing failed" },
	{ "imported", STET_INTEGER, STET_REQUIRED },
	{ "skipped", STET_INTEGER, STET_REQUIRED, .about = "Not mapped, or there already" },
	{ "failed", STET_INTEGER, STET_REQUIRED },
	{ "errors", STET_ARRAY, STET_REQUIRED, .item = STET_OBJECT,
	    .about = "{title, error}; the first thousand" },
	{ "notices", STET_ARRAY, STET_REQUIRED, .item = STET_OBJECT,
	    .about = "{title, notice}: what is otherwise than in the source; the first thousand" },
	{ "byCollection", STET_OBJECT, STET_REQUIRED },
	{ "comments", STET_OBJECT },
	{ "sections", STET_OBJECT },
	{ "menus", STET_OBJECT },
	{ "taxonomies", STET_OBJECT },
	{ "account", STET_ARRAY, STET_REQUIRED, .of = account_shape,
	    .about = "What was read from the source, and what of it is stored here" },
	{ 0 },
};

void
report_begin(struct stet_call *call, struct report *r)
{
	*r = (struct report){ .by_collection = stet_json_own(call, json_object()),
		.errors = stet_json_own(call, json_array()),
		.notices = stet_json_own(call, json_array()),
		.account = stet_json_own(call, json_object()),
		.rest = stet_json_own(call, json_object()),
		.terms_made = stet_json_own(call, json_object()),
		.terms_found = stet_json_own(call, json_object()),
		.missing = stet_json_own(call, json_object()) };
}

static void
list(json_t *to, const char *title, const char *member, const char *text)
{
	if (json_array_size(to) < LISTED_MAX)
		(void)json_array_append_new(to, json_pack("{ss ss}", "title", title, member, text));
}

void
report_error(struct report *r, const char *title, const char *error)
{
	r->failed++;
	list(r->errors, title, "error", error);
}

void
report_notice(struct report *r, const char *title, const char *notice)
{
	list(r->notices, title, "notice", notice);
}

void
report_add(json_t *numbers, const char *name, int64_t n)
{
	json_t *v = json_object_get(numbers, name);

	if (v != NULL)
		(void)json_integer_set(v, json_integer_value(v) + n);
	else
		(void)json_object_set_new(numbers, name, json_integer(n));
}

static void
put_taxonomies(struct stet_json *out, const struct report *r)
{
	const char *name;
	json_t *v;

	stet_object(out, "taxonomies");
	stet_put_json(out, "termsCreated", r->terms_made);
	stet_put_json(out, "termsReused", r->terms_found);
	stet_put_int(out, "assignments", r->assignments);
	stet_array(out, "missingTaxonomies");
	json_object_foreach(r->missing, name, v) stet_put_str(out, NULL, name);
	stet_close(out);
	stet_close(out);
}

void
report_put(struct stet_json *out, const struct run *run)
{
	const struct report *r = &run->report;

	stet_object(out, NULL);
	stet_put_bool(out, "success", r->failed == 0);
	stet_put_int(out, "imported", r->imported);
	stet_put_int(out, "skipped", r->skipped);
	stet_put_int(out, "failed", r->failed);
	stet_put_json(out, "errors", r->errors);
	stet_put_json(out, "notices", r->notices);
	stet_put_json(out, "byCollection", r->by_collection);
	stet_object(out, "comments");
	stet_put_int(out, "imported", r->comments);
	stet_close(out);
	if (run->sections) {
		stet_object(out, "sections");
		stet_put_int(out, "created", r->sections_made);
		stet_put_int(out, "skipped", r->sections_skipped);
		stet_close(out);
	}
	if (run->menus) {
		stet_object(out, "menus");
		stet_put_int(out, "created", r->menus_made);
		if (run->updates)
			stet_put_int(out, "updated", r->menus_changed);
		stet_put_int(out, "items", r->menu_items);
		stet_close(out);
	}
	if (run->taxonomies)
		put_taxonomies(out, r);
	account_put(out, r->account);
	stet_close(out);
}
