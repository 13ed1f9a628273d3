/*
 * inlist.t - the argument search of lists: the list has the items that GET /search finds, in that
 * order, if they pass the filters; in pages, counted, for each reader.
 */
#include "searched.h"

#define POSTS 40

static void
fill_site(struct harness *h)
{
	for (int i = 0; i < POSTS; i++) {
		char id[27], body[200] = "";

		/* Repeats the word, so that the items match to different degrees. */
		for (int k = 0; k <= i % 13 + i; k++)
			snprintf(body + strlen(body), sizeof(body) - strlen(body), "%s",
			    k <= i % 13 ? "zebra " : "a ");
		make(h, editor, id,
		    "{'status':'%s','data':{'title':'Post %d','year':%d,'body':[{'_type':'block',"
		    "'_key':'b','children':[{'_type':'span','_key':'s','text':'%s'}]}]}}",
		    i % 5 == 0 ? "draft" : "published", i, 2000 + i % 4,
		    i % 3 > 0 ? body : "horse");
	}
	work_all(h);
}

/* Appends the ids of a response's items. */
static void
add_ids(const struct outcome *o, char *out, size_t size)
{
	json_t *item;
	size_t i;

	json_array_foreach(json_object_get(o->data, "items"), i, item)
	    snprintf(out + strlen(out), size - strlen(out), "%s ", harness_text(item, "id"));
}

/* Reads the whole list in pages of `limit`. Returns the number of items. */
static int
read_list(struct harness *h, const struct harness_user *user, const char *query, int limit,
    char *out, size_t size)
{
	char cursor[2100] = "";
	struct outcome *o;
	int n = 0;

	*out = '\0';
	do {
		harness_ok(o, ask(h, user, "GET " BASE "?limit=%d&%s%s%s", limit, query,
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		n += (int)json_array_size(json_object_get(o->data, "items"));
		add_ids(o, out, size);
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	} while (*cursor != '\0');
	return n;
}

static void
it_is_the_order_of_search_with_the_filters_of_the_list(void **state)
{
	struct harness *h = *state;
	char want[4000] = "", all[4000], pages[4000], years[4000];
	struct outcome *o;
	int n;

	fill_site(h);
	harness_ok(o, look(h, subscriber, "zebra", "&limit=100&collections=posts"));
	add_ids(o, want, sizeof(want));
	n = read_list(h, subscriber, "search=zebra", 100, all, sizeof(all));
	assert_true(n > 10);
	assert_string_equal(all, want);
	assert_int_equal(read_list(h, subscriber, "search=zebra", 3, pages, sizeof(pages)), n);
	assert_string_equal(pages, want);
	/* An editor gets the same without a status, and drafts by their status. */
	assert_int_equal(read_list(h, editor, "search=zebra", 7, pages, sizeof(pages)), n);
	assert_string_equal(pages, want);
	assert_true(read_list(h, editor, "search=zebra&status=draft", 7, pages, sizeof(pages)) > 0);
	pages[26] = '\0';
	assert_null(strstr(want, pages));
	assert_int_equal(
	    read_list(h, subscriber, "search=zebra&status=draft", 7, pages, sizeof(pages)), n);
	/* The lists of single years have the same order, and together all items. */
	n = 0;
	for (int year = 2000; year < 2004; year++) {
		char query[100];
		const char *before = want;

		snprintf(query, sizeof(query), "search=zebra&fieldFilters={\"year\":%d}", year);
		n += read_list(h, subscriber, query, 2, years, sizeof(years));
		for (char *id = years; *id != '\0'; id += 27) {
			id[26] = '\0';
			before = strstr(before, id);
			assert_non_null(before);
		}
		harness_ok(
		    o, ask(h, subscriber, "GET " BASE "?limit=1&includeTotal=true&facets=status&%s",
			   query));
		assert_int_equal(harness_int(o->data, "total"),
		    harness_int(o->data, "facets.status.values[0].count"));
	}
	assert_int_equal(n, strlen(want) / 27);
}

static void
what_cannot_be_searched_is_refused(void **state)
{
	static const char *const wrong[] = { "x", "eyJrIjo1fQ", "" };
	struct harness *h = *state;
	struct outcome *o;

	o = ask(h, editor, "GET /content/pages?search=zebra");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "search"));
	fill_site(h);
	assert_code(ask(h, editor, "GET " BASE "?search="), "VALIDATION_ERROR");
	harness_ok(o, ask(h, editor, "GET " BASE "?search=%%22%%20-"));
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_code(ask(h, editor, "GET " BASE "?search=zebra&cursor=%s", wrong[i]),
		    "INVALID_CURSOR");
	/* The cursor of another list. */
	harness_ok(o, ask(h, editor, "GET " BASE "?limit=1"));
	assert_code(ask(h, editor, "GET " BASE "?search=zebra&cursor=%s",
			harness_text(o->data, "nextCursor")),
	    "INVALID_CURSOR");
	harness_ok(o, ask(h, editor, "GET " BASE "?search=nothing&includeTotal=true"));
	assert_int_equal(harness_int(o->data, "total"), 0);
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"search\"}"));
	o = ask(h, editor, "GET " BASE "?search=zebra");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "search"));
}

/* Many matches, and items deleted since they were indexed. */
static void
many_are_answered(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	static char all[40000];
	char first[27];

	many(h, 1500);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	work_all(h);
	assert_int_equal(read_list(h, subscriber, "search=zebra", 100, all, sizeof(all)), 1000);
	all[26] = '\0';
	snprintf(first, sizeof(first), "%s", all);
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", first));
	assert_true(read_list(h, subscriber, "search=zebra", 100, all, sizeof(all)) >= 999);
	assert_null(strstr(all, first));
	assert_ok(ask(h, editor, "POST " BASE "/%s/restore", first));
	harness_ok(o, ask(h, subscriber, "GET " BASE "?search=zebra&limit=1&includeTotal=true"));
	assert_int_equal(harness_int(o->data, "total"), 1000);
	assert_true(json_is_true(harness_at(o->data, "partial")));
	harness_ok(o, ask(h, subscriber, "GET " BASE "?search=okapi"));
	assert_null(harness_at(o->data, "partial"));
	/* A query of which not all words have to match. */
	harness_ok(o, ask(h, subscriber, "GET " BASE "?search=zebra+quagga&limit=1"));
	assert_true(json_is_true(harness_at(o->data, "partial")));
	harness_ok(o, ask(h, subscriber, "GET " BASE "?search=okapi+quagga&limit=1"));
	assert_null(harness_at(o->data, "partial"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(it_is_the_order_of_search_with_the_filters_of_the_list),
		searched(what_cannot_be_searched_is_refused),
		searched(many_are_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
