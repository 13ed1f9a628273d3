/*
 * overseen.c - what administrators see of two daemons and of their database: GET /admin/daemons,
 * stet database status, stet doctor, metrics.
 */
#include "daemons.h"
#include "watcher.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNTED_MS 15000 /* both have said by then that they live */

static struct daemons ds;

static json_t *
listed(int i)
{
	json_t *data = remote_must(&ds.admin[i], 200, "GET", NULL, "/admin/daemons");
	json_t *items = json_incref(json_object_get(data, "items"));

	json_decref(data);
	return items;
}

/* Waits until a daemon lists so many. */
static json_t *
until_listed(int i, size_t many)
{
	long long until = daemons_ms() + COUNTED_MS;
	json_t *items = listed(i);

	while (json_array_size(items) != many) {
		assert_true(daemons_ms() < until);
		json_decref(items);
		(void)usleep(100000);
		items = listed(i);
	}
	return items;
}

static const char *
text(const json_t *o, const char *name)
{
	const char *value = json_string_value(json_object_get(o, name));

	return value != NULL ? value : "";
}

static void
each_lists_both(void **state)
{
	char self[2][64];

	(void)state;
	for (int i = 0; i < 2; i++) {
		json_t *items = until_listed(i, 2), *o;
		size_t k;

		self[i][0] = '\0';
		json_array_foreach(items, k, o)
		{
			assert_string_not_equal(text(o, "name"), "");
			assert_string_not_equal(text(o, "version"), "");
			assert_true(strcmp(text(o, "startedAt"), text(o, "seenAt")) <= 0);
			assert_true(json_is_array(json_object_get(o, "leases")));
			if (!json_is_true(json_object_get(o, "isSelf")))
				continue;
			(void)snprintf(self[i], sizeof(self[i]), "%s", text(o, "id"));
			assert_true(json_is_integer(json_object_get(o, "clockOffsetMs")));
		}
		assert_string_not_equal(self[i], "");
		json_decref(items);
	}
	assert_string_not_equal(self[0], self[1]);
}

static void
a_command_tells_of_the_database(void **state)
{
	char *said = COMMAND(ds.at[0], "--json", "database", "status");
	json_t *o = json_loads(said, 0, NULL), *connections = json_object_get(o, "connections");

	(void)state;
	assert_string_equal(text(o, "engine"), "PostgreSQL");
	assert_string_equal(text(o, "schema"), "stet_main");
	assert_int_equal(strncmp(text(o, "place"), "postgresql:///", 14), 0);
	assert_null(strstr(text(o, "place"), "stet_"));
	assert_true(strtol(text(o, "version"), NULL, 10) >= 13);
	assert_true(json_integer_value(json_object_get(o, "bytes")) > 100000);
	assert_true(json_integer_value(json_object_get(o, "state")) > 0);
	assert_true(json_integer_value(json_object_get(o, "maxConnections")) == 200);
	assert_true(json_integer_value(json_object_get(connections, "idle")) > 0);
	assert_int_equal(json_array_size(json_object_get(o, "daemons")), 2);
	for (size_t i = 0; i < 2; i++)
		assert_true(json_is_integer(
		    json_object_get(json_array_get(json_object_get(o, "daemons"), i), "indexLag")));
	json_decref(o);
	free(said);
	said = COMMAND(ds.at[0], "database", "status");
	assert_non_null(strstr(said, "PostgreSQL"));
	free(said);
}

/* Returns the finding of the doctor with this check and grade; "" if there is none. */
static char *
doctor(const char *check, const char *grade)
{
	struct command c;
	json_t *o, *f;
	size_t i;
	char *found = NULL;

	command_run(ds.at[0], &c, (const char *const[]){ "--json", "doctor", NULL });
	o = json_loads(c.out, 0, NULL);
	assert_non_null(o);
	json_array_foreach(json_object_get(o, "findings"), i,
	    f) if (found == NULL && strcmp(text(f, "check"), check) == 0 &&
		   strcmp(text(f, "grade"), grade) == 0) found = strdup(text(f, "text"));
	if (found == NULL)
		printf("# %s\n", c.out);
	json_decref(o);
	command_free(&c);
	return found != NULL ? found : strdup("");
}

static void
finds(const char *check, const char *grade, const char *want)
{
	char *said = doctor(check, grade);

	if (strstr(said, want) == NULL)
		printf("# %s\n", said);
	assert_non_null(strstr(said, want));
	free(said);
}

