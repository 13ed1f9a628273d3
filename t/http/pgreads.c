/*
 * pgreads.c - reads of a site in PostgreSQL: they show what any connection has committed, also
 * answers that a worker keeps; a server that does not answer makes them fail in time, and nobody
 * else; and a daemon keeps to its number of connections. PG_READS is the number of rounds.
 */
#include "pgsite.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS 4
#define CLIENTS 64
#define TIMEOUT_MS 2000 /* database-timeout */
#define SLACK_MS 1500 /* for a busy machine */
#define LOAD_MS 4000
#define ITEMS 100
#define READERS 8
#define CHANGES 15

static char item[32];

/* ---- psql ---- */

static struct {
	pid_t pid;
	FILE *to, *from;
} psql;

static void
psql_open(void)
{
	int in[2], out[2];

	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	if ((psql.pid = fork()) == 0) {
		(void)dup2(in[0], STDIN_FILENO);
		(void)dup2(out[1], STDOUT_FILENO);
		for (int i = 0; i < 2; i++) {
			(void)close(in[i]);
			(void)close(out[i]);
		}
		execlp("psql", "psql", "-X", "-q", "-A", "-t", "-d", pgsite_uri(), (char *)NULL);
		_exit(127);
	}
	(void)close(in[0]);
	(void)close(out[1]);
	psql.to = fdopen(in[1], "we");
	psql.from = fdopen(out[0], "re");
	assert_true(psql.to != NULL && psql.from != NULL);
}

static void
psql_close(void)
{
	(void)fclose(psql.to);
	(void)fclose(psql.from);
	(void)waitpid(psql.pid, NULL, 0);
}

/* Runs a statement, and returns the number that it gives, 0 if none. */
static int
sql(const char *text)
{
	char line[256];
	int number = 0;

	(void)fprintf(psql.to, "%s;\n\\echo end\n", text);
	(void)fflush(psql.to);
	while (fgets(line, sizeof(line), psql.from) != NULL && strcmp(line, "end\n") != 0)
		number = (int)strtol(line, NULL, 10);
	return number;
}

/* ---- what others have written ---- */

/* Returns true if the answer was kept. */
static bool
reads(const char *path, const char *text)
{
	struct answer a;
	bool kept;

	remote_ask(&pgsite.admin, &a, "GET", NULL, "%s", path);
	assert_int_equal(a.status, 200);
	if (strstr(a.body, text) == NULL)
		fail_msg("%s: no %s in %s", path, text, a.body);
	kept = strstr(answer_header(&a, "Server-Timing"), "desc=hit") != NULL;
	answer_free(&a);
	return kept;
}

/* The daemon writes, too, now and then: then nothing is kept. */
static void
reads_what_is_kept(const char *path, const char *text)
{
	bool kept = false;

	for (int i = 0; !kept && i < 10; i++)
		kept = reads(path, text);
	assert_true(kept);
}

/* The server is back: the daemon finds out within two seconds. */
static void
until_answered(const char *path)
{
	int status = 503;

	for (int ms = 0; status == 503 && ms < 2000; ms += 20) {
		struct answer a;

		remote_ask(&pgsite.admin, &a, "GET", NULL, "%s", path);
		status = a.status;
		answer_free(&a);
		(void)usleep(20000);
	}
	assert_int_equal(status, 200);
}

static void
a_read_sees_what_another_connection_has_written(void **state)
{
	const char *many = getenv("PG_READS");
	int rounds = many != NULL ? (int)strtol(many, NULL, 10) : 100;
	char path[2][96], text[32], change[256];

	(void)state;
	(void)snprintf(path[0], sizeof(path[0]), "/content/posts/%s", item);
	(void)snprintf(path[1], sizeof(path[1]), "/content/posts?limit=5");
	psql_open();
	for (int i = 0; i < rounds; i++) {
		(void)snprintf(text, sizeof(text), "\"change %d\"", i);
		(void)snprintf(change, sizeof(change),
		    "BEGIN; UPDATE stet_main.site_state SET n = n + 1, mark = decode(md5('%d'), 'hex');"
		    " UPDATE stet_main.c_posts SET f_title = 'change %d'; COMMIT",
		    i, i);
		(void)sql(change);
		for (int k = 0; k < 2; k++) {
			(void)reads(path[k], text);
			reads_what_is_kept(path[k], text);
		}
	}
	psql_close();
}

