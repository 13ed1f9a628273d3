/* pgdaemon.h - a daemon whose site is in a PostgreSQL server of the test's own. */
#ifndef T_HTTP_PGDAEMON_H
#define T_HTTP_PGDAEMON_H

#include "remote.h"
#include <pthread.h>

struct pgdaemon {
	char dir[64]; /* of the server */
	pid_t server; /* its parent, which SIGINT ends */
	struct daemon *d;
	char *token;
	struct remote admin;
};
extern struct pgdaemon pgdaemon;

/* Starts a server. Returns false if PostgreSQL is not installed, which was printed then. */
bool pgdaemon_server(void);
/* For groups of tests: starts the daemon, with a collection "posts" with a field "title"; ends it
 * and the server. */
int pgdaemon_start(void **state);
int pgdaemon_stop(void **state);
/* The process of the server itself. */
pid_t pgdaemon_postmaster(void);
/* Runs a statement with psql, as the owner of the server. */
void pgdaemon_sql(const char *sql);
/* The same; returns what psql prints, to be freed. */
char *pgdaemon_ask(const char *sql);
/* Returns the milliseconds until a read is answered. Until then, answers must be 503. */
int pgdaemon_until_it_answers(void);

/* A client of its own thread, which creates items until `over`. */
struct pgdaemon_writer {
	struct remote remote;
	int number, count;
	char (*id)[32]; /* of items whose creation was acknowledged */
	int refused, odd; /* answers of 503; of anything else */
	int slowest; /* milliseconds until an answer */
	pthread_t thread;
};
#define PGDAEMON_WRITERS 4
extern struct pgdaemon_writer pgdaemon_writers[PGDAEMON_WRITERS];

void pgdaemon_writers_start(void);
/* Waits for their end: no answer was odd, and what was acknowledged is there. Returns how many
 * were. */
int pgdaemon_writers_end(void);

#endif
