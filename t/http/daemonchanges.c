/*
 * daemonchanges.c - what is changed through one daemon of a site holds on the others with the next
 * request, and disturbs nobody who reads there: fields and collections come and go under load, and
 * two requests with one Idempotency-Key are one; a tab that is closed is gone. Daemons that start
 * together on an empty database make one site; FIRST_STARTS is how often they do.
 */
#include "daemons.h"
#include "fetch.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DAEMONS 3
#define READERS 6
#define ROUNDS 12
#define TWINS 20
#define STARTS 2

static struct daemons ds;
static atomic_bool over;
static char item[32];

/* ---- who has an item open ---- */

/* Returns how many tabs the daemon knows of, after this request about one. */
static int
tabs(int daemon, const char *method, const char *body, const char *query)
{
	json_t *data = remote_must(
	    &ds.admin[daemon], 200, method, body, "/content/notes/%s/presence%s", item, query);
	int count = (int)json_integer_value(
	    json_object_get(json_array_get(json_object_get(data, "people"), 0), "tabs"));

	json_decref(data);
	return count;
}

/* It may be closed on another daemon than the one that has heard of it. */
static void
a_tab_that_is_closed_is_gone_everywhere(void **state)
{
	json_t *made = remote_must(
	    &ds.admin[0], 201, "POST", "{\"data\":{\"title\":\"P\"}}", "/content/notes");
	int count = 0;

	(void)state;
	(void)snprintf(item, sizeof(item), "%s",
	    json_string_value(json_object_get(json_object_get(made, "item"), "id")));
	json_decref(made);
	assert_int_equal(tabs(0, "POST", "{\"tab\":\"tab-a\"}", ""), 1);
	for (int ms = 0; ms < 10000 && count != 2; ms += 100) {
		(void)usleep(100000);
		count = tabs(1, "POST", "{\"tab\":\"tab-b\"}", "");
	}
	assert_int_equal(count, 2);
	assert_int_equal(tabs(1, "DELETE", NULL, "?tab=tab-a"), 1);
	for (int ms = 0; ms < 8000 && count != 1; ms += 100) {
		(void)usleep(100000);
		count = tabs(0, "POST", "{\"tab\":\"tab-b\"}", "");
	}
	assert_int_equal(count, 1);
	assert_int_equal(tabs(1, "DELETE", NULL, "?tab=tab-c"), 1);
}

/* ---- readers ---- */

static struct reader {
	int number, count, odd;
} readers[READERS];

static void *
reads(void *arg)
{
	static const char *const path[] = { "/content/notes?limit=20", NULL,
		"/schema/collections/notes", "/content/passing?limit=5" };
	struct reader *r = arg;
	struct fetcher *f = fetch_new(ds.token);

	for (int i = r->number; !atomic_load(&over); i++) {
		char at[96];
		int kind = i % 4, status;

		(void)snprintf(at, sizeof(at), kind == 1 ? "/content/notes/%s" : "%s",
		    kind == 1 ? item : path[kind]);
		status = fetch(f, ds.at[1 + r->number % (DAEMONS - 1)], "GET", at, NULL, NULL);
		r->count++;
		/* The last is there at times only. */
		r->odd += status != 200 && (kind != 3 || status != 404);
	}
	fetch_free(f);
	return NULL;
}

/* ---- changes ---- */

/* Asks each of the others at once, and expects this status. */
static void
is_on_all(int status, const char *path)
{
	for (int i = 1; i < DAEMONS; i++) {
		struct answer a;

		remote_ask(&ds.admin[i], &a, "GET", NULL, "%s", path);
		assert_int_equal(a.status, status);
		answer_free(&a);
	}
}

/* A field of the items comes, is used, and goes again. */
static void
change_fields(int round)
{
	char body[160], slug[32];

	(void)snprintf(slug, sizeof(slug), "extra_%d", round);
	(void)snprintf(body, sizeof(body),
	    "{\"slug\":\"%s\",\"label\":\"Extra\",\"type\":\"string\",\"indexed\":true}", slug);
	json_decref(
	    remote_must(&ds.admin[0], 201, "POST", body, "/schema/collections/notes/fields"));
	(void)snprintf(body, sizeof(body), "{\"data\":{\"%s\":\"used\"}}", slug);
	for (int i = 0; i < DAEMONS; i++)
		json_decref(remote_must(&ds.admin[i], 200, "PUT", body, "/content/notes/%s", item));
	json_decref(remote_must(
	    &ds.admin[0], 200, "DELETE", NULL, "/schema/collections/notes/fields/%s", slug));
	for (int i = 1; i < DAEMONS; i++) {
		json_t *data =
		    remote_must(&ds.admin[i], 200, "GET", NULL, "/content/notes/%s", item);

		assert_null(
		    json_object_get(json_object_get(json_object_get(data, "item"), "data"), slug));
		json_decref(data);
	}
}

static void
change_collections(void)
{
	json_decref(remote_must(&ds.admin[0], 201, "POST",
	    "{\"slug\":\"passing\",\"label\":\"Passing\"}", "/schema/collections"));
	is_on_all(200, "/content/passing");
	json_decref(remote_must(&ds.admin[0], 200, "DELETE", NULL, "/schema/collections/passing"));
	is_on_all(404, "/content/passing");
}

