/*
 * keys.t - orders by several keys with declared indexes: each page continues after the last one,
 * with and without values, in both directions, while others write.
 */
#include "chance.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 150

static void
declare(struct harness *h)
{
	assert_ok(say(h, admin, "PUT /schema/collections/posts",
	    "{'indexes':['kind:asc,year:desc','price,flag','flag:desc,day:desc,createdAt:asc',"
	    "'word,publishedAt']}"));
}

static void
indexes_are_declared(void **state)
{
	static const char *const bad[] = { "kind", "kind:asc", "kind,kind:desc", "kind,nope",
		"kind,summary:up", "kind,body", "kind,tags", "kind,extra", "kind,", "",
		"kind,year,price,flag", "kind,id" };
	struct harness *h = *state;
	struct outcome *o;

	field(h, "posts", "word", "string", "");
	declare(h);
	harness_ok(o, ask(h, admin, "GET /schema/collections/posts"));
	assert_string_equal(harness_text(o->data, "item.indexes[0]"), "kind:asc,year:desc");
	assert_string_equal(harness_text(o->data, "item.indexes[1]"), "price:asc,flag:asc");
	for (size_t i = 0; i < COUNT(bad); i++) {
		o = say(h, admin, "PUT /schema/collections/posts",
		    "{'indexes':['price,flag','%s']}", bad[i]);
		assert_code(o, "VALIDATION_ERROR");
		assert_true(harness_issue(o, "indexes[1]"));
	}
	assert_ok(ask(h, editor, "GET " BASE "?orderBy=price,flag"));
	assert_ok(ask(h, editor, "GET " BASE "?orderBy=price:asc,flag:asc"));
	o = ask(h, editor, "GET " BASE "?orderBy=price:asc,flag:desc");
	assert_code(o, "VALIDATION_ERROR");
	assert_non_null(strstr(o->text, "indexes"));
	assert_code(ask(h, editor, "GET " BASE "?orderBy=nope,flag"), "VALIDATION_ERROR");
	assert_code(ask(h, editor, "GET " BASE "?orderBy=price:up,flag"), "VALIDATION_ERROR");
	assert_code(
	    ask(h, editor, "GET " BASE "?orderBy=price,flag,kind,year"), "VALIDATION_ERROR");
	assert_ok(ask(h, editor, "GET " BASE "?orderBy=year:asc"));
	/* Deletes an index, and another one by deleting its field. */
	assert_ok(say(h, admin, "PUT /schema/collections/posts",
	    "{'indexes':['kind:asc,year:desc','word,publishedAt']}"));
	assert_code(ask(h, editor, "GET " BASE "?orderBy=price,flag"), "VALIDATION_ERROR");
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/word"));
	harness_ok(o, ask(h, admin, "GET /schema/collections/posts"));
	assert_int_equal(json_array_size(harness_at(o->data, "item.indexes")), 1);
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'indexes':null}"));
	assert_code(ask(h, editor, "GET " BASE "?orderBy=kind:asc,year:desc"), "VALIDATION_ERROR");
}

/* ---- walks ---- */

#define LONG 1200

static void
write_word(struct harness *h, const char *id, const char *end)
{
	char request[64];

	snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	assert_ok(say(h, author, request, "{'data':{'word':'%0*d%s'}}", LONG, 0, end));
}

/* A cursor has only the start of a long text, which may change meanwhile. Then items may come
 * twice, but none is missed. */
static void
nothing_is_lost_behind_a_long_text_that_is_changed(void **state)
{
	static const char *const queries[] = { "orderBy=word&order=desc",
		"orderBy=word:desc,year:desc", "orderBy=word&order=asc" };
	static const char *const ends[] = { "0", "1", "2", "3", "4", "5" };
	struct harness *h = *state;
	char id[COUNT(ends)][27];

	field(h, "posts", "word", "string", "'indexed':true");
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts", "{'indexes':['word:desc,year:desc']}"));
	for (size_t i = 0; i < COUNT(ends); i++)
		make(h, author, id[i], "{'slug':'s%zu','data':{'word':'%0*d%s','year':1}}", i, LONG,
		    0, ends[i]);
	for (size_t q = 0; q < COUNT(queries); q++) {
		bool shown[COUNT(ends)] = { false };
		char query[64], cursor[2100] = "";
		int pages = 0;

		snprintf(query, sizeof(query), "limit=2&%s", queries[q]);
		do {
			struct walk w = { .count = 0 };

			page(h, editor, query, cursor, &w);
			for (size_t i = 0; i < COUNT(ends); i++)
				shown[i] |= seen(&w, id[i]);
			if (pages++ == 0)
				write_word(h, w.ids[1], "other");
		} while (cursor[0] != '\0' && pages < 10);
		if (pages == 10)
			fail_msg("%s has no end: %s", query, cursor);
		for (size_t i = 0; i < COUNT(ends); i++) {
			if (!shown[i])
				fail_msg("%s: %s was not shown", query, ends[i]);
			write_word(h, id[i], ends[i]);
		}
	}
}