static void
the_doctor_judges_the_server(void **state)
{
	(void)state;
	finds("durability", "error", "fsync is off"); /* so is that of the test's server */
	finds("clock-offset", "ok", " ms");
	finds("connections", "ok", "the server takes 200");
	free(daemons_sql(&ds, "CREATE UNLOGGED TABLE stray (id integer)"));
	finds("unlogged", "error", "stray");
	free(daemons_sql(&ds, "DROP TABLE stray"));
	free(daemons_sql(&ds, "ALTER DATABASE postgres SET synchronous_commit = off"));
	finds("durability", "warning", "synchronous_commit is off");
	free(daemons_sql(&ds, "ALTER DATABASE postgres RESET synchronous_commit"));
	daemon_clock(ds.at[0], 1800000000000LL);
	assert_int_equal(setenv("STET_CLOCK", daemon_path(ds.at[0], "clock"), 1), 0);
	finds("clock-offset", "warning", "of the database");
	assert_int_equal(unsetenv("STET_CLOCK"), 0);
}

static void *
hold_snapshot(void *arg)
{
	(void)arg;
	free(daemons_sql(&ds,
	    "SET application_name = 'a-report'; BEGIN ISOLATION LEVEL REPEATABLE READ;"
	    " SELECT n FROM site_state; DO $$BEGIN PERFORM pg_sleep(600);"
	    " EXCEPTION WHEN query_canceled THEN NULL; END$$; COMMIT"));
	return NULL;
}

static void
until_row(const char *sql, const char *want)
{
	long long until = daemons_ms() + COUNTED_MS;

	for (;;) {
		char *said = daemons_sql(&ds, sql);
		bool equal = strcmp(said, want) == 0;

		if (!equal && daemons_ms() > until)
			fail_msg("%s: %s", sql, said);
		free(said);
		if (equal)
			return;
		(void)usleep(50000);
	}
}

#define REPORT " FROM pg_stat_activity WHERE application_name = 'a-report'"

/* While a snapshot is open, all versions of the row that each write changes are kept. The doctor
 * names who has it. Afterwards the daemon that writes makes the table small again. */
static void
a_long_snapshot_is_named_and_its_versions_go(void **state)
{
	pthread_t thread;

	(void)state;
	remote_close(&ds.admin[0]); /* it may have been idle for too long by now */
	remote_open(&ds.admin[0], ds.at[0], ds.token);
	daemons_collection(&ds, "reports");
	finds("snapshots", "ok", "old versions");
	assert_int_equal(pthread_create(&thread, NULL, hold_snapshot, NULL), 0);
	until_row("SELECT count(*)" REPORT " AND wait_event = 'PgSleep'", "1");
	free(daemons_sql(&ds, "DO $$BEGIN FOR i IN 1..2000 LOOP UPDATE site_state SET n = n + 1;"
			      " COMMIT; END LOOP; END$$"));
	finds("snapshots", "warning", "of a-report");
	free(daemons_sql(&ds, "SELECT pg_cancel_backend(pid)" REPORT));
	assert_int_equal(pthread_join(thread, NULL), 0);
	for (int ms = 0; ms < COUNTED_MS; ms += 100) {
		char *small = daemons_sql(&ds, "SELECT pg_relation_size('site_state') < 100000");
		bool done = *small == 't';

		free(small);
		if (done)
			break;
		for (int i = 0; i < 20; i++)
			json_decref(remote_must(&ds.admin[0], 201, "POST",
			    "{\"data\":{\"title\":\"x\"}}", "/content/reports"));
		(void)usleep(100000);
	}
	finds("snapshots", "ok", "old versions");
}

