/* extension.h - the row of sqlite_extensions: the functions of this folder, for each connection. */
#ifndef MODULE_SEARCH_EXTENSION_H
#define MODULE_SEARCH_EXTENSION_H

#include <sqlite3.h>

int fulltext_open(sqlite3 *, void **kept);
void fulltext_release(void *kept);
void fulltext_close(void *kept);

#endif
