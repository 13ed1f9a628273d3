/*
 * sqlite.h - SQL functions in C that a module adds to connections of SQLite. A site's database has
 * one connection that writes and several that read, each used by one thread at a time.
 *
 * Statements that call such a function run on SQLite only.
 */
#ifndef STET_SQLITE_H
#define STET_SQLITE_H

#include <stdbool.h>
#include <stet/include.h>
#include <stet/status.h>

struct sqlite3;
struct fts5_api;

#define STET_SQLITE_EXTENSIONS_MAX 8 /* of all modules */

/*
 * A row of the table `sqlite_extensions` of a module's descriptor. The daemon calls these for each
 * connection that is opened after the module was loaded, whether or not its site uses the module.
 */
struct stet_sqlite_extension {
	/* Adds the functions (sqlite3_create_function_v2 and others). What it stores in *kept is
	 * passed to the other two. Returns a code of SQLite; the connection is not used if it is
	 * not SQLITE_OK, and `close` is called all the same. */
	int (*open)(struct sqlite3 *, void **kept);
	/* Frees memory that can be computed again; NULL: there is none. */
	void (*release)(void *kept);
	/* Frees `kept`, after the connection was closed; NULL: there is nothing to free. */
	void (*close)(void *kept);
	/* New fields go here, and nowhere else. */
};

/* Returns true if the database of the call's site is SQLite, so that its connections have these
 * functions, and FTS5. */
STET_API bool stet_on_sqlite(struct stet_call *);
/* Stores the functions of FTS5 that C code calls; NULL without FTS5. Returns a code of SQLite. */
STET_API int stet_fts5_api(struct sqlite3 *, struct fts5_api **out);

#endif