static void
schema_changes_hold_everywhere_and_disturb_nobody(void **state)
{
	pthread_t reading[READERS];
	int count = 0;
	json_t *made;

	(void)state;
	for (int i = 0; i < 30; i++) {
		made = remote_must(&ds.admin[0], 201, "POST",
		    "{\"data\":{\"title\":\"one of thirty\"}}", "/content/notes");
		(void)snprintf(item, sizeof(item), "%s",
		    json_string_value(json_object_get(json_object_get(made, "item"), "id")));
		json_decref(made);
	}
	for (int i = 0; i < READERS; i++) {
		readers[i].number = i;
		assert_int_equal(pthread_create(&reading[i], NULL, reads, &readers[i]), 0);
	}
	for (int round = 0; round < ROUNDS; round++) {
		change_fields(round);
		change_collections();
	}
	atomic_store(&over, true);
	for (int i = 0; i < READERS; i++) {
		assert_int_equal(pthread_join(reading[i], NULL), 0);
		assert_int_equal(readers[i].odd, 0);
		count += readers[i].count;
	}
	printf("# %d changes of the schema among %d reads\n", 4 * ROUNDS, count);
	assert_true(count > 0);
}

/* ---- the same request twice ---- */

static struct twin {
	int daemon, round, status;
	char id[32];
} twins[2];

static void *
creates(void *arg)
{
	struct twin *t = arg;
	struct fetcher *f = fetch_new(ds.token);
	char key[64];
	json_t *json;

	(void)snprintf(key, sizeof(key), "Idempotency-Key: twin-%d", t->round);
	fetch_with(f, key);
	t->status = fetch(f, ds.at[t->daemon], "POST", "/content/twins",
	    "{\"data\":{\"title\":\"once\"}}", &json);
	(void)snprintf(t->id, sizeof(t->id), "%s",
	    t->status == 201 ? json_string_value(json_object_get(fetch_item(json), "id")) : "");
	json_decref(json);
	fetch_free(f);
	return NULL;
}

static void
one_key_on_two_daemons_is_one_request(void **state)
{
	char *said;

	(void)state;
	daemons_collection(&ds, "twins");
	for (int round = 0; round < TWINS; round++) {
		pthread_t thread[2];

		for (int i = 0; i < 2; i++) {
			twins[i] = (struct twin){ .daemon = i, .round = round };
			assert_int_equal(pthread_create(&thread[i], NULL, creates, &twins[i]), 0);
		}
		for (int i = 0; i < 2; i++)
			assert_int_equal(pthread_join(thread[i], NULL), 0);
		assert_int_equal(twins[0].status, 201);
		assert_int_equal(twins[1].status, 201);
		assert_string_equal(twins[0].id, twins[1].id);
	}
	said = daemons_sql(&ds, "SELECT count(*) FROM c_twins");
	assert_int_equal(strtol(said, NULL, 10), TWINS);
	free(said);
}

/* ---- an empty database ---- */

/* Starts all at once, and waits until each answers. */
static void
start_together(void)
{
	size_t at[DAEMONS];

	for (int i = 0; i < DAEMONS; i++) {
		at[i] = ds.at[i]->said_len;
		daemon_begin(ds.at[i], 0);
	}
	for (int i = 0; i < DAEMONS; i++) {
		size_t port = daemon_said(ds.at[i], at[i], "listening on http://127.0.0.1:");

		(void)daemon_said(ds.at[i], port, "\n");
		ds.at[i]->port = (int)strtol(ds.at[i]->said + port, NULL, 10);
		remote_open(&ds.admin[i], ds.at[i], NULL);
	}
}

static void
daemons_that_start_together_make_one_site(void **state)
{
	const char *many = getenv("FIRST_STARTS");
	int n = many != NULL ? (int)strtol(many, NULL, 10) : STARTS;
	char *journal = daemons_sql(&ds, "SELECT count(*) FROM migration");

	(void)state;
	for (int round = 0; round < n; round++) {
		struct answer a;
		char *said;

		for (int i = 0; i < DAEMONS; i++)
			daemons_end(&ds, i);
		free(daemons_sql(&ds, "DROP SCHEMA stet_main CASCADE"));
		start_together();
		/* Nobody may: there is a site, and no user. */
		for (int i = 0; i < DAEMONS; i++) {
			remote_ask(&ds.admin[i], &a, "GET", NULL, "/schema/collections");
			assert_int_equal(a.status, 401);
			answer_free(&a);
		}
		said = daemons_sql(&ds, "SELECT count(*) FROM migration");
		assert_string_equal(said, journal);
		free(said);
		said = daemons_sql(
		    &ds, "SELECT count(*) = count(DISTINCT (module, version)) FROM migration");
		assert_string_equal(said, "t");
		free(said);
		said = daemons_sql(&ds, "SELECT count(*) FROM site_key");
		assert_string_equal(said, "1");
		free(said);
	}
	free(journal);
	printf("# %d daemons started on an empty database %d times\n", DAEMONS, n);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tab_that_is_closed_is_gone_everywhere),
		cmocka_unit_test(schema_changes_hold_everywhere_and_disturb_nobody),
		cmocka_unit_test(one_key_on_two_daemons_is_one_request),
		cmocka_unit_test(daemons_that_start_together_make_one_site),
	};
	int status;

	if (!daemons_start(&ds, DAEMONS, NULL, NULL, &status))
		return status;
	daemons_collection(&ds, "notes");
	status = cmocka_run_group_tests(tests, NULL, NULL);
	daemons_stop(&ds);
	return status;
}
