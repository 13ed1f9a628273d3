/*
 * pgkills.c - a daemon whose site is in PostgreSQL, while that server is stopped, crashes, and ends
 * sessions under load: what was acknowledged is there afterwards, clients get nothing worse than
 * 503, and the daemon goes on without a restart. PG_KILLS is the number of rounds.
 */
#include "engine.h"
#include "pgsite.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOAD_MS 1500 /* before each kill */

/* A stop in order, a crash, or the end of all sessions. */
static void
strike(int round)
{
	static const int signals[] = { SIGINT, SIGQUIT };

	if (round % 3 == 2) {
		pgsite_sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE CASE WHEN"
			   " pid <> pg_backend_pid() THEN backend_type = 'client backend' END");
		return;
	}
	assert_int_equal(kill(pgsite_postmaster(), signals[round % 3]), 0);
	assert_int_equal(waitpid(pgsite.server, NULL, 0), pgsite.server);
	pgsite.server = engine_server(pgsite.dir);
	assert_true(pgsite.server > 0);
}

static void
nothing_acknowledged_is_lost(void **state)
{
	const char *many = getenv("PG_KILLS");
	int rounds = many != NULL ? (int)strtol(many, NULL, 10) : 3, acknowledged;
	int refused = 0, slowest = 0;
	char *said;

	(void)state;
	pgsite_writers_start();
	for (int round = 0; round < rounds; round++) {
		int ms;

		(void)usleep(LOAD_MS * 1000);
		strike(round);
		ms = pgsite_until_it_answers();
		slowest = ms > slowest ? ms : slowest;
	}
	(void)usleep(LOAD_MS * 1000);
	acknowledged = pgsite_writers_end();
	for (int i = 0; i < PGSITE_WRITERS; i++)
		refused += pgsite_writers[i].refused;
	printf("# %d rounds: %d writes acknowledged, %d refused with 503, read again after %d ms\n",
	    rounds, acknowledged, refused, slowest);
	assert_true(acknowledged > 0);
	/* The chain of the audit log has no gap. */
	said = COMMAND(pgsite.daemon, "audit", "verify");
	assert_non_null(strstr(said, "problems  -"));
	free(said);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_acknowledged_is_lost),
	};

	if (!pgsite_serve())
		return getenv("CI") != NULL;
	return cmocka_run_group_tests(tests, pgsite_watched, pgsite_stop);
}
