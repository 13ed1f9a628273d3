/* numbered.c - a slug that is taken gets a number, which is found by index, whatever slugs are
 * taken. */
#include "db/db.h"
#include "db/part.h"
#include "engine.h"
#include "inside.h"
#include "posts.h"
#include <stdio.h>

/* Creates an item with this title; returns its slug. */
static const char *
titled(struct harness *h, const char *title)
{
	static char slug[512];
	struct outcome *o;

	harness_ok(o, say(h, author, "POST " BASE, "{'data':{'title':'%s'}}", title));
	snprintf(slug, sizeof(slug), "%s", harness_text(o->data, "item.slug"));
	return slug;
}

/* Inserts an item with this slug, without the API. */
static void
taken(struct harness *h, const char *slug)
{
	inside_item(h, "posts", slug);
}

/* Inserts items with `slug`, and slug-from up to slug-to. */
static void
taken_up_to(struct harness *h, const char *slug, int from, int to)
{
	char sql[640];

	taken(h, slug);
	snprintf(sql, sizeof(sql),
	    "WITH RECURSIVE n (i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
	    "INSERT INTO c_posts (id, slug, status, created_at, updated_at, published_at, version,"
	    " locale, translation_group) SELECT ?1 || '-' || i, ?1 || '-' || i, 'published',"
	    " '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z',"
	    " 1, 'en', ?1 || '-' || i FROM n",
	    from, to);
	inside_sql(h, sql, slug);
}

static void
a_large_number_does_not_stop_the_writer(void **state)
{
	struct harness *h = *state;
	char expected[32];

	taken(h, "t");
	taken(h, "t-999999999");
	for (int i = 2; i < 67; i++) {
		snprintf(expected, sizeof(expected), "t-%d", i);
		assert_string_equal(titled(h, "T"), expected);
	}
}

static void
a_number_beyond_all_integers_is_passed_by(void **state)
{
	static const char *const hostile[] = { "t", "t-999999999999999999999",
		"t-9223372036854775807", "t-18446744073709551616", "t-007", "t-02", "t-1x", "t--2",
		"t-+2", "t- 2", "t-2.0", "t-2 ", "t-", "T-2", "t-\xc2\xb2", "t-\xd9\xa2" };

	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++)
		taken(*state, hostile[i]);
	assert_string_equal(titled(*state, "T"), "t-2");
	assert_string_equal(titled(*state, "T"), "t-3");
}

static void
gaps_between_small_numbers_are_filled(void **state)
{
	taken(*state, "t");
	taken(*state, "t-2");
	taken(*state, "t-4");
	taken(*state, "t-10"); /* sorts before t-2 */
	assert_string_equal(titled(*state, "T"), "t-3");
	assert_string_equal(titled(*state, "T"), "t-5");
}

static void
no_number_is_given_twice(void **state)
{
	struct harness *h = *state;
	const char *kept[] = { "t-17", "t-32", "t-33", "t-63", "t-64", "t-96", "t-128", "t-129" };
	char sql[160];

	taken(h, "t");
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		taken(h, kept[i]);
	/* A number that is taken would fail with SLUG_CONFLICT. */
	for (int i = 0; i < 300; i++)
		titled(h, "T");
	for (int i = 0; i < 40; i++) {
		snprintf(sql, sizeof(sql), "DELETE FROM c_posts WHERE slug = 't-%d'", 7 * i + 3);
		inside_sql(h, sql, NULL);
		titled(h, "T");
	}
}

static enum stet_status
count_statements(struct stet_call *call, void *arg)
{
	*(uint64_t *)arg = db_statement_count(db_part(call)->db);
	return STET_OK;
}

/* Returns the number of statements of the writer for one create with this title. */
static uint64_t
statements(struct harness *h, const char *title, const char *slug)
{
	uint64_t before, after;

	inside_write(h, count_statements, &before);
	assert_string_equal(titled(h, title), slug);
	inside_write(h, count_statements, &after);
	return after - before;
}

static void
a_hundred_thousand_items_of_one_title_cost_as_many_statements_as_two(void **state)
{
	struct harness *h = *state;
	uint64_t few, many;

	taken(h, "few");
	titled(h, "Few");
	few = statements(h, "Few", "few-3");
	taken_up_to(h, "many", 2, 100000);
	titled(h, "Other"); /* what writes have read is kept until somebody else writes */
	many = statements(h, "Many", "many-100001");
	assert_int_equal(many, few);
	assert_string_equal(titled(h, "Many"), "many-100002");
}