/* ---- a server that does not answer ---- */

static int
since(const struct timespec *begun)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (
	    int)((now.tv_sec - begun->tv_sec) * 1000 + (now.tv_nsec - begun->tv_nsec) / 1000000);
}

/* Returns true if the other site of the daemon answers at once. */
static bool
another_site_answers(void)
{
	struct timespec begun;
	struct client c;
	struct answer a;
	bool good;

	(void)clock_gettime(CLOCK_MONOTONIC, &begun);
	client_open(&c, pgsite.daemon, false);
	client_say(&c, "GET " API "/content/posts HTTP/1.1\r\nHost: files.test\r\n"
		       "Authorization: Bearer none\r\n\r\n");
	good = client_hears(&c, &a, false) && a.status == 401 && since(&begun) < TIMEOUT_MS / 2;
	answer_free(&a);
	client_close(&c);
	return good;
}

static void
a_server_that_does_not_answer_fails_reads_in_time(void **state)
{
	struct remote clients[12];
	struct timespec begun;
	char path[96];
	struct answer a;
	bool good = true;
	int slowest, failed = 0;

	(void)state;
	(void)snprintf(path, sizeof(path), "/content/posts/%s", item);
	(void)reads(path, item);
	reads_what_is_kept(path, item);
	for (int i = 0; i < 12; i++)
		remote_open(&clients[i], pgsite.daemon, pgsite.token);
	pgsite_signal(SIGSTOP);
	(void)clock_gettime(CLOCK_MONOTONIC, &begun);
	/* More than there are readers: one has an answer that is kept, another has not. */
	for (int i = 0; i < 12; i++)
		if (i % 2 == 0)
			remote_say(&clients[i], "GET", NULL, "%s", path);
		else
			remote_say(&clients[i], "GET", NULL, "%s?locale=en&x=%d", path, i);
	while (since(&begun) < TIMEOUT_MS * 3 / 4)
		good = another_site_answers() && good;
	for (int i = 0; i < 12; i++) {
		remote_hear(&clients[i], &a);
		failed += a.status == 503 && strcmp(answer_code(&a), "UNAVAILABLE") == 0 &&
			  answer_header(&a, "Retry-After") != NULL;
		answer_free(&a);
	}
	slowest = since(&begun);
	/* From here on, the server can be ended. */
	pgsite_signal(SIGCONT);
	assert_true(good);
	assert_int_equal(failed, 12);
	printf("# %d reads of a server that does not answer failed within %d ms\n", 12, slowest);
	assert_in_range(slowest, TIMEOUT_MS - 100, TIMEOUT_MS + SLACK_MS);
	until_answered(path);
	(void)reads(path, item);
	for (int i = 0; i < 12; i++)
		remote_close(&clients[i]);
}

/* ---- connections ---- */

static atomic_bool over;

static struct load {
	struct remote remote;
	int number, done, odd;
	char path[96];
} loads[CLIENTS];

static void *
works(void *arg)
{
	struct load *l = arg;

	while (!atomic_load(&over)) {
		struct answer a;

		if (l->number % 4 == 0)
			remote_ask(&l->remote, &a, "POST", "{\"data\":{\"title\":\"more\"}}",
			    "/content/posts");
		else
			remote_ask(&l->remote, &a, "GET", NULL, "%s", l->path);
		l->done += a.status < 300;
		l->odd += a.status >= 300 && a.status != 503;
		answer_free(&a);
	}
	return NULL;
}

