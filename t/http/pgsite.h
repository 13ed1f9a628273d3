/*
 * pgsite.h - a daemon whose site is in a PostgreSQL server of the test's own, with a collection
 * "posts" that has a field "title".
 */
#ifndef T_HTTP_PGSITE_H
#define T_HTTP_PGSITE_H

#include "remote.h"
#include <pthread.h>

struct pgsite {
	char dir[64]; /* of the server, and of files */
	pid_t server; /* the script that runs it */
	struct daemon *daemon;
	char *token; /* of an administrator */
	struct remote admin;
};
extern struct pgsite pgsite;

/* Starts the server. Returns false, and says that the test is skipped, if there is none. */
bool pgsite_serve(void);
/* Makes the site and starts the daemon: lines before the section of the site, and in it. */
void pgsite_start(const char *conf, const char *site);
/* For groups of tests: starts it with a monitoring listener and a database-timeout of 3 seconds;
 * ends it and the server. */
int pgsite_watched(void **state);
int pgsite_stop(void **state);

/* The process of the server itself, whose parent is the script. */
pid_t pgsite_postmaster(void);
/* Sends a signal to the server and all its sessions. */
void pgsite_signal(int number);
/* Where the database is, for psql: in a static buffer. */
const char *pgsite_uri(void);
/* Runs a statement with psql (psql.h); the second returns what it prints, to be freed. */
void pgsite_sql(const char *sql);
char *pgsite_ask(const char *sql);

/* Returns the milliseconds until a read is answered. Until then, answers must be 503. */
int pgsite_until_it_answers(void);
/* Milliseconds of a clock that only goes forward. */
long long pgsite_ms(void);

/* A client of its own thread, which creates items until pgsite_writers_end. */
struct pgsite_writer {
	struct remote remote;
	int number, count;
	char (*id)[32]; /* of items whose creation was acknowledged */
	int refused, odd; /* answers of 503; of anything else */
	int slowest; /* milliseconds until an answer */
	pthread_t thread;
};
#define PGSITE_WRITERS 4
extern struct pgsite_writer pgsite_writers[PGSITE_WRITERS];

void pgsite_writers_start(void);
/* Waits for their end: no answer was odd, and what was acknowledged is there. Returns how many
 * were. */
int pgsite_writers_end(void);

#endif