static void
who_takes_every_doubling_stops_nobody(void **state)
{
	struct harness *h = *state;
	char slug[32];

	taken_up_to(h, "t", 2, 16);
	for (int i = 5; i < 63; i++) {
		snprintf(slug, sizeof(slug), "t-%lld", 1LL << i);
		taken(h, slug);
	}
	for (int i = 0; i < 3; i++)
		assert_memory_equal(titled(h, "T"), "t-", 2);
}

static void
each_locale_counts_for_itself(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	taken_up_to(h, "t", 2, 40);
	harness_ok(o, say(h, author, "POST " BASE, "{'locale':'fr','data':{'title':'T'}}"));
	assert_string_equal(harness_text(o->data, "item.slug"), "t");
	harness_ok(o, say(h, author, "POST " BASE, "{'locale':'fr','data':{'title':'T'}}"));
	assert_string_equal(harness_text(o->data, "item.slug"), "t-2");
	assert_string_equal(titled(h, "T"), "t-41");
}

static void
a_long_title_is_numbered_too(void **state)
{
	char title[301], expected[96];

	memset(title, 'a', 300);
	title[300] = '\0';
	snprintf(expected, sizeof(expected), "%.80s", title);
	assert_string_equal(titled(*state, title), expected);
	snprintf(expected, sizeof(expected), "%.80s-2", title);
	assert_string_equal(titled(*state, title), expected);
}

/* SQLite takes any text in an index, PostgreSQL takes some 2,600 bytes. */
static void
a_text_that_no_index_takes_is_refused(void **state)
{
	struct harness *h = *state;
	unsigned random = 1;
	char title[6001];
	struct outcome *o;

	/* A text that hardly gets shorter when it is compressed. */
	for (size_t i = 0; i < sizeof(title) - 1; i++) {
		random = random * 1103515245 + 12345;
		title[i] = (char)('a' + (random >> 16) % 26);
	}
	title[sizeof(title) - 1] = '\0';
	assert_ok(say(h, author, "POST " BASE, "{'data':{'title':'%.2000s'}}", title));
	o = harness_send(
	    h, author, "POST " BASE, "{\"slug\":\"long\",\"data\":{\"title\":\"%s\"}}", title);
	if (engine_is_postgresql())
		assert_string_equal(o->code, "VALIDATION_ERROR");
	else
		assert_ok(o);
	assert_ok(say(h, author, "POST " BASE, "{'data':{'title':'As always'}}"));
}

static void
thousands_of_bylines_and_terms_share_a_name(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
	    " INSERT INTO byline (id, slug, display_name, is_guest, locale, translation_group,"
	    " created_at, updated_at) SELECT 'b' || i, CASE i WHEN 1 THEN 'ann' ELSE 'ann-' || i END,"
	    " 'Ann', 1, 'en', 'b' || i, '', '' FROM n",
	    NULL);
	harness_ok(o, say(h, admin, "POST /admin/bylines", "{'displayName':'Ann'}"));
	assert_string_equal(harness_text(o->data, "slug"), "ann-3001");
	assert_ok(say(h, admin, "POST /taxonomies", "{'name':'genre','label':'G'}"));
	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
	    " INSERT INTO term (id, taxonomy, slug, label, parent_group, position, locale, translation_group)"
	    " SELECT 't' || i, 'genre', CASE i WHEN 0 THEN 'pop' ELSE 'pop-' || i END, 'Pop', '', i,"
	    " 'en', 't' || i FROM n",
	    NULL);
	harness_ok(o, say(h, admin, "POST /taxonomies/genre/terms", "{'label':'Pop'}"));
	assert_string_equal(harness_text(o->data, "term.slug"), "pop-3001");
}

#define NUMBERED(name) cmocka_unit_test_setup_teardown(name, posts_begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		NUMBERED(a_large_number_does_not_stop_the_writer),
		NUMBERED(a_number_beyond_all_integers_is_passed_by),
		NUMBERED(gaps_between_small_numbers_are_filled),
		NUMBERED(no_number_is_given_twice),
		NUMBERED(a_hundred_thousand_items_of_one_title_cost_as_many_statements_as_two),
		NUMBERED(who_takes_every_doubling_stops_nobody),
		NUMBERED(each_locale_counts_for_itself),
		NUMBERED(a_long_title_is_numbered_too),
		NUMBERED(a_text_that_no_index_takes_is_refused),
		NUMBERED(thousands_of_bylines_and_terms_share_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
