/*
 * daemons.h - several daemons of one site: a PostgreSQL server of the test's own, one schema of it,
 * and daemons with a data directory, a port and a name each, which share the key of the site and
 * its files.
 */
#ifndef T_HTTP_DAEMONS_H
#define T_HTTP_DAEMONS_H

#include "remote.h"

#define DAEMONS_MAX 4

struct daemons {
	char dir[64]; /* has "pg", "files", "key" */
	char uri[256]; /* of the database; the schema is "stet_main" */
	pid_t server; /* of engine_server */
	int count;
	struct daemon *at[DAEMONS_MAX]; /* "a", "b" ...; pid 0: it does not run */
	char *token; /* of an administrator */
	struct remote admin[DAEMONS_MAX]; /* a client of each, with that token */
};

/* Starts the server and all daemons. Both texts may be NULL: lines for each stet.conf (before the
 * site), and lines for the site. Returns false if there is no PostgreSQL: then the plan of the test
 * was printed, and *status is what main returns. */
bool daemons_start(struct daemons *, int count, const char *conf, const char *site, int *status);
/* Ends all that runs, and removes what there is. */
void daemons_stop(struct daemons *);

/* Starts a daemon that has ended, and opens its client. */
void daemons_run(struct daemons *, int);
/* Ends a daemon, which takes its time, or kills it; its client is closed. */
void daemons_end(struct daemons *, int);
void daemons_kill(struct daemons *, int);
/* Holds a daemon where it is, and lets it go on. */
void daemons_freeze(struct daemons *, int);
void daemons_thaw(struct daemons *, int);

/* Runs a query on the database, in the schema of the site. Returns what psql prints: a line for
 * each row, "|" between its columns. To be freed. */
char *daemons_sql(const struct daemons *, const char *sql);
/* Makes a collection with a field "title", by the first daemon. */
void daemons_collection(struct daemons *, const char *slug);
/* Milliseconds of a clock that only goes forward. */
long long daemons_ms(void);

#endif
