/*
 * pgbuilds.c - indexes of a large collection in PostgreSQL are made while others read and write it.
 * What is being made is told and not relied on, what is interrupted is made again, and a unique
 * field whose items share a value is told. PG_ROWS is the number of items.
 */
#include "pgsite.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROWS 101000 /* a few more than make a change wait */
#define FIELD "/schema/collections/posts/fields"
#define SLOWEST_MS 2500 /* of reads and writes meanwhile, on a busy machine */
#define MADE_MS 60000
#define NOTED_MS 1500 /* an index that is there is noted sooner */
/* Who has looked at the database before an index is made is waited for before it can be used. */
#define HOLDS                                                                                \
	"BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1; DO $$BEGIN PERFORM pg_sleep(120);" \
	" EXCEPTION WHEN query_canceled THEN NULL; END$$; COMMIT"
#define HOLDER \
	"FROM pg_stat_activity WHERE query LIKE 'BEGIN ISOLATION%' AND wait_event = 'PgSleep'"

static long rows;

/* ---- items ---- */

static void
fill(void)
{
	char sql[2048];

	json_decref(remote_must(&pgsite.admin, 201, "POST",
	    "{\"data\":{\"title\":\"a\",\"kind\":\"k\"}}", "/content/posts"));
	/* Without indexes, which come again, it takes a fifth of the time. */
	(void)snprintf(sql, sizeof(sql),
	    "DO $$DECLARE of record; again text := '';BEGIN FOR of IN SELECT indexname, indexdef"
	    " FROM pg_indexes WHERE tablename = 'c_posts' AND indexname LIKE 'i\\_%%' LOOP"
	    " EXECUTE 'DROP INDEX ' || of.indexname; again := again || of.indexdef || ';';"
	    "END LOOP;"
	    "INSERT INTO c_posts SELECT (jsonb_populate_record(p, jsonb_build_object("
	    "'id', '01J0000000' || lpad(n::text, 16, '0'), 'slug', 's' || n, 'status', 'published',"
	    "'translation_group', '01J0000000' || lpad(n::text, 16, '0'), 'f_title', 't' || n,"
	    "'f_kind', 'k' || n %% 1000))).* FROM c_posts AS p, generate_series(1, %ld) AS n;"
	    "EXECUTE again;"
	    "UPDATE site_state SET n = n + 1, mark = decode(md5('filled'), 'hex');END$$",
	    rows);
	pgsite_sql(sql);
	pgsite_sql("ANALYZE c_posts");
	remote_close(&pgsite.admin);
	remote_open(&pgsite.admin, pgsite.daemon, pgsite.token);
}

/* ---- what is asked ---- */

/* Returns the member indexState of a field, "" if it has none. Static buffer. */
static const char *
state_of(const char *field)
{
	static char state[32];
	json_t *data = remote_must(&pgsite.admin, 200, "GET", NULL, FIELD "/%s", field);
	const char *is =
	    json_string_value(json_object_get(json_object_get(data, "item"), "indexState"));

	(void)snprintf(state, sizeof(state), "%s", is != NULL ? is : "");
	json_decref(data);
	return state;
}

/* Returns how many milliseconds it takes. */
static int
until(const char *field, const char *state)
{
	long long began = pgsite_ms();

	while (strcmp(state_of(field), state) != 0) {
		if (pgsite_ms() - began > MADE_MS)
			fail_msg("%s is \"%s\"", field, state_of(field));
		(void)usleep(50000);
	}
	return (int)(pgsite_ms() - began);
}

/* Lists are filtered and sorted by the field: returns the status. */
static int
listed_by(const char *field, const char *text)
{
	struct answer a;
	int status;

	remote_ask(&pgsite.admin, &a, "GET", NULL,
	    "/content/posts?limit=3&fieldFilters=%%7B%%22%s%%22%%3A%%22k7%%22%%7D&orderBy=%s",
	    field, field);
	if (strstr(a.body, text) == NULL)
		fail_msg("no %s in %s", text, a.body);
	status = a.status;
	answer_free(&a);
	return status;
}

