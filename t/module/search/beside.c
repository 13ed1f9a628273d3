/*
 * beside.c - indexes beside the database: each daemon follows the changes of all, and makes its
 * index anew when the file is lost. A second site in the database of the first stands for another
 * daemon. On SQLite there is nothing to test.
 */
#include "call/call.h"
#include "db/rows.h"
#include "searched.h"
#include <fcntl.h>
#include <stdio.h>
#include <stet/derived.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A second daemon of the site. */
static struct harness *
join(const struct harness *h)
{
	return harness_open(&(struct harness_options){ .beside = h });
}

static bool
is_updating(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /search/stats"));
	return json_is_true(harness_at(o->data, "updating"));
}

static int
problems(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "search_verify", "{}"));
	return (int)json_array_size(json_object_get(o->data, "problems"));
}

static void
what_one_writes_the_other_finds_at_once(void **state)
{
	struct harness *a = *state, *b = join(a);
	char id[27];

	post(a, id, "Zebra", "stripes");
	work_all(b);
	assert_int_equal(hits(b, "zebra"), 1);
	for (int i = 0; i < 20; i++) {
		post(a, id, "Okapi", "forest");
		assert_int_equal(hits(b, "okapi"), i + 1);
		assert_int_equal(hits(a, "okapi"), i + 1);
	}
	post(b, id, "Quagga", "plains");
	assert_int_equal(hits(a, "quagga"), 1);
	assert_ok(ask(b, editor, "POST " BASE "/%s/unpublish", id));
	assert_int_equal(hits(a, "quagga"), 0);
	assert_int_equal(problems(a) + problems(b), 0);
	harness_close(b, false);
}

