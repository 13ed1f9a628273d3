/* listing.t - lists of items: pages, orders, cursors, and hidden items. */
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pages ---- */

static void
every_order_shows_each_item_once(void **state)
{
	struct harness *h = *state;
	struct walk up, down;
	char query[128];

	fill(h);
	for (size_t i = 0; orders[i] != NULL; i++) {
		snprintf(query, sizeof(query), "limit=7&orderBy=%s&order=asc", orders[i]);
		walk_all(h, editor, query, &up);
		assert_int_equal(up.count, 40);
		assert_int_equal(up.pages, 6);
		snprintf(query, sizeof(query), "limit=3&orderBy=%s&order=desc", orders[i]);
		walk_all(h, editor, query, &down);
		assert_int_equal(down.count, 40);
		for (int k = 0; k < 40; k++)
			assert_string_equal(up.ids[k], down.ids[39 - k]);
	}
}

/* Items by their ids, in every order, a page at a time; those that may not be read are left out. */
static void
many_items_come_by_their_ids(void **state)
{
	struct harness *h = *state;
	struct walk all, some;
	char query[400];
	struct outcome *o;

	fill(h);
	walk_all(h, editor, "limit=100", &all);
	for (size_t i = 0; orders[i] != NULL; i++) {
		snprintf(query, sizeof(query), "limit=2&orderBy=%s&ids=%s,%s,%s,%s", orders[i],
		    all.ids[3], all.ids[30], all.ids[17], all.ids[3]);
		walk_all(h, editor, query, &some);
		assert_int_equal(some.count, 3);
	}
	harness_ok(o, ask(h, editor, "GET " BASE "?includeTotal=true&ids=%s,%s", all.ids[0],
			  "01ARZ3NDEKTSV4RRFFQ69G5FAV"));
	assert_int_equal(json_integer_value(json_object_get(o->data, "total")), 1);
	harness_ok(o, ask(h, editor, "GET " BASE "?slug=none&ids=%s", all.ids[0]));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 0);
	assert_code(ask(h, editor, "GET " BASE "?ids=%s,x", all.ids[0]), "VALIDATION_ERROR");
	assert_code(ask(h, editor, "GET " BASE "?ids=,"), "VALIDATION_ERROR");
}

static json_t *
value_at(struct outcome *o, size_t i, const char *path)
{
	return harness_at(json_array_get(json_object_get(o->data, "items"), i), path);
}

static void
absent_values_come_first_ascending_and_last_descending(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	fill(h);
	harness_ok(o, ask(h, editor, "GET " BASE "?orderBy=year&order=asc&limit=100"));
	for (size_t i = 0; i < 40; i++) {
		json_t *year = value_at(o, i, "data.year");

		assert_true((year == NULL) == (i < 6));
		if (i >= 6)
			assert_int_equal(json_integer_value(year), i < 23 ? -3 : 1958);
	}
	harness_ok(o, ask(h, editor, "GET " BASE "?orderBy=year&order=desc&limit=100"));
	for (size_t i = 0; i < 40; i++)
		assert_true((value_at(o, i, "data.year") == NULL) == (i >= 34));
	harness_ok(o, ask(h, editor, "GET " BASE "?orderBy=slug&order=asc&limit=100"));
	assert_true(json_is_null(value_at(o, 0, "slug")));
	assert_false(json_is_null(value_at(o, 39, "slug")));
}

static void
the_newest_come_first_by_default(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char a[27], b[27];

	make(h, author, a, "{'data':{}}");
	at(h, 1);
	make(h, author, b, "{'data':{}}");
	harness_ok(o, ask(h, author, "GET " BASE));
	assert_string_equal(harness_text(o->data, "items[0].id"), b);
	assert_string_equal(harness_text(o->data, "items[1].id"), a);
	assert_null(json_object_get(o->data, "nextCursor"));
	assert_null(json_object_get(o->data, "total"));
	assert_non_null(o->etag);
	harness_ok(o, ask(h, author, "GET " BASE "?order=asc"));
	assert_string_equal(harness_text(o->data, "items[0].id"), a);
	/* The last page has no cursor, even when it is full. */
	harness_ok(o, ask(h, author, "GET " BASE "?limit=2"));
	assert_null(json_object_get(o->data, "nextCursor"));
	harness_ok(o, ask(h, author, "GET " BASE "?limit=1"));
	assert_non_null(json_object_get(o->data, "nextCursor"));
}

