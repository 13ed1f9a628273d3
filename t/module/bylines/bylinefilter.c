/* bylinefilter.t - lists of items filtered by byline: explicit, inferred, or none. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char ann[27], bo[27], cy[27]; /* ann: of the author, in en and fr; bo, cy: guests, in en */

static void
byline(struct harness *h, char id[27], const char *body)
{
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /bylines", "%s", body));
	snprintf(id, 27, "%s", harness_text(o->data, "id"));
}

/* Creates one item of each kind; its slug names the kind. */
static int
begin(void **state)
{
	struct harness *h;
	char id[27], body[128];

	posts_begin(state);
	h = *state;
	inside_sql(h,
	    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1,"
	    " 'ann@example.org', 30, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
	    author->id);
	snprintf(body, sizeof(body), "{'displayName':'Ann','userId':'%s'}", author->id);
	byline(h, ann, body);
	assert_ok(say(h, editor, "POST /bylines", "{'locale':'fr','translationOf':'%s'}", ann));
	byline(h, bo, "{'displayName':'Bo'}");
	byline(h, cy, "{'displayName':'Cy'}");
	make(h, editor, id, "{'slug':'bo','data':{},'bylines':[{'bylineId':'%s'}]}", bo);
	make(h, editor, id,
	    "{'slug':'both','data':{},'bylines':[{'bylineId':'%s'},{'bylineId':'%s'}]}", ann, bo);
	make(h, author, id, "{'slug':'inferred','data':{}}");
	make(h, author, id,
	    "{'slug':'suppressed','locale':'fr','data':{},"
	    "'bylines':[{'bylineId':'%s'}]}",
	    bo);
	make(h, editor, id, "{'slug':'nobody','data':{}}");
	make(h, author, id, "{'slug':'inferred-fr','locale':'fr','data':{}}");
	return 0;
}

/* Returns the slugs of the list, sorted and separated by blanks. */
static const char *
listed(struct harness *h, const char *bylines, const char *more)
{
	static char text[512];
	struct outcome *o;

	harness_ok(
	    o, ask(h, editor, "GET " BASE "?orderBy=slug&order=asc&bylines=%s%s", bylines, more));
	*text = '\0';
	for (size_t i = 0; i < json_array_size(harness_at(o->data, "items")); i++) {
		char path[64];

		snprintf(path, sizeof(path), "items[%zu].slug", i);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i > 0 ? " " : "",
		    harness_text(o->data, path));
	}
	return text;
}

#define INFERRED "&includeInferredBylines=1"

static void
items_are_listed_by_the_bylines_that_they_show(void **state)
{
	struct harness *h = *state;
	char two[96];

	assert_string_equal(listed(h, bo, ""), "bo both");
	assert_string_equal(listed(h, ann, ""), "both");
	assert_string_equal(listed(h, cy, ""), "");
	snprintf(two, sizeof(two), "%s,%s", ann, bo);
	assert_string_equal(listed(h, two, ""), "bo both");
	snprintf(two, sizeof(two), "%s,%s,%s", cy, cy, ann);
	assert_string_equal(listed(h, two, ""), "both");
	assert_string_equal(listed(h, "01JZZZZZZZZZZZZZZZZZZZZZZ9", ""), "");
	assert_string_equal(listed(h, bo, "&status=published"), "");
	assert_string_equal(listed(h, bo, "&slug=both"), "both");
}

static void
bylines_of_authors_count_on_demand(void **state)
{
	struct harness *h = *state;
	char path[128];
	struct outcome *o;

	assert_string_equal(listed(h, ann, INFERRED), "both inferred inferred-fr");
	assert_string_equal(listed(h, ann, INFERRED "&locale=fr"), "inferred-fr");
	assert_string_equal(listed(h, ann, "&includeInferredBylines=false"), "both");
	assert_string_equal(listed(h, bo, INFERRED), "bo both");
	/* The row of a translation names the same person. */
	snprintf(path, sizeof(path), "GET /bylines/%s/translations", ann);
	harness_ok(o, ask(h, editor, "%s", path));
	snprintf(path, sizeof(path), "%s", harness_text(o->data, "translations[1].id"));
	assert_string_not_equal(path, ann);
	assert_string_equal(listed(h, path, INFERRED), "both inferred inferred-fr");
}

static void
a_credit_that_does_not_show_keeps_the_author_from_being_inferred(void **state)
{
	struct harness *h = *state;

	assert_string_equal(listed(h, "none", ""), "inferred inferred-fr nobody suppressed");
	assert_string_equal(listed(h, "none", INFERRED), "nobody suppressed");
	/* The listed items show the bylines that the filter matches. */
	for (int i = 0; i < 2; i++) {
		struct outcome *o =
		    ask(h, editor, "GET " BASE "?bylines=none%s", i == 0 ? INFERRED : "&locale=en");
		size_t n;

		assert_ok(o);
		n = json_array_size(harness_at(o->data, "items"));
		assert_int_equal(n, 2);
		for (size_t k = 0; i == 0 && k < n; k++)
			assert_int_equal(
			    json_array_size(json_object_get(
				json_array_get(harness_at(o->data, "items"), k), "bylines")),
			    0);
	}
}

