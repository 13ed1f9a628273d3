/*
 * pgload.c - a daemon whose site is in PostgreSQL, while much is written and tables change: tables
 * that grow have statistics, clients see no error while collections and fields come and go, and
 * many that create items share statements.
 */
#include "pgsite.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BATCHES 50
#define EACH 100 /* items in a batch */
#define CLIENTS 8
#define ROUNDS 12

/* ---- statistics ---- */

static void
fill(const char *collection)
{
	size_t size = EACH * 160 + 64, len;
	char *body = malloc(size);

	assert_non_null(body);
	for (int b = 0; b < BATCHES; b++) {
		len = (size_t)snprintf(body, size, "{\"atomic\":true,\"calls\":[");
		for (int i = 0; i < EACH; i++)
			len += (size_t)snprintf(body + len, size - len,
			    "%s{\"op\":\"content_add\",\"arguments\":{\"collection\":\"%s\","
			    "\"status\":\"published\",\"data\":{\"title\":\"T%d\",\"word\":\"w%d\"}}}",
			    i > 0 ? "," : "", collection, b * EACH + i, (b * EACH + i) / 5);
		(void)snprintf(body + len, size - len, "]}");
		json_decref(remote_must(&pgsite.admin, 200, "POST", body, "/batch"));
	}
	free(body);
}

/* Without them, a table that has grown counts as empty until the server looks at it itself, which
 * it does once a minute, if at all. */
static void
a_table_that_grows_has_statistics(void **state)
{
	json_t *data;
	char *rows;
	int counted = 0;

	(void)state;
	json_decref(remote_must(&pgsite.admin, 201, "POST",
	    "{\"slug\":\"word\",\"label\":\"W\",\"type\":\"string\",\"indexed\":true}",
	    "/schema/collections/posts/fields"));
	pgsite_sql("ALTER SYSTEM SET autovacuum = off");
	pgsite_sql("SELECT FROM pg_reload_conf()");
	fill("posts");
	data = remote_must(&pgsite.admin, 200, "GET", NULL, "/content/posts?fieldFilters=%s",
	    "%7B%22word%22%3A%22w77%22%7D");
	assert_int_equal(json_array_size(json_object_get(data, "items")), 5);
	json_decref(data);
	/* The last ones are counted when the site has been idle. */
	for (int i = 0; i < 100 && counted < BATCHES * EACH * 7 / 10; i++) {
		(void)usleep(100000);
		rows = pgsite_ask(
		    "SELECT reltuples FROM pg_class WHERE oid = 'stet_main.c_posts'::regclass");
		counted = (int)strtol(rows, NULL, 10);
		free(rows);
	}
	printf("# the server knows of %d items\n", counted);
	assert_true(counted >= BATCHES * EACH * 7 / 10);
}

/* ---- tables that change ---- */

static atomic_bool over;
static atomic_int read_well, odd, slowest; /* slowest: milliseconds of a read */

static void *
reads(void *arg)
{
	static const char *const paths[] = { "/content/posts?limit=20",
		"/content/posts?orderBy=title", "/content/others", "/schema/collections" };
	struct remote r;

	(void)arg;
	remote_open(&r, pgsite.daemon, pgsite.token);
	for (size_t i = 0; !atomic_load(&over); i++) {
		long long began = pgsite_ms();
		struct answer a;

		remote_ask(
		    &r, &a, "GET", NULL, "%s", paths[i % (sizeof(paths) / sizeof(paths[0]))]);
		if (pgsite_ms() - began > atomic_load(&slowest))
			atomic_store(&slowest, (int)(pgsite_ms() - began));
		/* The collection "others" comes and goes. */
		if (a.status == 200)
			atomic_fetch_add(&read_well, 1);
		else if (a.status != 404) {
			printf("# %d: %s\n", a.status, a.body);
			atomic_fetch_add(&odd, 1);
		}
		answer_free(&a);
	}
	remote_close(&r);
	return NULL;
}

static void
change(int round)
{
	struct remote *r = &pgsite.admin;

	json_decref(remote_must(
	    r, 201, "POST", "{\"slug\":\"others\",\"label\":\"O\"}", "/schema/collections"));
	json_decref(remote_must(r, 201, "POST",
	    "{\"slug\":\"name\",\"label\":\"N\",\"type\":\"string\",\"indexed\":true}",
	    "/schema/collections/others/fields"));
	json_decref(remote_must(r, 201, "POST", "{\"data\":{\"name\":\"a\"}}", "/content/others"));
	json_decref(
	    remote_must(r, 201, "POST", "{\"slug\":\"more\",\"label\":\"M\",\"type\":\"string\"}",
		"/schema/collections/posts/fields"));
	json_decref(remote_must(
	    r, 200, "PUT", "{\"indexed\":true}", "/schema/collections/posts/fields/more"));
	json_decref(remote_must(r, 201, "POST",
	    round % 2 == 0 ? "{\"data\":{\"title\":\"a\",\"more\":\"b\"}}"
			   : "{\"data\":{\"title\":\"a\"}}",
	    "/content/posts"));
	json_decref(remote_must(r, 200, "DELETE", NULL, "/schema/collections/posts/fields/more"));
	json_decref(remote_must(r, 200, "DELETE", NULL, "/schema/collections/others?force=true"));
}

