/* sites.c - many sites in one daemon: one is added, removed, changed or broken, without an effect
 * on the others. */
#include "watcher.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define API "/_cms/api"

/* The configuration with one more site, whose section has these lines too. */
static const char *
with_other(const struct daemon *d, const char *lines)
{
	static char conf[1024];

	(void)snprintf(conf, sizeof(conf),
	    WATCHED "site \"other\" {\n hosts = { \"other.example\" }\n data = \"%s/other\"\n%s}\n",
	    d->dir, lines);
	return conf;
}

static void
reload(struct daemon *d, const char *conf)
{
	daemon_write_conf(d, conf, NULL);
	(void)daemon_reload(d);
}

/* Sends a request to a host. Returns its status; *code is the error code if it is not NULL. */
static int
status_at(struct daemon *d, const char *host, const char *line, char code[64])
{
	struct client c;
	struct answer a;
	int status;

	client_open(&c, d, false);
	client_say(&c, "%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", line, host);
	client_answer(&c, &a, false);
	status = a.status;
	if (code != NULL)
		(void)snprintf(code, 64, "%s", answer_code(&a));
	answer_free(&a);
	client_close(&c);
	return status;
}

/* Returns the value of a site's gauge; -1 if it has none. */
static long
gauge(struct daemon *d, const char *name, const char *site)
{
	char sample[128];

	(void)snprintf(sample, sizeof(sample), "%s{site=\"%s\"}", name, site);
	return (long)watcher_sample(d, sample);
}

