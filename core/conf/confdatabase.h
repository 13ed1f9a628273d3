/*
 * confdatabase.h - the keys of stet.conf about a site's database: where it is, and where the files
 * of a site with several daemons are.
 *
 * The place of a database is what db_open gets. Without the key `database` it is the path of a
 * SQLite file, DATA/stet.db. With it, it is the URI of that key, to which the values of other keys
 * are added as parameters, percent-encoded:
 *
 *   stet_schema=NAME           database-schema
 *   stet_timeout=NUMBER        database-timeout, in milliseconds
 *   stet_directory=PATH        DATA/tmp, for temporary files
 *   stet_password_file=PATH    database-password-file, if it is set
 *
 * They follow all parameters of the URI. The driver takes them off, since libpq refuses parameters
 * that it does not know. The place holds no password, so it may be logged.
 */
#ifndef CORE_CONF_CONFDATABASE_H
#define CORE_CONF_CONFDATABASE_H

#include "conf/conf.h"
#include "conf/confcheck.h"

/* How the place of a database in PostgreSQL begins. */
#define CONFDATABASE_SCHEME "postgresql:"
#define CONFDATABASE_SCHEMA_MAX 63 /* bytes in the name of a schema */

extern const struct conf_check confdatabase_uri, confdatabase_schema;

/* Sets the schema of a site that names none: "stet_" and the name of the site. Takes slashes from
 * the end of files-directory. */
void confdatabase_finish(struct conf_site *);
/* Checks these keys of all sites together. Returns NULL, or what is wrong, which the caller frees;
 * it does not quote the URI. */
char *confdatabase_check(const struct conf *);
/* Returns what is wrong with the URI and the schema of a site that has them, or NULL. */
const char *confdatabase_flaw(const struct conf_site *);

/* Returns the place of the site's database, to be freed. */
char *confdatabase_place(const struct conf_site *);
/* Returns the path of the site's SQLite file, to be freed, or NULL if its database is in
 * PostgreSQL. */
char *confdatabase_file(const struct conf_site *);

#endif