static void
settings_of_one_are_settings_of_all(void **state)
{
	struct harness *a = *state, *b = join(a);
	struct outcome *o;
	char id[27];

	post(a, id, "Zebra", "x");
	enable(a, "posts", "'tokenize':'unicode61','weights':{'title':3}");
	work_all(b);
	harness_ok(o, ask(b, admin, "GET /search/stats"));
	assert_string_equal(harness_text(o->data, "collections.posts.tokenize"), "unicode61");
	assert_int_equal(harness_int(o->data, "collections.posts.weights.title"), 3);
	assert_ok(say(a, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	work_all(b);
	assert_int_equal(problems(b), 0);
	assert_int_equal(hits(b, "zebra"), 1);
	assert_ok(say(a, admin, "POST /search/enable", "{'collection':'posts','enabled':false}"));
	assert_int_equal(hits(b, "zebra"), 0);
	work_all(b);
	assert_string_equal(index_ask(b, "SELECT count(*) FROM search_doc"), "0");
	harness_close(b, false);
}

static void
who_was_away_for_long_compares_all_items(void **state)
{
	struct harness *a = *state, *b = join(a);
	char id[27], gone[27];

	post(a, gone, "Zebra", "x");
	work_all(b);
	assert_int_equal(hits(b, "zebra"), 1);
	assert_ok(ask(a, editor, "DELETE " BASE "/%s", gone));
	post(a, id, "Okapi", "x");
	harness_clock(a, "2026-06-01T14:00:00.000Z");
	while (inside_work(a, "search"))
		continue;
	assert_string_equal(inside_ask(a, "SELECT count(*) FROM search_change"), "1");
	assert_int_equal(hits(b, "zebra"), 0);
	assert_true(inside_work(b, "search"));
	work_all(b);
	assert_false(is_updating(b));
	assert_int_equal(hits(b, "okapi"), 1);
	assert_int_equal(problems(b), 0);
	harness_close(b, false);
}

/* A cursor of a search with few matches goes on at any daemon. One that has to know where the
 * matches stand in the index belongs to that. */
static void
cursors_that_belong_to_an_index_are_refused_by_others(void **state)
{
	struct harness *a = *state, *b;
	struct outcome *o;
	char id[27], next[2100];

	post(a, id, "Zebra", "x");
	post(a, id, "Zebra", "y");
	harness_ok(o, look(a, nobody, "zebra", "&limit=1"));
	(void)snprintf(
	    next, sizeof(next), "&limit=1&cursor=%s", harness_text(o->data, "nextCursor"));
	b = join(a);
	work_all(b);
	harness_ok(o, look(b, nobody, "zebra", next));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	many(a, 900);
	assert_ok(say(a, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	work_all(a);
	work_all(b);
	harness_ok(o, look(a, nobody, "zebra", "&limit=1"));
	(void)snprintf(
	    next, sizeof(next), "&limit=1&cursor=%s", harness_text(o->data, "nextCursor"));
	harness_ok(o, look(a, nobody, "zebra", next));
	o = look(b, nobody, "zebra", next);
	assert_code(o, "INVALID_CURSOR");
	assert_int_equal(o->http, 400);
	assert_non_null(strstr(o->text, "the index of another daemon"));
	harness_close(b, false);
}

/* ---- an index that is behind ---- */

struct meanwhile {
	struct harness *h;
	char shown[27];
};

/* Nobody can write the index meanwhile. */
static enum stet_status
search_behind(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct meanwhile *m = arg;
	struct outcome *o;
	char id[27];

	(void)call;
	(void)tx;
	assert_ok(ask(m->h, editor, "POST " BASE "/%s/unpublish", m->shown));
	post(m->h, id, "Zebra two", "x");
	assert_int_equal(hits(m->h, "zebra"), 0);
	harness_ok(o, ask(m->h, nobody, "GET /search/suggest?q=zebra"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 0);
	o = ask(m->h, nobody, "GET " BASE "?%s", filters("{'title':{'contains':'zebra'}}"));
	assert_code(o, "UNAVAILABLE");
	return STET_OK;
}

static void
what_is_withdrawn_is_not_shown_although_the_index_has_it(void **state)
{
	struct meanwhile m = { .h = *state };
	struct stet_call *call;

	post(m.h, m.shown, "Zebra", "x");
	assert_int_equal(hits(m.h, "zebra"), 1);
	call = inside_call(m.h, "search");
	assert_int_equal(stet_derived_write(call, -1, search_behind, &m), STET_OK);
	rows_end_call(call);
	call_free(call);
	assert_int_equal(hits(m.h, "zebra"), 1);
}

/* A search in a transaction holds up all who write, so it does not apply more than a few changes
 * first. */
static void
a_search_that_writes_does_not_catch_up_for_long(void **state)
{
	static const char batch[] =
	    "{'atomic':true,'calls':[{'op':'content_add','arguments':{'collection':'posts',"
	    "'status':'published','data':{'title':'Zebra'}}},"
	    "{'op':'search','arguments':{'query':'zebra'}}]}";
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	post(h, id, "Zebra", "x");
	work_all(h);
	harness_ok(o, say(h, admin, "POST /batch", "%s", batch));
	for (int i = 0; i < 11; i++)
		inside_sql(h,
		    "INSERT INTO search_change (n, at, kind, collection, entry) SELECT n + (SELECT"
		    " MAX(n) FROM search_change), at, 'item', 'posts', ?1 FROM search_change",
		    id);
	o = say(h, admin, "POST /batch", "%s", batch);
	assert_code(o, "UNAVAILABLE");
	assert_non_null(strstr(o->text, "being brought up to date"));
	/* One that reads answers with what there is. */
	assert_int_equal(hits(h, "zebra"), 2);
	work_all(h);
	harness_ok(o, say(h, admin, "POST /batch", "%s", batch));
}

/* ---- the file ---- */

static const char *
file(const struct harness *h)
{
	static char path[200];

	(void)snprintf(path, sizeof(path), "%s/index.db", harness_data(h));
	return path;
}

/* Overwrites the file from this offset on. */
static void
spoil(const char *path, off_t from)
{
	static char noise[65536];
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	memset(noise, 'x', sizeof(noise));
	assert_int_equal(pwrite(fd, noise, sizeof(noise), from), sizeof(noise));
	close(fd);
}

/* The same while nobody has it open. */
static void
spoil_closed(void **state, const char *data)
{
	char path[200];

	(void)snprintf(path, sizeof(path), "%s", file(*state));
	harness_close(*state, true);
	spoil(path, 0);
	*state = harness_open(&(struct harness_options){ .data = data });
}

static void
found_after_work(struct harness *h, int zebras)
{
	work_all(h);
	assert_int_equal(hits(h, "zebra"), zebras);
	assert_int_equal(problems(h), 0);
}

static void
a_file_that_is_lost_is_made_again(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Zebra", "x");
	assert_int_equal(hits(h, "zebra"), 1);
	assert_int_equal(unlink(file(h)), 0);
	post(h, id, "Zebra", "y");
	assert_ok(look(h, nobody, "zebra", ""));
	found_after_work(h, 2);
	assert_int_equal(access(file(h), F_OK), 0);
}

static void
a_file_that_is_damaged_is_made_again(void **state)
{
	struct harness *h = *state;
	char id[27], data[100];

	post(h, id, "Zebra", "x");
	found_after_work(h, 1);
	(void)snprintf(data, sizeof(data), "%s", harness_data(h));
	spoil_closed(state, data);
	h = *state;
	assert_ok(look(h, nobody, "zebra", ""));
	found_after_work(h, 1);
	/* While it is open. Who meets the damage may fail, and the next one does not. */
	*state = h = harness_again(h);
	assert_int_equal(hits(h, "zebra"), 1);
	spoil(file(h), 4096);
	for (int i = 0; i < 3; i++) {
		(void)look(h, nobody, "zebra", "");
		work_all(h);
		(void)harness_op(h, admin, "search_verify", "{}");
	}
	found_after_work(h, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(what_one_writes_the_other_finds_at_once),
		searched(settings_of_one_are_settings_of_all),
		searched(who_was_away_for_long_compares_all_items),
		searched(cursors_that_belong_to_an_index_are_refused_by_others),
		searched(what_is_withdrawn_is_not_shown_although_the_index_has_it),
		searched(a_search_that_writes_does_not_catch_up_for_long),
		searched(a_file_that_is_lost_is_made_again),
		searched(a_file_that_is_damaged_is_made_again),
	};

	if (!engine_is_postgresql()) {
		printf("1..0 # SKIP the index of a site on SQLite lies in its database\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
