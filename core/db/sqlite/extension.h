/* extension.h - what modules add to connections (stet/sqlite.h). */
#ifndef CORE_DB_EXTENSION_H
#define CORE_DB_EXTENSION_H

#include <sqlite3.h>
#include <stddef.h>
#include <stet/sqlite.h>

/* What the extensions keep for one connection. Zero-initialised: none. */
struct extensions {
	size_t count; /* number of extensions opened for the connection, counted from the first */
	void *kept[STET_SQLITE_EXTENSIONS_MAX];
};

/* Adds an extension to the connections that are opened from now on. The row lives as long as the
 * process. Returns false if there are STET_SQLITE_EXTENSIONS_MAX already. Main thread only. */
bool extension_add(const struct stet_sqlite_extension *);

/* Opens all extensions for a connection. Returns a code of SQLite. */
int extensions_open(struct extensions *, sqlite3 *);
void extensions_release(struct extensions *);
/* After the connection was closed. */
void extensions_close(struct extensions *);

#endif