static const struct {
	const char *names[3];
	bool down[3];
	int count;
} all_orders[] = { { { "kind", "year" }, { false, true }, 2 },
	{ { "price", "flag" }, { false, false }, 2 },
	{ { "flag", "day", "createdAt" }, { true, true, false }, 3 },
	{ { "word", "publishedAt" }, { false, false }, 2 } };

static int
compare_value(const json_t *a, const json_t *b)
{
	const bool x = a != NULL && !json_is_null(a), y = b != NULL && !json_is_null(b);
	double m = json_is_boolean(a) ? json_is_true(a) : json_number_value(a);
	double n = json_is_boolean(b) ? json_is_true(b) : json_number_value(b);

	if (!x || !y)
		return x - y;
	if (json_is_string(a))
		return strcmp(json_string_value(a), json_string_value(b));
	return (m > n) - (m < n);
}

static const json_t *
value_of(const json_t *item, const char *name)
{
	const json_t *data = json_object_get(item, "data");

	return json_object_get(json_object_get(data, name) != NULL ? data : item, name);
}

static bool
in_order(const json_t *a, const json_t *b, int order, bool reverse)
{
	bool down = reverse;

	for (int i = 0; i < all_orders[order].count; i++) {
		const char *name = all_orders[order].names[i];
		const int c = compare_value(value_of(a, name), value_of(b, name));

		down = all_orders[order].down[i] != reverse;
		if (c != 0)
			return down ? c > 0 : c < 0;
	}
	return (strcmp(harness_text((json_t *)(uintptr_t)a, "id"),
		    harness_text((json_t *)(uintptr_t)b, "id")) < 0) != down;
}

static void
random_item(struct harness *h, char id[27])
{
	static const char *const kinds[] = { "null", "'news'", "'note'" };
	static const char *const flags[] = { "null", "true", "false" };
	static const char *const dates[] = { "null", "'2026-01-01'", "'2026-01-02'" };
	static int n;
	char word[600] = "null";

	/* Some texts are too long for a cursor. */
	if (pick(4))
		snprintf(word, sizeof(word), "'%0*d'", pick(2) ? 500 : 1, pick(4));
	make(h, author, id,
	    "{'slug':'k-%d','status':'%s','data':{'kind':%s,'year':%s,'price':%s,'flag':%s,"
	    "'day':%s,'word':%s}}",
	    n++, pick(3) ? "published" : "draft", kinds[pick(3)], pick(4) ? "7" : "null",
	    pick(3) ? "1.5" : "null", flags[pick(3)], dates[pick(3)], word);
}

static char ids[MANY][27];

static void
begin(struct harness *h)
{
	field(h, "posts", "word", "string", "");
	declare(h);
	for (int i = 0; i < MANY; i++) {
		at(h, i / 4);
		random_item(h, ids[i]);
	}
}

/* Creates items and deletes them again. */
static void
others_write(struct harness *h)
{
	static char id[27];

	if (*id != '\0' && pick(2)) {
		assert_ok(ask(h, editor, "DELETE " BASE "/%s", id));
		*id = '\0';
	} else {
		random_item(h, id);
	}
}

static void
name_order(char *to, size_t size, int order, bool reverse)
{
	size_t len = 0;

	for (int i = 0; i < all_orders[order].count; i++)
		len += (size_t)snprintf(to + len, size - len, "%s%s:%s", i > 0 ? "," : "",
		    all_orders[order].names[i],
		    all_orders[order].down[i] != reverse ? "desc" : "asc");
}

/* Marks an item if it is one of the permanent ones; fails if it comes twice. */
static bool
take(const char *id, bool *seen_it)
{
	for (int k = 0; k < MANY; k++) {
		if (strcmp(ids[k], id) != 0)
			continue;
		assert_false(seen_it[k]);
		return seen_it[k] = true;
	}
	return false;
}