static void
all_seen(const char *query, const struct walk *before, const struct walk *w)
{
	for (int k = 0; k < before->count; k++)
		if (!seen(w, before->ids[k]))
			fail_msg("%s: %s was left out", query, before->ids[k]);
}

static void
a_walk_is_stable_while_others_write(void **state)
{
	struct harness *h = *state;
	static const char *const moving[] = { "createdAt", "slug", "title", "year", "publishedAt" };
	char cursor[2100], query[128], id[27];
	struct walk w, before;

	fill(h);
	for (size_t i = 0; i < COUNT(moving); i++) {
		for (int desc = 0; desc < 2; desc++) {
			snprintf(query, sizeof(query), "limit=4&orderBy=%s&order=%s", moving[i],
			    desc ? "desc" : "asc");
			walk_all(h, editor, query, &before);
			w = (struct walk){ 0 };
			*cursor = '\0';
			do {
				page(h, editor, query, cursor, &w);
				/* An item is added, and the last shown item is deleted. */
				make(h, editor, id, "{'data':{'title':'Even','year':1958}}");
				assert_ok(ask(h, editor, "DELETE " BASE "/%s", w.ids[w.count - 1]));
			} while (*cursor != '\0');
			all_seen(query, &before, &w);
		}
	}
}

static void
a_cursor_is_good_for_its_order_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char cursor[2100];

	fill(h);
	harness_ok(o, ask(h, editor, "GET " BASE "?limit=1&orderBy=year"));
	snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	assert_ok(ask(h, editor, "GET " BASE "?orderBy=year&cursor=%s", cursor));
	o = ask(h, editor, "GET " BASE "?orderBy=price&cursor=%s", cursor);
	assert_code(o, "INVALID_CURSOR");
	assert_int_equal(o->http, 400);
	assert_code(ask(h, editor, "GET " BASE "?cursor=%s", cursor), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET /content/pages?cursor=%s", cursor), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET " BASE "?cursor="), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET " BASE "?cursor=%%25%%20"), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET " BASE "?cursor=bm90IGpzb24="), "INVALID_CURSOR");
	/* Both spellings mean the same order. */
	harness_ok(o, ask(h, editor, "GET " BASE "?limit=1&orderBy=created_at"));
	snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	assert_ok(ask(h, editor, "GET " BASE "?orderBy=createdAt&cursor=%s", cursor));
}

static void
titles_longer_than_a_cursor_are_walked_too(void **state)
{
	struct harness *h = *state;
	char title[4001], id[27];
	struct walk w;

	memset(title, 'x', 4000);
	title[4000] = '\0';
	for (int i = 0; i < 9; i++) {
		title[3999] = (char)('a' + i / 2);
		make(h, author, id, "{'slug':null,'data':{'title':'%s'}}", title);
	}
	walk_all(h, author, "limit=2&orderBy=title&order=asc", &w);
	assert_int_equal(w.count, 9);
	walk_all(h, author, "limit=2&orderBy=title", &w);
	assert_int_equal(w.count, 9);
}

/* Lists are ordered by the collection's title and date fields, indexed or not; other fields are
 * refused. */
static void
the_title_and_the_date_of_a_collection_order_it(void **state)
{
	static const char *const by[] = { "head", "on" };
	struct harness *h = *state;
	struct walk w;
	char id[27], query[64];

	field(h, "posts", "head", "string", "");
	field(h, "posts", "on", "datetime", "");
	for (int i = 0; i < 7; i++)
		make(h, author, id, "{'data':{%s%d%s}}", i % 3 ? "'head':'H" : "'on':'2026-01-0",
		    1 + i % 2, "'");
	for (size_t i = 0; i < COUNT(by); i++)
		assert_code(ask(h, editor, "GET " BASE "?orderBy=%s", by[i]), "VALIDATION_ERROR");
	assert_ok(say(
	    h, admin, "PUT /schema/collections/posts", "{'titleField':'head','dateField':'on'}"));
	for (size_t i = 0; i < COUNT(by); i++)
		for (int k = 0; k < 2; k++) {
			snprintf(query, sizeof(query), "limit=2&orderBy=%s&order=%s", by[i],
			    k == 0 ? "asc" : "desc");
			walk_all(h, editor, query, &w);
			assert_int_equal(w.count, 7);
		}
	/* The search includes the title field. */
	assert_int_equal(total(h, editor, "q=h2"), 2);
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/head"));
	assert_code(ask(h, editor, "GET " BASE "?orderBy=head"), "VALIDATION_ERROR");
	assert_ok(ask(h, editor, "GET " BASE "?orderBy=on"));
	assert_int_equal(total(h, editor, "q=h2"), 0);
}