static void
metrics_count_the_way_to_the_database(void **state)
{
	static const char *const names[] = { "database_up", "daemons", "database_connections",
		"database_round_trips_total", "database_states_total",
		"database_state_seconds_total", "database_commits_total",
		"database_commit_seconds_total", "database_locks_total" };
	static const char *const zero[] = { "leases_held", "database_connections_reading",
		"database_connections_writing", "database_reconnects_total",
		"database_stale_retries_total", "database_lock_wait_seconds_total" };
	char sample[128];
	double before;

	(void)state;
	daemons_collection(&ds, "notes");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(sample, sizeof(sample), "stet_%s{site=\"main\"}", names[i]);
		if (watcher_sample(ds.at[0], sample) <= 0)
			printf("# %s\n", sample);
		assert_true(watcher_sample(ds.at[0], sample) > 0);
	}
	for (size_t i = 0; i < sizeof(zero) / sizeof(zero[0]); i++) {
		(void)snprintf(sample, sizeof(sample), "stet_%s{site=\"main\"}", zero[i]);
		assert_true(watcher_sample(ds.at[0], sample) >= 0);
	}
	/* Each counts the others every two seconds. */
	for (int ms = 0; ms < 10000 && watcher_sample(ds.at[0], "stet_daemons{site=\"main\"}") != 2;
	     ms += 100)
		(void)usleep(100000);
	assert_true(watcher_sample(ds.at[0], "stet_daemons{site=\"main\"}") == 2);
	before = watcher_sample(ds.at[0], "stet_database_reconnects_total{site=\"main\"}");
	free(daemons_sql(&ds, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
			      " WHERE application_name = 'stetd'"));
	for (int i = 0; i < 50; i++) {
		struct answer a;

		remote_ask(
		    &ds.admin[0], &a, "POST", "{\"data\":{\"title\":\"x\"}}", "/content/notes");
		answer_free(&a);
	}
	assert_true(
	    watcher_sample(ds.at[0], "stet_database_reconnects_total{site=\"main\"}") > before);
}

/* ---- compiling ---- */

static void *
hold_modules(void *arg)
{
	(void)arg;
	free(daemons_sql(&ds,
	    "BEGIN; LOCK TABLE module_state IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(7); COMMIT"));
	return NULL;
}

/* To compile the site for what another daemon has changed takes long: here, since the modules
 * cannot be read. Meanwhile each daemon goes on to say that it lives. */
static void
daemons_live_while_the_site_is_compiled(void **state)
{
	pthread_t thread;

	(void)state;
	json_decref(until_listed(0, 2));
	assert_int_equal(pthread_create(&thread, NULL, hold_modules, NULL), 0);
	(void)usleep(500000);
	free(daemons_sql(
	    &ds, "UPDATE site_state SET n = n + 1, generation = generation + 1; NOTIFY stet_main"));
	for (int i = 0; i < 10; i++) {
		char *quiet;

		(void)usleep(500000);
		quiet = daemons_sql(&ds,
		    "SELECT max(extract(epoch FROM clock_timestamp()) * 1000 - seen) > 5000"
		    " FROM site_node");
		assert_string_equal(quiet, "f");
		free(quiet);
	}
	assert_int_equal(pthread_join(thread, NULL), 0);
	json_decref(until_listed(0, 2));
}

/* ---- a module that one daemon lacks ---- */

/* Waits until the lists of both daemons say of b that it lacks this; "": nothing. */
static void
until_lacks(const char *module)
{
	long long until = daemons_ms() + COUNTED_MS;

	for (int good = 0; good < 2;) {
		json_t *items = listed(good), *o, *lacks = NULL;
		size_t k;

		json_array_foreach(items, k, o) if (strcmp(text(o, "name"), "b") == 0) lacks =
		    json_object_get(o, "lacks");
		if (strcmp(module, json_array_size(lacks) > 0
				       ? json_string_value(json_array_get(lacks, 0))
				       : "") == 0)
			good++;
		else
			assert_true(daemons_ms() < until);
		json_decref(items);
		(void)usleep(50000);
	}
}

static void
asks(const char *sql, const char *want)
{
	char *said = daemons_sql(&ds, sql);

	assert_string_equal(said, want);
	free(said);
}

#define PLUGIN "plugin-sdk/examples/word-count/.libs/word-count.so", "word-count.so", 0644
#define STATE "SELECT off, absences - made_up FROM module_state WHERE module = 'word-count'"

/* It changes nothing for the site; when the daemon has it, the module learns that it has missed
 * something. */
static void
what_one_daemon_lacks_the_others_use(void **state)
{
	(void)state;
	finds("daemons", "ok", "all have the modules");
	remote_plugin(ds.at[0], PLUGIN);
	(void)daemon_reload(ds.at[0]);
	json_decref(
	    remote_must(&ds.admin[0], 200, "POST", NULL, "/admin/plugins/word-count/enable"));
	until_lacks("word-count");
	(void)daemon_said(ds.at[1], 0, "this daemon lacks the module word-count");
	finds("daemons", "warning", "the daemon b lacks the module word-count");
	asks(STATE, "0|0");
	daemons_end(&ds, 1);
	daemons_run(&ds, 1);
	json_decref(
	    remote_must(&ds.admin[0], 200, "GET", NULL, "/plugins/word-count/count?text=x"));
	asks(STATE, "0|0");
	remote_plugin(ds.at[1], PLUGIN);
	(void)daemon_reload(ds.at[1]);
	until_lacks("");
	asks(STATE, "0|1");
	json_decref(
	    remote_must(&ds.admin[1], 200, "GET", NULL, "/plugins/word-count/count?text=x"));
}

