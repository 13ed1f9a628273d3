/*
 * pgsite.h - a daemon whose site is in a PostgreSQL server of the test's own, with a collection
 * "posts" that has a field "title".
 */
#ifndef T_HTTP_PGSITE_H
#define T_HTTP_PGSITE_H

#include "remote.h"

struct pgsite {
	char dir[64]; /* of the server, and of files */
	pid_t server; /* the script that runs it */
	struct daemon *daemon;
	char *token; /* of an administrator */
	struct remote admin;
};

/* Starts the server. Returns false, and says that the test is skipped, if there is none. */
bool pgsite_serve(struct pgsite *);
/* Makes the site and starts the daemon: lines before the section of the site, and in it. */
void pgsite_start(struct pgsite *, const char *conf, const char *site);
/* Ends both. */
void pgsite_stop(struct pgsite *);
/* The process of the server itself, whose parent is the script. */
pid_t pgsite_postmaster(const struct pgsite *);
/* Where the database is, for psql: in a static buffer. */
const char *pgsite_uri(const struct pgsite *);

#endif