static void
what_is_out_of_range_is_refused(void **state)
{
	static const char *const bad[][2] = { { "limit=0", "limit" }, { "limit=101", "limit" },
		{ "limit=x", "limit" }, { "limit=1.5", "limit" }, { "order=up", "order" },
		{ "status=trash", "status" }, { "locale=", "locale" }, { "locale=x!", "locale" },
		{ "q=", "q" }, { "q=%20", "q" }, { "authorId=", "authorId" },
		{ "dateField=deletedAt", "dateField" },
		{ "dateField=createdAt&dateFrom=soon", "dateFrom" },
		{ "dateField=createdAt&dateTo=2026-02-30", "dateTo" },
		{ "orderBy=body", "orderBy" }, { "orderBy=summary", "orderBy" },
		{ "orderBy=nothing", "orderBy" }, { "orderBy=name", "orderBy" },
		{ "orderBy=author_id", "orderBy" }, { "orderBy=f_year", "orderBy" },
		{ "orderBy=id%20DESC--", "orderBy" }, { "orderBy=extra", "orderBy" },
		{ "includeTotal=maybe", "includeTotal" } };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct outcome *o = ask(h, editor, "GET " BASE "?%s", bad[i][0]);

		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, bad[i][1]))
			fail_msg("%s: %s", bad[i][0], o->text);
		assert_int_equal(json_array_size(json_object_get(o->details, "issues")), 1);
	}
	assert_ok(ask(h, editor, "GET " BASE "?limit=1&limit=100&utm_source=x"));
	assert_code(
	    ask(h, editor, "GET /content/none?orderBy=nothing&fieldFilters=%%7B%%22x%%22:1%%7D"),
	    "COLLECTION_NOT_FOUND");
}

/* ---- what is not shown ---- */

static void
readers_without_drafts_see_published_items_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	json_t *item;
	size_t i;

	fill(h);
	assert_int_equal(total(h, subscriber, ""), 26);
	assert_int_equal(total(h, subscriber, "status=draft"), 26); /* other states are not shown */
	assert_int_equal(total(h, subscriber, "q=item-3"), 6);
	assert_int_equal(total(h, subscriber, filters("{'kind':'news'}")), 0);
	assert_int_equal(total(h, contributor, ""), 40);
	harness_ok(o, ask(h, subscriber, "GET " BASE "?limit=100"));
	json_array_foreach(json_object_get(o->data, "items"), i, item)
	{
		assert_string_equal(harness_text(item, "status"), "published");
		assert_null(json_object_get(item, "draftRevisionId"));
	}
	assert_code(ask(h, nobody, "GET " BASE), "UNAUTHORIZED");
	/* An order by schedule discloses no schedules to readers. */
	assert_int_equal(total(h, subscriber, "orderBy=scheduledAt&limit=5"), 26);
}

static void
the_total_is_that_of_all_pages(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char cursor[2100] = "";
	int pages = 0;

	fill(h);
	do {
		harness_ok(
		    o, ask(h, editor, "GET " BASE "?includeTotal=true&limit=9&status=published%s%s",
			   *cursor != '\0' ? "&cursor=" : "", cursor));
		assert_int_equal(harness_int(o->data, "total"), 26);
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
		pages++;
	} while (*cursor != '\0');
	assert_int_equal(pages, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(every_order_shows_each_item_once),
		check(many_items_come_by_their_ids),
		check(absent_values_come_first_ascending_and_last_descending),
		check(the_newest_come_first_by_default),
		check(a_walk_is_stable_while_others_write),
		check(a_cursor_is_good_for_its_order_alone),
		check(titles_longer_than_a_cursor_are_walked_too),
		check(the_title_and_the_date_of_a_collection_order_it),
		check(what_is_out_of_range_is_refused),
		check(readers_without_drafts_see_published_items_alone),
		check(the_total_is_that_of_all_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