static void
expect_sql(const char *sql, const char *want)
{
	char *is = pgsite_ask(sql);

	assert_string_equal(is, want);
	free(is);
}

#define INVALID "SELECT count(*) FROM pg_index WHERE NOT indisvalid"

static void
until_sql(const char *sql, const char *want)
{
	long long began = pgsite_ms();
	char *is = pgsite_ask(sql);

	while (strcmp(is, want) != 0 && pgsite_ms() - began < MADE_MS) {
		free(is);
		(void)usleep(10000);
		is = pgsite_ask(sql);
	}
	assert_string_equal(is, want);
	free(is);
}

/* Waits until an index stands there that cannot be used yet. */
static void
until_one_is_begun(void)
{
	until_sql(INVALID, "1");
}

static void *
holds(void *arg)
{
	(void)arg;
	pgsite_sql(HOLDS);
	return NULL;
}

static pthread_t
hold(void)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, holds, NULL), 0);
	until_sql("SELECT count(*) " HOLDER, "1");
	return thread;
}

static void
let_go(pthread_t holder)
{
	pgsite_sql("SELECT pg_cancel_backend(pid) " HOLDER);
	assert_int_equal(pthread_join(holder, NULL), 0);
}

static void
add_field(const char *slug, const char *more)
{
	char body[256];

	(void)snprintf(body, sizeof(body),
	    "{\"slug\":\"%s\",\"label\":\"L\",\"type\":\"string\"%s}", slug, more);
	json_decref(remote_must(&pgsite.admin, 201, "POST", body, FIELD));
}

/* Returns how often the daemon has logged a text. */
static int
logged(const char *text)
{
	int n = 0;

	(void)daemon_reload(pgsite.daemon); /* reads the log so far */
	for (const char *at = pgsite.daemon->said; (at = strstr(at, text)) != NULL; at++)
		n++;
	return n;
}

/* ---- tests ---- */

static atomic_bool over;
static atomic_int slowest, odd, count;

static void *
reads(void *arg)
{
	struct remote r;

	(void)arg;
	remote_open(&r, pgsite.daemon, pgsite.token);
	while (!atomic_load(&over)) {
		long long began = pgsite_ms();
		struct answer a;
		int took;

		remote_ask(&r, &a, "GET", NULL, "/content/posts?limit=20");
		took = (int)(pgsite_ms() - began);
		if (took > atomic_load(&slowest))
			atomic_store(&slowest, took);
		atomic_fetch_add(&odd, a.status != 200);
		atomic_fetch_add(&count, 1);
		answer_free(&a);
	}
	remote_close(&r);
	return NULL;
}

static void
reads_and_writes_go_on(void **state)
{
	long long began;
	pthread_t reader;
	int took, made, written;
	json_t *data;

	(void)state;
	pgsite_writers_start();
	assert_int_equal(pthread_create(&reader, NULL, reads, NULL), 0);
	began = pgsite_ms();
	data = remote_must(&pgsite.admin, 200, "PUT", "{\"indexed\":true}", FIELD "/kind");
	took = (int)(pgsite_ms() - began);
	assert_string_equal(
	    json_string_value(json_object_get(json_object_get(data, "item"), "indexState")),
	    "building");
	json_decref(data);
	made = until("kind", "");
	atomic_store(&over, true);
	assert_int_equal(pthread_join(reader, NULL), 0);
	written = pgsite_writers_end();
	printf("# the change took %d ms, its indexes of %ld items %d ms; meanwhile %d writes, %d "
	       "reads, the slowest %d ms\n",
	    took, rows, made, written, atomic_load(&count), atomic_load(&slowest));
	assert_int_equal(atomic_load(&odd), 0);
	assert_true(written > 0 && took < SLOWEST_MS && atomic_load(&slowest) < SLOWEST_MS);
	for (int i = 0; i < PGSITE_WRITERS; i++) {
		assert_int_equal(pgsite_writers[i].refused, 0);
		assert_true(pgsite_writers[i].slowest < SLOWEST_MS);
	}
	assert_int_equal(listed_by("kind", "\"slug\":\"s"), 200);
	expect_sql(INVALID, "0");
	/* A copy of the site has them, too. */
	expect_sql(
	    "SELECT count(*) FROM site_ddl WHERE sql LIKE 'CREATE INDEX IF NOT EXISTS%kind%'", "3");
}