static void
again(struct client *c)
{
	struct answer a;

	client_say(c, "GET " API "/count HTTP/1.1\r\nHost: main.example\r\n\r\n");
	client_answer(c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
}

static void
sites_come_and_go_and_the_others_go_on(void **state)
{
	struct daemon *d = daemon_start(WATCHED, NULL, 0);
	struct client kept;

	(void)state;
	client_open(&kept, d, false);
	again(&kept);
	assert_int_equal(gauge(d, "stet_site_generation", "main"), 1);
	reload(d, with_other(d, ""));
	assert_int_equal(status_at(d, "other.example", "POST " API "/count", NULL), 201);
	assert_int_equal(gauge(d, "stet_site_generation", "other"), 1);
	again(&kept);
	/* Another setting makes a new generation of that site only. */
	reload(d, with_other(d, " locales = { \"fr\" }\n"));
	assert_int_equal(gauge(d, "stet_site_generation", "other"), 2);
	assert_int_equal(gauge(d, "stet_site_generation", "main"), 1);
	again(&kept);
	/* A reload with the same setting makes no generation. */
	reload(d, with_other(d, " locales = { \"fr\" }\n"));
	assert_int_equal(gauge(d, "stet_site_generation", "other"), 2);
	reload(d, WATCHED);
	assert_int_equal(gauge(d, "stet_site_up", "other"), -1);
	assert_int_equal(gauge(d, "stet_site_generation", "main"), 1);
	again(&kept);
	client_close(&kept);
	daemon_stop(d);
}

/* Writes change the database, but no table from which a site is compiled. */
static void
a_site_that_was_written_to_is_not_compiled_again(void **state)
{
	struct daemon *d = daemon_start(WATCHED, NULL, 0);

	(void)state;
	assert_int_equal(status_at(d, "x", "POST " API "/count", NULL), 201);
	reload(d, WATCHED);
	assert_int_equal(gauge(d, "stet_site_generation", "main"), 1);
	assert_int_equal(status_at(d, "x", "POST " API "/count", NULL), 201);
	daemon_stop(d);
}

static void
a_site_without_a_database_says_so_and_mends(void **state)
{
	struct daemon *d = daemon_new(NULL, NULL);
	struct answer a;
	char code[64];
	FILE *file;

	(void)state;
	daemon_write_conf(d, with_other(d, ""), NULL);
	assert_int_equal(mkdir(daemon_path(d, "other"), 0700), 0);
	file = fopen(daemon_path(d, "other/stet.db"), "w");
	assert_non_null(file);
	for (int i = 0; i < 1000; i++)
		(void)fputs("this is not a database at all\n", file);
	fclose(file);
	daemon_run(d, 0);
	assert_int_equal(status_at(d, "x", "POST " API "/count", NULL), 201);
	assert_int_equal(status_at(d, "other.example", "GET " API "/count", code), 503);
	assert_string_equal(code, "UNAVAILABLE");
	(void)daemon_said(d, 0, "site other cannot be opened");
	watcher_ask(d, &a, "/readyz");
	assert_non_null(strstr(a.body, "site other: cannot be opened"));
	answer_free(&a);
	assert_int_equal(gauge(d, "stet_site_up", "other"), 0);
	/* Mended. */
	assert_int_equal(unlink(daemon_path(d, "other/stet.db")), 0);
	reload(d, with_other(d, ""));
	assert_int_equal(status_at(d, "other.example", "POST " API "/count", NULL), 201);
	watcher_ask(d, &a, "/readyz");
	assert_string_equal(a.body, "ready\n");
	answer_free(&a);
	assert_int_equal(gauge(d, "stet_site_generation", "main"), 1);
	daemon_stop(d);
}

/* The modules of this test's daemon bring no engine but SQLite. */
static void
a_site_whose_engine_is_missing_says_so_and_others_are_served(void **state)
{
	struct daemon *d = daemon_new(NULL, NULL);
	struct answer a;
	char code[64];

	(void)state;
	daemon_write_conf(d,
	    with_other(d, "database = \"postgresql:///stet\"\nfiles-directory = \"/srv\"\n"), NULL);
	daemon_run(d, 0);
	assert_int_equal(status_at(d, "x", "POST " API "/count", NULL), 201);
	assert_int_equal(status_at(d, "other.example", "GET " API "/count", code), 503);
	assert_string_equal(code, "UNAVAILABLE");
	(void)daemon_said(d, 0, "site other cannot be opened: its database is in PostgreSQL");
	(void)daemon_said(d, 0, "database-postgresql.so is not in module-path");
	watcher_ask(d, &a, "/readyz");
	assert_non_null(strstr(a.body, "site other: cannot be opened: its database is in"));
	answer_free(&a);
	assert_int_equal(access(daemon_path(d, "other/stet.db"), F_OK), -1);
	daemon_stop(d);
}

static void
sql(const struct daemon *d, const char *text)
{
	sqlite3 *db;
	char *why = NULL;

	assert_int_equal(sqlite3_open(daemon_path(d, "other/stet.db"), &db), SQLITE_OK);
	(void)sqlite3_busy_timeout(db, WAIT_MS);
	if (sqlite3_exec(db, text, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", text, why);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void
a_site_of_a_newer_version_takes_no_writes_and_mends(void **state)
{
	struct daemon *d = daemon_new(NULL, NULL);
	struct answer a;
	char code[64];

	(void)state;
	daemon_write_conf(d, with_other(d, ""), NULL);
	daemon_run(d, 0);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	sql(d, "INSERT INTO migration (module, version, name, applied_at, digest)"
	       " VALUES ('core', 999, 'from the future', '2030-01-01T00:00:00.000Z', 'x')");
	daemon_run(d, 0);
	assert_int_equal(status_at(d, "x", "POST " API "/count", NULL), 201);
	assert_int_equal(status_at(d, "other.example", "POST " API "/count", code), 503);
	assert_string_equal(code, "MIGRATION_FAILED");
	(void)daemon_said(d, 0, "a newer version wrote it");
	watcher_ask(d, &a, "/readyz");
	assert_non_null(strstr(a.body, "site other: does not accept writes: "));
	answer_free(&a);
	sql(d, "DELETE FROM migration WHERE version = 999");
	reload(d, with_other(d, ""));
	assert_int_equal(status_at(d, "other.example", "POST " API "/count", NULL), 201);
	daemon_stop(d);
}

/* Sites without requests have no file open but their lock. */
static void
idle_sites_cost_little(void **state)
{
	struct daemon *d = daemon_new(NULL, NULL);
	char *conf = calloc(1, 65536);
	size_t len;
	int few;

	(void)state;
	assert_non_null(conf);
	len = (size_t)snprintf(conf, 65536, WATCHED);
	for (int i = 0; i < 60; i++)
		len += (size_t)snprintf(conf + len, 65536 - len,
		    "site \"s%d\" {\n hosts = { \"s%d.example\" }\n data = \"%s/s%d\"\n}\n", i, i,
		    d->dir, i);
	daemon_write_conf(d, WATCHED, NULL);
	daemon_run(d, 0);
	few = daemon_descriptors(d);
	reload(d, conf);
	assert_int_equal(gauge(d, "stet_site_up", "s59"), 1);
	assert_int_equal(status_at(d, "s59.example", "POST " API "/count", NULL), 201);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	daemon_write_conf(d, conf, NULL);
	daemon_run(d, 0);
	assert_true(daemon_descriptors(d) - few < 60 + 30);
	assert_int_equal(status_at(d, "s7.example", "POST " API "/count", NULL), 201);
	assert_int_equal(status_at(d, "s59.example", "GET " API "/count", NULL), 200);
	free(conf);
	daemon_stop(d);
}

/* Makes the pipe that a migration of the probe will wait for, in the next daemon. */
static void
make_pipe(struct daemon *d)
{
	assert_int_equal(mkfifo(daemon_path(d, "fifo"), 0600), 0);
	assert_int_equal(setenv("STET_PROBE_MIGRATION", daemon_path(d, "fifo"), 1), 0);
}

static int
open_pipe(struct daemon *d)
{
	int pipe = open(daemon_path(d, "fifo"), O_WRONLY | O_CLOEXEC);

	assert_true(pipe >= 0);
	return pipe;
}

/* Starts a daemon that serves "main". Migrations of the probe wait for a pipe from here on. */
static struct daemon *
start_with_pipe(void)
{
	struct daemon *d = daemon_start(WATCHED, NULL, 0);

	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	make_pipe(d);
	daemon_run(d, 0);
	unsetenv("STET_PROBE_MIGRATION");
	return d;
}

/* Lets the site "other" begin a migration, which waits for the pipe. */
static int
migrate_other(struct daemon *d)
{
	daemon_write_conf(d, with_other(d, ""), NULL);
	daemon_signal(d, SIGHUP);
	return open_pipe(d);
}

static void
while_tables_change_nobody_waits_and_no_signal_is_lost(void **state)
{
	struct daemon *d = start_with_pipe();
	int pipe = migrate_other(d);
	size_t from = 0;

	(void)state;
	assert_int_equal(status_at(d, "main.example", "POST " API "/count", NULL), 201);
	assert_int_equal(gauge(d, "stet_site_up", "main"), 1);
	assert_int_equal(gauge(d, "stet_site_up", "other"), -1);
	daemon_write_conf(d, with_other(d, " locales = { \"fr\" }\n"), NULL);
	daemon_signal(d, SIGHUP);
	/* A thread that does not wait for SIGHUP accepts the connection. */
	assert_int_equal(status_at(d, "main.example", "POST " API "/count", NULL), 201);
	close(pipe);
	for (int i = 0; i < 2; i++)
		from = daemon_said(d, from, "are read again");
	assert_int_equal(gauge(d, "stet_site_generation", "other"), 2);
	assert_int_equal(gauge(d, "stet_site_generation", "main"), 1);
	assert_int_equal(status_at(d, "other.example", "POST " API "/count", NULL), 201);
	daemon_stop(d);
}

/* There was one site when the daemon was started, so it started with one writer thread. */
static void
a_write_that_waits_for_its_site_holds_up_no_other_site(void **state)
{
	struct daemon *d = start_with_pipe();
	struct client c;
	struct answer a;
	int pipe, tries = 0;

	(void)state;
	reload(d, with_other(d, " modules = { \"mirror\" }\n"));
	pipe = migrate_other(d);
	client_open(&c, d, false);
	client_say(&c, "POST " API "/splash HTTP/1.1\r\nHost: other.example\r\n\r\n");
	while (gauge(d, "stet_writer_queue_depth", "other") < 1)
		assert_true(++tries < 20000);
	assert_int_equal(status_at(d, "main.example", "POST " API "/count", NULL), 201);
	close(pipe);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	client_close(&c);
	daemon_stop(d);
}

/* Sends SIGTERM while the tables of `site` change; the next start completes the change. */
static void
end_meanwhile(struct daemon *d, int pipe, const char *site, const char *host)
{
	char left[160];

	assert_int_equal(write(pipe, "x", 1), 1);
	close(pipe);
	daemon_signal(d, SIGTERM);
	(void)snprintf(left, sizeof(left),
	    "site %s does not accept writes: module probe: migration 1 (counter) is left to the"
	    " next start, since stetd is stopping",
	    site);
	(void)daemon_said(d, 0, left);
	assert_int_equal(daemon_ended(d), 0);
	daemon_run(d, 0);
	assert_int_equal(status_at(d, host, "POST " API "/count", NULL), 201);
	daemon_stop(d);
}

static void
a_daemon_that_is_ended_while_tables_change_gives_that_up(void **state)
{
	struct daemon *d = start_with_pipe();

	(void)state;
	end_meanwhile(d, migrate_other(d), "other", "other.example");
}

static void
so_does_one_that_is_ended_before_it_serves(void **state)
{
	struct daemon *d = daemon_new(WATCHED, NULL);

	(void)state;
	make_pipe(d);
	daemon_begin(d, 0);
	unsetenv("STET_PROBE_MIGRATION");
	end_meanwhile(d, open_pipe(d), "main", "x");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sites_come_and_go_and_the_others_go_on),
		cmocka_unit_test(a_site_that_was_written_to_is_not_compiled_again),
		cmocka_unit_test(a_site_without_a_database_says_so_and_mends),
		cmocka_unit_test(a_site_whose_engine_is_missing_says_so_and_others_are_served),
		cmocka_unit_test(a_site_of_a_newer_version_takes_no_writes_and_mends),
		cmocka_unit_test(idle_sites_cost_little),
		cmocka_unit_test(while_tables_change_nobody_waits_and_no_signal_is_lost),
		cmocka_unit_test(a_write_that_waits_for_its_site_holds_up_no_other_site),
		cmocka_unit_test(a_daemon_that_is_ended_while_tables_change_gives_that_up),
		cmocka_unit_test(so_does_one_that_is_ended_before_it_serves),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