/* Walks the list; checks that each permanent item comes once and in order. Returns their number. */
static int
walk_order(struct harness *h, int order, bool reverse, const char *more)
{
	char cursor[2100] = "", name[128];
	bool seen_it[MANY] = { false };
	json_t *last = NULL, *item;
	struct outcome *o;
	int count = 0;
	size_t i;

	name_order(name, sizeof(name), order, reverse);
	do {
		harness_ok(o, ask(h, editor, "GET " BASE "?orderBy=%s&limit=%d%s%s%s", name,
				  1 + pick(20), more, *cursor != '\0' ? "&cursor=" : "", cursor));
		json_array_foreach(json_object_get(o->data, "items"), i, item)
		{
			if (last != NULL && !in_order(last, item, order, reverse))
				fail_msg("%s%s: not in order", name, more);
			json_decref(last);
			last = json_incref(item);
			count += take(harness_text(item, "id"), seen_it);
		}
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
		others_write(h);
	} while (*cursor != '\0');
	json_decref(last);
	return count;
}

static void
pages_go_on_where_the_last_one_ended(void **state)
{
	struct harness *h = *state;
	char query[2048];
	int published, news;

	chance_begin(3);
	begin(h);
	snprintf(query, sizeof(query), "&%s", filters("{'kind':'news'}"));
	published = walk_order(h, 0, false, "&status=published");
	news = walk_order(h, 1, true, query);
	assert_in_range(published, 1, MANY - 1);
	assert_in_range(news, 1, MANY - 1);
	for (int step = 0; step < chance.steps; step++)
		for (int order = 0; order < (int)COUNT(all_orders); order++)
			for (int reverse = 0; reverse < 2; reverse++) {
				assert_int_equal(walk_order(h, order, reverse, ""), MANY);
				assert_int_equal(
				    walk_order(h, order, reverse, "&status=published"), published);
				assert_int_equal(walk_order(h, order, reverse, query), news);
			}
}

static void
a_cursor_is_good_for_its_order_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char cursor[2100];

	begin(h);
	harness_ok(o, ask(h, editor, "GET " BASE "?orderBy=price,flag&order=asc&limit=1"));
	snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	assert_ok(ask(h, editor, "GET " BASE "?orderBy=price:asc,flag:asc&cursor=%s", cursor));
	assert_code(ask(h, editor, "GET " BASE "?orderBy=price:desc,flag:desc&cursor=%s", cursor),
	    "INVALID_CURSOR");
	assert_code(
	    ask(h, editor, "GET " BASE "?orderBy=price&cursor=%s", cursor), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET " BASE "?cursor=%s", cursor), "INVALID_CURSOR");
	harness_ok(o, ask(h, editor, "GET " BASE "?limit=1"));
	assert_code(ask(h, editor, "GET " BASE "?orderBy=price,flag&cursor=%s",
			harness_text(o->data, "nextCursor")),
	    "INVALID_CURSOR");
}

static void
check_plans(const char *name, const char *plans)
{
	if (strstr(plans, "TEMP B-TREE") != NULL || strstr(plans, "SCAN c_posts\n") != NULL ||
	    (*plans != '\0' && strstr(plans, "m5_posts_") == NULL &&
		strstr(plans, "(id=?)") == NULL))
		fail_msg("%s:\n%s", name, plans);
}

/* Each statement walks the declared index, or reads one item for a text that was too long for the
 * cursor. None sorts or scans. Prints each plan once. */
static void
each_page_walks_the_index(void **state)
{
	struct harness *h = *state;
	char cursor[2100], name[128], *plans;
	struct outcome *o;

	begin(h);
	assert_ok(ask(h, editor, "GET /content/pages")); /* reads the schema */
	for (int order = 0; order < (int)COUNT(all_orders); order++)
		for (int reverse = 0; reverse < 2; reverse++) {
			name_order(name, sizeof(name), order, reverse);
			*cursor = '\0';
			do {
				free(harness_trace(h));
				harness_ok(o, ask(h, editor, "GET " BASE "?orderBy=%s&limit=9%s%s",
						  name, *cursor != '\0' ? "&cursor=" : "", cursor));
				snprintf(cursor, sizeof(cursor), "%s",
				    harness_text(o->data, "nextCursor"));
				plans = harness_trace(h);
				check_plans(name, plans);
				free(plans);
			} while (*cursor != '\0');
		}
}

static int
traced(void **state)
{
	setenv("STET_SQL_TRACE", "1", 1);
	return posts_begin(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(indexes_are_declared),
		check(nothing_is_lost_behind_a_long_text_that_is_changed),
		check(pages_go_on_where_the_last_one_ended),
		check(a_cursor_is_good_for_its_order_alone),
		cmocka_unit_test_setup_teardown(each_page_walks_the_index, traced, posts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