static void
what_is_made_is_not_relied_on(void **state)
{
	pthread_t holder = hold();

	(void)state;
	add_field("later", ",\"indexed\":true");
	until_one_is_begun();
	assert_string_equal(state_of("later"), "building");
	assert_int_equal(listed_by("later", "its index is being made"), 400);
	/* A change of the table comes before it. */
	add_field("between", "");
	let_go(holder);
	(void)until("later", "");
	assert_int_equal(listed_by("later", "\"items\":[]"), 200);
	expect_sql(INVALID, "0");
}

static void
what_a_killed_daemon_has_begun_is_made_again(void **state)
{
	pthread_t holder = hold();

	(void)state;
	add_field("killed", ",\"indexed\":true");
	until_one_is_begun();
	remote_close(&pgsite.admin);
	daemon_signal(pgsite.daemon, SIGKILL);
	(void)daemon_ended(pgsite.daemon);
	let_go(holder);
	daemon_run(pgsite.daemon, 0);
	remote_open(&pgsite.admin, pgsite.daemon, pgsite.token);
	printf("# made %d ms after the next start\n", until("killed", ""));
	assert_int_equal(listed_by("killed", "\"items\":[]"), 200);
	expect_sql(INVALID, "0");
	/* What is not wanted any more leaves nothing. */
	holder = hold();
	json_decref(remote_must(&pgsite.admin, 200, "PUT", "{\"indexed\":false}", FIELD "/killed"));
	json_decref(remote_must(&pgsite.admin, 200, "PUT", "{\"indexed\":true}", FIELD "/killed"));
	until_one_is_begun();
	json_decref(remote_must(&pgsite.admin, 200, "DELETE", NULL, FIELD "/killed"));
	let_go(holder);
	(void)until("kind", "");
	expect_sql(INVALID, "0");
}

/* What cannot be noted for a while is not made again. */
static void
an_index_that_could_not_be_noted_is_made_once(void **state)
{
	(void)state;
	pgsite_sql("CREATE FUNCTION never() RETURNS trigger LANGUAGE plpgsql AS"
		   " 'BEGIN RAISE EXCEPTION ''never''; END';"
		   "CREATE TRIGGER never BEFORE UPDATE ON field FOR EACH ROW"
		   " WHEN (NEW.building < OLD.building) EXECUTE FUNCTION never()");
	add_field("noted", ",\"unique\":true");
	until_sql("SELECT count(*) FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid"
		  " WHERE i.indisvalid AND c.relname LIKE '%\\_noted'",
	    "1");
	(void)usleep(NOTED_MS * 1000);
	assert_string_equal(state_of("noted"), "building");
	pgsite_sql("DROP TRIGGER never ON field; DROP FUNCTION never()");
	(void)until("noted", "");
	assert_int_equal(logged("_noted is being made"), logged("_noted was made"));
	expect_sql(INVALID, "0");
}

/* The definitions change just before the index is begun, and it is interrupted. */
static void
what_is_begun_too_late_goes(void **state)
{
	pthread_t holder = hold();

	(void)state;
	add_field("late", ",\"unique\":true");
	until_one_is_begun();
	pgsite_sql("UPDATE field SET is_unique = 0, building = 0 WHERE slug = 'late';"
		   "UPDATE schema_state SET version = version + 1;"
		   "UPDATE site_state SET n = n + 1, mark = decode(md5('late'), 'hex');"
		   "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
		   " WHERE application_name LIKE 'stetd index%'");
	let_go(holder);
	until_sql(INVALID, "0");
}

