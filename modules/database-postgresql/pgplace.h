/*
 * pgplace.h - where a database is, as text: a URI of libpq, to which the core has added what
 * belongs to the site (core/conf/confdatabase.h): stet_schema, stet_password_file, stet_timeout in
 * milliseconds, stet_directory.
 */
#ifndef PGPLACE_H
#define PGPLACE_H

#include <stdbool.h>

struct pg_place {
	char *uri; /* for libpq */
	char *schema; /* all tables of the site are in it */
	char *password_file; /* NULL: none */
	char *directory; /* for temporary files */
	int timeout_ms; /* connecting, the lock of the site, a commit */
};

/* How long a statement waits for a lock: less than it may wait for its answer. */
static inline int
pgplace_lock_ms(const struct pg_place *p)
{
	return p->timeout_ms * 9 / 10;
}

void pgplace_read(struct pg_place *, const char *place);
void pgplace_free(struct pg_place *);
/* Reads the first line of the file with the password. Returns NULL and logs if it cannot be read.
 * The caller frees it. */
char *pgplace_password(const struct pg_place *);

#endif