/* ---- the search index of each ---- */

/* Waits until the metric of a daemon and what it says in the list are at least, or at most, this.
 */
static void
until_lag(int i, int least, int most)
{
	long long until = daemons_ms() + COUNTED_MS;

	for (;;) {
		double lag = watcher_sample(ds.at[i], "stet_index_lag{site=\"main\"}");
		char *row = daemons_sql(&ds, i == 0 ? "SELECT lag FROM site_node WHERE name = 'a'"
						    : "SELECT lag FROM site_node WHERE name = 'b'");
		long noted = strtol(row, NULL, 10);

		free(row);
		if (lag >= least && lag <= most && noted >= least && noted <= most)
			return;
		if (daemons_ms() > until)
			fail_msg("%d: %g, %ld", i, lag, noted);
		(void)usleep(100000);
	}
}

static void *
hold_settings(void *arg)
{
	(void)arg;
	free(daemons_sql(&ds,
	    "BEGIN; LOCK TABLE search_config IN ACCESS EXCLUSIVE MODE; DO $$ BEGIN FOR i IN 1..1200 LOOP"
	    " EXIT WHEN EXISTS (SELECT 1 FROM public.held_enough); PERFORM pg_sleep(0.05); END LOOP;"
	    " END $$; COMMIT"));
	return NULL;
}

/* Nobody can read the settings of search for a while, which the changes are about. */
static void
the_lag_of_an_index_is_known(void **state)
{
	pthread_t thread;

	(void)state;
	until_lag(0, 0, 0);
	finds("search-index", "ok", "that of the daemon a is 0 changes behind");
	free(daemons_sql(&ds, "CREATE TABLE public.held_enough (n integer)"));
	assert_int_equal(pthread_create(&thread, NULL, hold_settings, NULL), 0);
	(void)usleep(500000);
	free(daemons_sql(&ds,
	    "INSERT INTO search_change (n, at, kind, collection, entry) SELECT n + (SELECT"
	    " COALESCE(MAX(n), 0) FROM search_change), 1, 'settings', 'none', '' FROM"
	    " generate_series(1, 1100) AS s (n); UPDATE site_state SET n = n + 1"));
	until_lag(1, 1100, 1100);
	finds("search-index", "warning", "the search index of the daemon a is 1100 changes behind");
	free(daemons_sql(&ds, "INSERT INTO public.held_enough VALUES (1)"));
	assert_int_equal(pthread_join(thread, NULL), 0);
	until_lag(1, 0, 0);
}

/* Its own directory is free, but the daemon of another one serves the site. */
static void
commands_that_want_the_site_alone_name_who_has_it(void **state)
{
	struct command made;
	char into[96];

	(void)state;
	daemons_end(&ds, 1);
	(void)snprintf(into, sizeof(into), "%s/copy.db", ds.at[1]->dir);
	command_run(
	    ds.at[1], &made, (const char *const[]){ "database", "copy", "--into", into, NULL });
	assert_int_equal(made.status, 1);
	assert_non_null(strstr(made.err, "the daemon a serves the site"));
	command_free(&made);
	daemons_run(&ds, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_lists_both),
		cmocka_unit_test(a_command_tells_of_the_database),
		cmocka_unit_test(commands_that_want_the_site_alone_name_who_has_it),
		cmocka_unit_test(the_doctor_judges_the_server),
		cmocka_unit_test(a_long_snapshot_is_named_and_its_versions_go),
		cmocka_unit_test(daemons_live_while_the_site_is_compiled),
		cmocka_unit_test(what_one_daemon_lacks_the_others_use),
		cmocka_unit_test(the_lag_of_an_index_is_known),
		cmocka_unit_test(metrics_count_the_way_to_the_database),
	};
	int status;

	if (!daemons_start(&ds, 2, WATCHED, NULL, &status))
		return status;
	status = cmocka_run_group_tests(tests, NULL, NULL);
	daemons_stop(&ds);
	return status;
}
