/*
 * dbstats.h - what connections to a database that other processes use, too, have done since the
 * process started, for metrics. SQLite has none: there, nobody waits for a network.
 */
#ifndef CORE_DB_DBSTATS_H
#define CORE_DB_DBSTATS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

enum db_stat {
	DBSTAT_CONNECTIONS, /* now */
	DBSTAT_WRITING, /* of these, in a transaction that writes */
	DBSTAT_READING, /* and in one that reads */
	DBSTAT_ROUND_TRIPS, /* times that a thread waited for the server */
	DBSTAT_RECONNECTS,
	DBSTAT_STALE, /* reads that ran again since tables had changed */
	/* How often, and for how many microseconds in all: questions for the state, commits of
	 * writes, waits of a writer for those of other daemons. */
	DBSTAT_STATES,
	DBSTAT_STATE_US,
	DBSTAT_COMMITS,
	DBSTAT_COMMIT_US,
	DBSTAT_LOCKS,
	DBSTAT_LOCK_US,
	DBSTATS
};

struct db_stats {
	struct db_stats *next; /* dbstats.c */
	char *place;
	atomic_uint_fast64_t n[DBSTATS];
	/* How many microseconds the shortest question for the state took lately; 0: none was asked.
	 */
	atomic_int_fast64_t shortest;
};

/* Returns the numbers of a place; made: they are made if there are none, otherwise NULL. They live
 * as long as the process. */
struct db_stats *dbstats_of(const char *place, bool made);
/* Adds to a number of this connection, if its engine has any. */
void dbstats_add(struct db *, enum db_stat, int64_t);
/* Returns the time in microseconds for dbstats_since; 0 where nothing is counted. */
int64_t dbstats_now(const struct db *);
/* Counts one, and the microseconds since then in the number behind it. */
void dbstats_since(struct db *, enum db_stat, int64_t then);
/* The same for a question for the state. */
void dbstats_state(struct db *, int64_t then);
/* Returns true if the server answers as fast as one on this machine, or one beside it: waiting for
 * it costs less than what a thread more does. */
bool dbstats_near(const struct db_stats *);

#endif