static void
connections_are_no_more_than_said(void **state)
{
	pthread_t thread[CLIENTS];
	int most = 0, idle = 0, done[4] = { 0 };

	(void)state;
	psql_open();
	for (int i = 0; i < CLIENTS; i++) {
		loads[i].number = i;
		(void)snprintf(loads[i].path, sizeof(loads[i].path), "%s%s",
		    i % 4 == 1   ? "/content/posts/"
		    : i % 4 == 2 ? "/content/posts?limit=20"
				 : "/admin/audit/verify",
		    i % 4 == 1 ? item : "");
		remote_open(&loads[i].remote, pgsite.daemon, pgsite.token);
		assert_int_equal(pthread_create(&thread[i], NULL, works, &loads[i]), 0);
	}
	for (int ms = 0; ms < LOAD_MS; ms += 50) {
		int n =
		    sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'stetd'");

		most = n > most ? n : most;
		idle += sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'stetd'"
			    " AND state LIKE 'idle in%' AND state_change < now() - interval '2 s'");
		(void)usleep(50000);
	}
	atomic_store(&over, true);
	for (int i = 0; i < CLIENTS; i++) {
		assert_int_equal(pthread_join(thread[i], NULL), 0);
		assert_int_equal(loads[i].odd, 0);
		done[i % 4] += loads[i].done;
		remote_close(&loads[i].remote);
	}
	psql_close();
	printf("# %d writes, %d items, %d lists, %d verifications over %d connections\n", done[0],
	    done[1], done[2], done[3], most);
	for (int i = 0; i < 4; i++)
		assert_true(done[i] > 0);
	assert_in_range(most, 2, CONNECTIONS + 2);
	assert_int_equal(idle, 0);
}

/* ---- the daemon ---- */

/* ---- tables that change ---- */

static void *
lists(void *arg)
{
	struct load *l = arg;

	while (!atomic_load(&over)) {
		struct answer a;

		remote_ask(&l->remote, &a, "GET", NULL, "/content/posts?limit=20");
		l->odd += a.status != 200;
		l->done++;
		answer_free(&a);
	}
	return NULL;
}

/* Definitions are no part of a snapshot: a read that comes upon others runs once more. */
static void
reads_go_on_while_tables_change(void **state)
{
	pthread_t thread[READERS];
	int done = 0, changed = 0;

	(void)state;
	atomic_store(&over, false);
	for (int i = 0; i < READERS; i++) {
		loads[i].done = loads[i].odd = 0;
		remote_open(&loads[i].remote, pgsite.daemon, pgsite.token);
		assert_int_equal(pthread_create(&thread[i], NULL, lists, &loads[i]), 0);
	}
	for (int i = 0; i < CHANGES; i++) {
		struct answer a;

		/* 503: the table could not be locked in time. */
		remote_ask(&pgsite.admin, &a, "POST",
		    "{\"slug\":\"more\",\"label\":\"M\",\"type\":\"string\"}",
		    "/schema/collections/posts/fields");
		changed += a.status == 201;
		answer_free(&a);
		remote_ask(
		    &pgsite.admin, &a, "DELETE", NULL, "/schema/collections/posts/fields/more");
		answer_free(&a);
	}
	atomic_store(&over, true);
	for (int i = 0; i < READERS; i++) {
		assert_int_equal(pthread_join(thread[i], NULL), 0);
		assert_int_equal(loads[i].odd, 0);
		done += loads[i].done;
		remote_close(&loads[i].remote);
	}
	printf("# %d lists while %d fields came and went\n", done, changed);
	assert_true(changed > 0);
}

static int
start(void **state)
{
	char keys[512];
	json_t *made;

	(void)state;
	(void)snprintf(keys, sizeof(keys),
	    "hosts = { \"*\" }\ndatabase-timeout = %ds\ndatabase-connections = %d\n}\n"
	    "site \"files\" {\nhosts = { \"files.test\" }\ndata = \"%s/other\"\n",
	    TIMEOUT_MS / 1000, CONNECTIONS, pgsite.dir);
	/* One worker: it must not wait for one site while another could be served. */
	pgsite_start("workers = 1\nserver-timing = true\n", keys);
	for (int i = 0; i < ITEMS; i++) {
		made = remote_must(
		    &pgsite.admin, 201, "POST", "{\"data\":{\"title\":\"one\"}}", "/content/posts");
		(void)snprintf(item, sizeof(item), "%s",
		    json_string_value(json_object_get(json_object_get(made, "item"), "id")));
		json_decref(made);
	}
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_read_sees_what_another_connection_has_written),
		cmocka_unit_test(a_server_that_does_not_answer_fails_reads_in_time),
		cmocka_unit_test(connections_are_no_more_than_said),
		cmocka_unit_test(reads_go_on_while_tables_change),
	};

	return pgsite_serve() ? cmocka_run_group_tests(tests, start, pgsite_stop)
			      : getenv("CI") != NULL;
}