/* Reads a table for long, as a backup does. */
static void *
lingers(void *arg)
{
	(void)arg;
	pgsite_sql("SELECT pg_sleep(1.8) FROM (SELECT FROM stet_main.c_posts LIMIT 1) AS t");
	return NULL;
}

static void
tables_change_while_others_read(void **state)
{
	pthread_t client[CLIENTS], reader;

	(void)state;
	for (int i = 0; i < CLIENTS; i++)
		assert_int_equal(pthread_create(&client[i], NULL, reads, NULL), 0);
	for (int round = 0; round < ROUNDS; round++)
		change(round);
	atomic_store(&slowest, 0);
	assert_int_equal(pthread_create(&reader, NULL, lingers, NULL), 0);
	(void)usleep(300000);
	change(0);
	assert_int_equal(pthread_join(reader, NULL), 0);
	atomic_store(&over, true);
	for (int i = 0; i < CLIENTS; i++)
		assert_int_equal(pthread_join(client[i], NULL), 0);
	printf("# %d reads beside %d changes of tables\n", atomic_load(&read_well), ROUNDS * 7);
	printf("# the slowest beside a long reader: %d ms\n", atomic_load(&slowest));
	assert_int_equal(atomic_load(&odd), 0);
	/* A change waits for the reader a quarter of database-timeout at a time. */
	assert_true(atomic_load(&slowest) < 1400);
	assert_true(atomic_load(&read_well) > 0);
}

/* ---- many creates ---- */

#define SAME 30 /* items of each client */

static void *
creates(void *refused)
{
	struct remote r;

	remote_open(&r, pgsite.daemon, pgsite.token);
	for (int i = 0; i < SAME; i++) {
		struct answer a;

		remote_ask(&r, &a, "POST",
		    "{\"status\":\"published\",\"data\":{\"title\":\"Same\"}}", "/content/posts");
		if (a.status != 201) {
			printf("# %d: %s\n", a.status, a.body);
			atomic_fetch_add((atomic_int *)refused, 1);
		}
		answer_free(&a);
	}
	remote_close(&r);
	return NULL;
}

static void
is_true(const char *condition)
{
	char *sql = NULL, *said;

	assert_true(asprintf(&sql, "SET search_path = stet_main; SELECT %s", condition) > 0);
	said = pgsite_ask(sql);
	if (strcmp(said, "t") != 0)
		fail_msg("%s: %s", condition, said);
	free(said);
	free(sql);
}

/* Titles that are the same make batches run again, since their slugs were taken for free. */
static void
many_that_create_the_same_get_names_of_their_own(void **state)
{
	pthread_t client[2 * CLIENTS];
	atomic_int refused = 0;

	(void)state;
	for (int i = 0; i < 2 * CLIENTS; i++)
		assert_int_equal(pthread_create(&client[i], NULL, creates, &refused), 0);
	for (int i = 0; i < 2 * CLIENTS; i++)
		assert_int_equal(pthread_join(client[i], NULL), 0);
	assert_int_equal(atomic_load(&refused), 0);
	is_true("(SELECT count(DISTINCT slug) FROM c_posts WHERE f_title = 'Same') = 480");
	is_true("(SELECT sum(n) FROM item_count WHERE collection = 'posts' AND facet = '') ="
		" (SELECT count(*) FROM c_posts WHERE deleted_at IS NULL)");
	is_true("(SELECT max(number) - min(number) + 1 = count(*) FROM change_feed)");
	is_true("(SELECT max(seq) - min(seq) + 1 = count(*) FROM audit_log)");
	is_true("(SELECT count(*) FROM change_feed WHERE slug LIKE 'same%') = 480");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_that_grows_has_statistics),
		cmocka_unit_test(tables_change_while_others_read),
		cmocka_unit_test(many_that_create_the_same_get_names_of_their_own),
	};

	if (!pgsite_serve())
		return getenv("CI") != NULL;
	return cmocka_run_group_tests(tests, pgsite_watched, pgsite_stop);
}