static void
an_order_of_several_keys_is_made_too(void **state)
{
	static const char query[] = "/content/posts?limit=3&orderBy=kind:asc,title:desc";
	pthread_t holder = hold();
	struct answer a;
	int status = 0;

	(void)state;
	json_decref(remote_must(&pgsite.admin, 200, "PUT",
	    "{\"indexes\":[\"kind:asc,title:desc\"]}", "/schema/collections/posts"));
	remote_ask(&pgsite.admin, &a, "GET", NULL, query);
	assert_int_equal(a.status, 400);
	assert_non_null(strstr(a.body, "its index is being made"));
	answer_free(&a);
	let_go(holder);
	for (int i = 0; i < MADE_MS / 50 && status != 200; i++) {
		(void)usleep(50000);
		remote_ask(&pgsite.admin, &a, "GET", NULL, query);
		status = a.status;
		answer_free(&a);
	}
	assert_int_equal(status, 200);
}

static void
start_again(void)
{
	remote_close(&pgsite.admin);
	daemon_signal(pgsite.daemon, SIGTERM);
	assert_int_equal(daemon_ended(pgsite.daemon), 0);
	daemon_run(pgsite.daemon, 0);
	remote_open(&pgsite.admin, pgsite.daemon, pgsite.token);
}

/* What the definitions promise, as rows that were written meanwhile would make it. */
static void
values_that_items_share_are_told(void **state)
{
	struct answer a;

	(void)state;
	/* All would have the same. */
	remote_ask(&pgsite.admin, &a, "POST",
	    "{\"slug\":\"same\",\"label\":\"L\",\"type\":\"integer\",\"required\":true,"
	    "\"unique\":true}",
	    FIELD);
	assert_int_equal(a.status, 409);
	answer_free(&a);
	add_field("serial", "");
	pgsite_sql("UPDATE c_posts SET f_serial = 'x' WHERE slug IN ('s1', 's2');"
		   "UPDATE field SET is_unique = 1, building = 2 WHERE slug = 'serial';"
		   "UPDATE schema_state SET version = version + 1;"
		   "UPDATE site_state SET n = n + 1, mark = decode(md5('shared'), 'hex')");
	(void)until("serial", "conflict");
	assert_int_equal(logged("field serial of collection posts is not unique"), 1);
	start_again();
	(void)usleep(NOTED_MS * 1000);
	/* It is not tried as long as they share it. */
	assert_int_equal(logged("_serial is being made"), 0);
	pgsite_sql("UPDATE c_posts SET f_serial = 'y' WHERE slug = 's1'");
	start_again();
	(void)until("serial", "");
	remote_ask(&pgsite.admin, &a, "PUT",
	    "{\"data\":{\"serial\":\"y\"},\"status\":\"published\"}", "/content/posts/s2");
	assert_int_equal(a.status, 409);
	answer_free(&a);
	expect_sql(INVALID, "0");
}

static int
start(void **state)
{
	const char *many = getenv("PG_ROWS");

	(void)pgsite_watched(state);
	rows = many != NULL ? strtol(many, NULL, 10) : ROWS;
	add_field("kind", "");
	fill();
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_and_writes_go_on),
		cmocka_unit_test(what_is_made_is_not_relied_on),
		cmocka_unit_test(what_a_killed_daemon_has_begun_is_made_again),
		cmocka_unit_test(an_index_that_could_not_be_noted_is_made_once),
		cmocka_unit_test(what_is_begun_too_late_goes),
		cmocka_unit_test(an_order_of_several_keys_is_made_too),
		cmocka_unit_test(values_that_items_share_are_told),
	};

	if (!pgsite_serve())
		return getenv("CI") != NULL;
	return cmocka_run_group_tests(tests, start, pgsite_stop);
}