static void
a_byline_that_comes_or_goes_moves_the_items(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char path[64];

	harness_ok(o, say(h, editor, "POST /bylines", "{'locale':'fr','translationOf':'%s'}", bo));
	snprintf(path, sizeof(path), "DELETE /bylines/%s", harness_text(o->data, "id"));
	assert_string_equal(listed(h, bo, ""), "bo both suppressed");
	assert_string_equal(listed(h, "none", INFERRED), "nobody");
	assert_ok(ask(h, editor, "%s", path));
	assert_string_equal(listed(h, bo, ""), "bo both");
	/* Deleting the last translation deletes the credits. */
	assert_ok(ask(h, editor, "DELETE /bylines/%s", bo));
	assert_string_equal(listed(h, bo, ""), "");
	assert_string_equal(listed(h, "none", INFERRED), "bo nobody");
}

static void
what_is_trashed_is_not_listed(void **state)
{
	struct harness *h = *state;

	assert_ok(ask(h, editor, "DELETE " BASE "/bo"));
	assert_ok(ask(h, editor, "DELETE " BASE "/nobody"));
	assert_string_equal(listed(h, bo, ""), "both");
	assert_string_equal(listed(h, "none", INFERRED), "suppressed");
}

static void
bad_filters_are_refused(void **state)
{
	struct harness *h = *state;
	static const char *const bad[] = { "", ",", "a,", ",a", "a,,b", "none,%2C" };
	char ids[26 * 28 + 1] = "", text[3001];

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_code(ask(h, editor, "GET " BASE "?bylines=%s", bad[i]), "VALIDATION_ERROR");
	for (int i = 0; i < 25; i++)
		snprintf(
		    ids + strlen(ids), sizeof(ids) - strlen(ids), "%sid%d", i > 0 ? "," : "", i);
	assert_ok(ask(h, editor, "GET " BASE "?bylines=%s", ids));
	assert_ok(ask(h, editor, "GET " BASE "?bylines=%s,id3", ids));
	assert_code(ask(h, editor, "GET " BASE "?bylines=%s,id25", ids), "VALIDATION_ERROR");
	memset(text, 'x', 3000);
	text[2000] = '\0';
	assert_ok(ask(h, editor, "GET " BASE "?bylines=%s", text));
	text[2000] = 'x';
	text[2001] = '\0';
	assert_code(ask(h, editor, "GET " BASE "?bylines=%s", text), "VALIDATION_ERROR");
	assert_code(ask(h, editor,
			"GET " BASE "?bylines=none"
			"&includeInferredBylines=maybe"),
	    "VALIDATION_ERROR");
	assert_string_equal(listed(h, "x'+OR+1=1--", ""), "");
	assert_code(ask(h, editor, "GET /content/none?bylines=,"), "COLLECTION_NOT_FOUND");
}

/* cy has few credits, so the query starts at them; bo has too many for that. */
static void
all_are_met_once_on_pages_of_any_order(void **state)
{
	struct harness *h = *state;
	static const char *const by[] = { "createdAt", "slug", "title", "publishedAt", "status" };
	const char *const who[] = { cy, bo, "none" };
	static const int count[] = { 3, 36 + 2, 21 + 4 };
	char id[27], query[160];

	for (int i = 0; i < 60; i++)
		make(h, author, id, "{'data':{'title':'T%d'},'status':'%s'%s%s%s}", i % 7,
		    i % 3 == 0 ? "published" : "draft",
		    i % 20 < 13 ? ",'bylines':[{'bylineId':'" : "",
		    i % 20 >= 13  ? ""
		    : i % 12 == 1 ? cy
				  : bo,
		    i % 20 < 13 ? "'}]" : "");
	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
	    " INSERT INTO content_byline (collection, entry_id, position, byline_group)"
	    " SELECT 'posts', 'gone' || i, 0, ?1 FROM n",
	    bo);
	for (size_t i = 0; i < COUNT(by); i++)
		for (size_t k = 0; k < COUNT(who); k++) {
			snprintf(query, sizeof(query), "bylines=%s&orderBy=%s", who[k], by[i]);
			assert_int_equal(total(h, editor, query), count[k]);
		}
}

static void
without_the_module_no_item_has_a_byline(void **state)
{
	struct harness *h = *state;

	assert_ok(say(h, admin, "POST /admin/plugins/bylines/disable", "{}"));
	assert_code(ask(h, editor, "GET " BASE "?bylines=%s", bo), "VALIDATION_ERROR");
	assert_string_equal(
	    listed(h, "none", ""), "bo both inferred inferred-fr nobody suppressed");
}

#define test(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		test(items_are_listed_by_the_bylines_that_they_show),
		test(bylines_of_authors_count_on_demand),
		test(a_credit_that_does_not_show_keeps_the_author_from_being_inferred),
		test(a_byline_that_comes_or_goes_moves_the_items),
		test(what_is_trashed_is_not_listed),
		test(bad_filters_are_refused),
		test(all_are_met_once_on_pages_of_any_order),
		test(without_the_module_no_item_has_a_byline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
