/*
 * totals.t - stored counts of items and indexes of fields with several values: they follow every
 * write and every change of definitions. Filtered lists show, in every order, the items that a
 * plain evaluation selects. MODEL_STEPS (1500) is the number of writes, MODEL_SEED the seed.
 */
#include "chance.h"
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 24

static void
nothing_is_wrong(struct harness *h)
{
	struct outcome *o;
	char *told;

	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	told = json_dumps(json_object_get(o->data, "problems"), 0);
	assert_string_equal(told, "[]");
	free(told);
}

/* ---- lists ---- */

#define MANY 2600

struct seen {
	char id[27], status[16], kind[8], locale[4];
	int year;
};
static struct seen all[MANY];

/* Walks a list to its end, in pages of 100. */
static int
read_all(struct harness *h, const struct harness_user *user, const char *query, struct seen *out)
{
	char cursor[2100] = "";
	struct outcome *o;
	json_t *item;
	size_t i;
	int n = 0;

	do {
		harness_ok(o, ask(h, user, "GET " BASE "?limit=100&%s%s%s", query,
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		json_array_foreach(json_object_get(o->data, "items"), i, item)
		{
			assert_true(n < MANY);
			snprintf(out[n].id, 27, "%s", harness_text(item, "id"));
			snprintf(out[n].status, 16, "%s", harness_text(item, "status"));
			snprintf(out[n].locale, 4, "%s", harness_text(item, "locale"));
			snprintf(out[n].kind, 8, "%s",
			    json_is_string(harness_at(item, "data.kind"))
				? harness_text(item, "data.kind")
				: "");
			out[n].year = (int)json_integer_value(harness_at(item, "data.year"));
			n++;
		}
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	} while (*cursor != '\0');
	return n;
}

/* Fails unless the total is the number of items on all pages. */
static void
total_is_right(struct harness *h, const struct harness_user *user, const char *query)
{
	static struct seen some[MANY];
	struct outcome *o;
	int64_t n;

	harness_ok(o, ask(h, user, "GET " BASE "?includeTotal=1&limit=2&%s", query));
	n = harness_int(o->data, "total");
	assert_int_equal(read_all(h, user, query, some), n);
}

/* ---- writes ---- */

static char ids[ITEMS][27];

/* Returns members for an update; references are to the first item, or to none. */
static const char *
change(void)
{
	static char out[320];
	static const char *const kinds[] = { "null", "'news'", "'note'", "'essay'" };
	static const char *const flags[] = { "null", "true", "false" };
	static const char *const tags[] = { "null", "[]", "['a']", "['b','a']", "['c','c','a']" };
	const bool near = ids[0][0] != '\0' && pick(2);

	snprintf(out, sizeof(out),
	    "{'title':'t%d','kind':%s,'flag':%s,'year':%d,'tags':%s,'near':%s%s%s}", pick(9),
	    kinds[pick(4)], flags[pick(3)], pick(3), tags[pick(5)], near ? "'" : "",
	    near ? ids[0] : "null", near ? "'" : "");
	return out;
}

/* Creates nothing if the first item, to which the new one refers, is in the trash. */
static void
create(struct harness *h, char id[27])
{
	static const char *const locales[] = { "en", "fr" };
	struct outcome *o = say(h, pick(3) ? author : editor, "POST " BASE,
	    "{'locale':'%s','status':'%s','data':%s}", locales[pick(2)],
	    pick(2) ? "published" : "draft", change());

	if (o->http == 201)
		snprintf(id, 27, "%s", harness_text(o->data, "item.id"));
}

/* Sends a random request, which may be refused. */
static void
step(struct harness *h)
{
	static const char *const verbs[] = { "publish", "unpublish", "discard-draft", "restore",
		"duplicate" };
	const int which = pick(ITEMS), what = pick(14);
	char *id = ids[which], request[128];

	if (*id == '\0') {
		create(h, id);
	} else if (what < 5) {
		snprintf(request, sizeof(request), "POST " BASE "/%s/%s", id, verbs[what]);
		(void)say(h, editor, request, "{}");
	} else if (what < 9) {
		snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
		(void)say(h, editor, request, "{'data':%s%s}", change(),
		    what == 5   ? ",'status':'published'"
		    : what == 6 ? ",'status':'draft'"
				: "");
	} else if (what < 10) {
		snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
		(void)say(
		    h, admin, request, "{'authorId':'%s'}", pick(2) ? author->id : editor->id);
	} else if (what < 11) {
		snprintf(request, sizeof(request), "POST " BASE "/%s/schedule", id);
		(void)say(h, editor, request, "{'scheduledAt':'2026-07-01T00:00:00Z'}");
	} else if (what < 12) {
		snprintf(request, sizeof(request), "DELETE " BASE "/%s", id);
		(void)ask(h, editor, "%s", request);
	} else if (what < 13) {
		/* Only items in the trash can be purged. */
		if (ask(h, admin, "DELETE " BASE "/%s/permanent", id)->http == 200)
			*id = '\0';
	} else {
		snprintf(request, sizeof(request), "POST " BASE);
		(void)say(h, editor, request, "{'translationOf':'%s','locale':'%s','data':%s}", id,
		    pick(2) ? "de" : "es", change());
	}
}

static void
totals_are_right(struct harness *h)
{
	static const char *const fields[] = { "{'kind':'news'}", "{'kind':null}", "{'flag':true}",
		"{'kind':{'in':['note','essay','note']}}", "{'flag':false,'kind':'note'}",
		"{'year':1}", "{'year':{'gte':1}}", "{'tags':{'has':'a'}}", "{'tags':null}",
		"{'not':{'tags':{'has':'a'}}}" };
	static const char *const others[] = { "", "status=draft&", "status=published&locale=fr&",
		"locale=de&" };
	char query[512];

	for (size_t i = 0; i < COUNT(others); i++) {
		total_is_right(h, editor, others[i]);
		total_is_right(h, subscriber, others[i]);
		snprintf(query, sizeof(query), "%sauthorId=%s", others[i], author->id);
		total_is_right(h, editor, query);
		for (size_t k = 0; k < COUNT(fields); k++) {
			snprintf(query, sizeof(query), "%s%s", others[i], filters(fields[k]));
			total_is_right(h, editor, query);
		}
	}
}

static void
numbers_follow_every_write(void **state)
{
	struct harness *h = *state;

	assert_ok(say(h, admin, "PUT /schema/collections/posts/fields/near", "{'indexed':true}"));
	assert_ok(say(h, admin, "PUT /schema/collections/posts/fields/tags", "{'indexed':true}"));
	memset(ids, 0, sizeof(ids));
	chance_begin(1500);
	for (int i = 0; i < chance.steps; i++) {
		at(h, i);
		step(h);
		if (i % 20 == 0)
			nothing_is_wrong(h);
		if (i % 300 == 299)
			totals_are_right(h);
	}
	harness_clock(h, "2026-08-01T00:00:00Z");
	inside_sweep(h);
	nothing_is_wrong(h);
	totals_are_right(h);
	print_message("# %d steps\n", chance.steps);
}

/* ---- definitions ---- */

#define FACETS "SELECT count(DISTINCT facet) FROM item_count WHERE collection = 'posts'"

static void
numbers_follow_the_definitions(void **state)
{
	struct harness *h = *state;

	fill(h);
	assert_string_equal(inside_ask(h, FACETS), "4"); /* all, author_id, kind, flag */
	assert_ok(say(h, admin, "PUT /schema/collections/posts/fields/kind", "{'indexed':false}"));
	assert_string_equal(inside_ask(h, FACETS), "3");
	make(h, author, ids[0], "{'data':{'kind':'essay'}}");
	assert_ok(say(h, admin, "PUT /schema/collections/posts/fields/kind", "{'indexed':true}"));
	nothing_is_wrong(h);
	assert_int_equal(total(h, editor, filters("{'kind':'essay'}")), 1);
	assert_int_equal(total(h, editor, filters("{'kind':'news'}")), 14);
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts/fields/flag"));
	nothing_is_wrong(h);
	assert_string_equal(inside_ask(h, FACETS), "3");
	field(h, "posts", "flag", "boolean", "'indexed':true");
	nothing_is_wrong(h);
	assert_int_equal(total(h, editor, filters("{'flag':null}")), 41);
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts?force=true"));
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM item_count WHERE collection = 'posts'"), "0");
}

static void
wrong_numbers_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	fill(h);
	inside_sql(h,
	    "UPDATE item_count SET n = n + 3 WHERE collection = 'posts' AND facet = ''"
	    " AND status = 'draft' AND locale = 'fr'",
	    NULL);
	inside_sql(h,
	    "DELETE FROM item_count WHERE collection = 'posts' AND facet = 'f_flag'"
	    " AND value = '=1' AND locale = 'fr'",
	    NULL);
	harness_ok(o, harness_op(h, admin, "content_verify", "{}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "problems")), 2);
	assert_string_equal(harness_text(o->data, "problems[0]"),
	    "posts: the kept number of items that are draft in fr is wrong by 3");
	assert_string_equal(harness_text(o->data, "problems[1]"),
	    "posts: the kept number of items that are published in fr, by f_flag is wrong by -6");
}

/* An older site, without counts and without the indexes that contain the order. */
static void
older_sites_are_counted(void **state)
{
	struct harness *h = *state;

	fill(h);
	inside_sql(h, "DROP TABLE item_count", NULL);
	inside_sql(h, "DROP TABLE value_index", NULL);
	inside_sql(h, "DROP TABLE value_item", NULL);
	inside_sql(h, "DROP TABLE value_count", NULL);
	inside_sql(h, "DROP TABLE item_scheduler", NULL);
	inside_sql(h, "DROP TABLE item_unpublisher", NULL);
	inside_sql(h, "DROP TABLE preview_link", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'content' AND version >= 6", NULL);
	inside_sql(h, "DROP INDEX c5_posts_kind", NULL);
	inside_sql(h, "DROP INDEX p5_posts_kind", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN f__seo", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN f__seo", NULL);
	inside_sql(h, "DROP INDEX i_unpublish_posts", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN schedule_error", NULL);
	inside_sql(h, "ALTER TABLE c_posts DROP COLUMN unpublish_at", NULL);
	inside_sql(h, "DROP INDEX i_unpublish_pages", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN schedule_error", NULL);
	inside_sql(h, "ALTER TABLE c_pages DROP COLUMN unpublish_at", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN indexes", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN public_read", NULL);
	inside_sql(h, "ALTER TABLE field DROP COLUMN building", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN building", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN required_on", NULL);
	inside_sql(h, "ALTER TABLE collection DROP COLUMN url_patterns", NULL);
	inside_sql(h, "DROP TABLE block_type", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'schema' AND version >= 4", NULL);
	*state = h = harness_again(h);
	nothing_is_wrong(h);
	assert_int_equal(total(h, editor, ""), 40);
	assert_int_equal(total(h, editor, filters("{'kind':'news'}")), 14);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM sqlite_schema WHERE name IN"
					  " ('c5_posts_kind', 'p5_posts_kind')"),
	    "2");
}

/* ---- wherever the items stand ---- */

/* The 260 oldest items are news: a walk from the newest does not meet them for long, and they are
 * too many to sort at once. Items of the year 3 are adjacent in the middle; 30 essays are anywhere.
 * So each choice of an index occurs. */
static void
fill_with_many(struct harness *h)
{
	for (int i = 0; i < MANY; i++) {
		const char *kind = i < 260 ? "news" : i % 90 == 0 ? "essay" : "note";
		const int year = i >= 1000 && i < 1300 ? 3 : i % 2;

		at(h, i * 7 % MANY);
		assert_ok(say(h, author, "POST " BASE,
		    "{'slug':'s%d','locale':'%s','status':'%s','data':{'title':'t%d','kind':'%s',"
		    "'year':%d,'day':'2026-01-%02dT00:00:00Z'}}",
		    i, i % 3 == 0 ? "fr" : "en", i % 5 == 0 ? "draft" : "published", i % 50, kind,
		    year, i % 28 + 1));
	}
}

static bool
passes(const struct seen *s, const char *status, const char *locale, const char *kind, int year)
{
	return (*status == '\0' || strcmp(s->status, status) == 0) &&
	       (*locale == '\0' || strcmp(s->locale, locale) == 0) &&
	       (*kind == '\0' || strcmp(s->kind, kind) == 0) && (year < 0 || s->year == year);
}

static void
filtered_as_held_against_each(struct harness *h, const char *order, const char *status,
    const char *locale, const char *kind, int year, int n)
{
	static struct seen some[MANY];
	char number[32] = "", fields[128], query[1024];
	int got, at_ = 0;

	if (year >= 0)
		snprintf(number, sizeof(number), "'year':%d", year);
	snprintf(fields, sizeof(fields), "{%s%s%s%s%s}", *kind != '\0' ? "'kind':'" : "", kind,
	    *kind != '\0' ? "'" : "", *kind != '\0' && year >= 0 ? "," : "", number);
	snprintf(query, sizeof(query), "%s%s%s%s%s&%s", order, *status != '\0' ? "&status=" : "",
	    status, *locale != '\0' ? "&locale=" : "", locale, filters(fields));
	got = read_all(h, editor, query, some);
	for (int i = 0; i < n; i++) {
		if (!passes(&all[i], status, locale, kind, year))
			continue;
		if (at_ >= got || strcmp(some[at_].id, all[i].id) != 0)
			fail_msg("%s: item %d is another", query, at_);
		at_++;
	}
	assert_int_equal(got, at_);
}

static void
every_index_shows_the_same(void **state)
{
	static const char *const by[] = { "orderBy=createdAt&order=desc",
		"orderBy=createdAt&order=asc", "orderBy=publishedAt&order=desc",
		"orderBy=publishedAt&order=asc", "orderBy=updatedAt&order=desc",
		"orderBy=title&order=asc", "orderBy=slug&order=desc", "orderBy=year&order=asc" };
	static const char *const statuses[] = { "", "published", "draft" };
	static const char *const locales[] = { "", "fr" };
	static const char *const kinds[] = { "", "news", "essay", "note" };
	struct harness *h = *state;

	fill_with_many(h);
	nothing_is_wrong(h);
	for (size_t i = 0; i < COUNT(by); i++) {
		const int n = read_all(h, editor, by[i], all);

		assert_int_equal(n, MANY);
		for (int k = 0; k < 3 * 2 * 4 * 2; k++)
			filtered_as_held_against_each(h, by[i], statuses[k % 3], locales[k / 3 % 2],
			    kinds[k / 6 % 4], k / 24 == 0 ? -1 : 3, n);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(numbers_follow_every_write),
		check(numbers_follow_the_definitions),
		check(wrong_numbers_are_told),
		check(older_sites_are_counted),
		check(every_index_shows_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
