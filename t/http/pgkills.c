/*
 * pgkills.c - a daemon whose site is in PostgreSQL, while that server is stopped, crashes, and ends
 * sessions under load: what was acknowledged is there afterwards, clients get nothing worse than
 * 503, and the daemon goes on without a restart. PG_KILLS is the number of rounds.
 */
#include "engine.h"
#include "pgsite.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define WRITERS 4
#define ITEMS_MAX 20000 /* of each writer */
#define LOAD_MS 1500 /* before each kill */
#define BACK_MS 10000 /* until the daemon answers after the server's return; it takes 0.4 s */

static struct pgsite site;
static atomic_bool over;

static struct writer {
	struct remote remote;
	int number, count;
	char (*id)[32]; /* of items whose creation was acknowledged */
	int refused, odd; /* answers of 503; of anything else */
} writers[WRITERS];

/* ---- the server ---- */

static void
end_sessions(void)
{
	static const char all[] =
	    "SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND"
	    " backend_type = 'client backend' AND NOT pg_terminate_backend(pid)";
	pid_t child;

	if ((child = fork()) == 0) {
		execlp(
		    "psql", "psql", "-X", "-q", "-d", pgsite_uri(&site), "-c", all, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* A stop in order, a crash, or the end of all sessions. */
static void
strike(int round)
{
	static const int signals[] = { SIGINT, SIGQUIT };

	if (round % 3 == 2) {
		end_sessions();
		return;
	}
	assert_int_equal(kill(pgsite_postmaster(&site), signals[round % 3]), 0);
	assert_int_equal(waitpid(site.server, NULL, 0), site.server);
	site.server = engine_server(site.dir);
	assert_true(site.server > 0);
}

/* ---- clients ---- */

static void *
writes(void *arg)
{
	struct writer *w = arg;

	while (!atomic_load(&over) && w->count < ITEMS_MAX) {
		struct answer a;
		char body[128];

		(void)snprintf(
		    body, sizeof(body), "{\"data\":{\"title\":\"%d of %d\"}}", w->count, w->number);
		remote_ask(&w->remote, &a, "POST", body, "/content/posts");
		if (a.status == 201) {
			json_t *item = json_object_get(json_object_get(a.json, "data"), "item");

			(void)snprintf(w->id[w->count++], sizeof(w->id[0]), "%s",
			    json_string_value(json_object_get(item, "id")));
		} else if (a.status == 503) {
			w->refused++;
			(void)usleep(20000);
		} else {
			w->odd++;
		}
		answer_free(&a);
	}
	return NULL;
}

/* Returns the milliseconds until a read is answered. */
static int
until_it_answers(void)
{
	int ms = 0, status = 0;

	while (status != 200 && ms < BACK_MS) {
		struct answer a;

		remote_ask(&site.admin, &a, "GET", NULL, "/content/posts?limit=1");
		status = a.status;
		answer_free(&a);
		if (status != 200) {
			assert_int_equal(status, 503);
			(void)usleep(20000);
			ms += 20;
		}
	}
	assert_int_equal(status, 200);
	return ms;
}

static void
nothing_acknowledged_is_lost(void **state)
{
	const char *many = getenv("PG_KILLS");
	int rounds = many != NULL ? (int)strtol(many, NULL, 10) : 3, acknowledged = 0;
	int refused = 0, slowest = 0;
	pthread_t thread[WRITERS];
	char *said;

	(void)state;
	for (int i = 0; i < WRITERS; i++) {
		writers[i].number = i;
		writers[i].id = calloc(ITEMS_MAX, sizeof(writers[i].id[0]));
		remote_open(&writers[i].remote, site.daemon, site.token);
		assert_int_equal(pthread_create(&thread[i], NULL, writes, &writers[i]), 0);
	}
	for (int round = 0; round < rounds; round++) {
		int ms;

		(void)usleep(LOAD_MS * 1000);
		strike(round);
		ms = until_it_answers();
		slowest = ms > slowest ? ms : slowest;
	}
	(void)usleep(LOAD_MS * 1000);
	atomic_store(&over, true);
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(pthread_join(thread[i], NULL), 0);
		assert_int_equal(writers[i].odd, 0);
		acknowledged += writers[i].count;
		refused += writers[i].refused;
	}
	for (int i = 0; i < WRITERS; i++)
		for (int k = 0; k < writers[i].count; k++)
			json_decref(remote_must(
			    &site.admin, 200, "GET", NULL, "/content/posts/%s", writers[i].id[k]));
	printf("# %d rounds: %d writes acknowledged, %d refused with 503, read again after %d ms\n",
	    rounds, acknowledged, refused, slowest);
	assert_true(acknowledged > 0);
	/* The chain of the audit log has no gap. */
	said = COMMAND(site.daemon, "audit", "verify");
	assert_non_null(strstr(said, "problems  -"));
	free(said);
	for (int i = 0; i < WRITERS; i++) {
		remote_close(&writers[i].remote);
		free(writers[i].id);
	}
}

static int
start(void **state)
{
	(void)state;
	pgsite_start(&site, NULL, "database-timeout = 3s\n");
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	pgsite_stop(&site);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_acknowledged_is_lost),
	};

	return pgsite_serve(&site) ? cmocka_run_group_tests(tests, start, stop)
				   : getenv("CI") != NULL;
}
