/* extension.c - adds the functions of this folder to connections. A connection keeps lengths. */
#include "extension.h"
#include "fulltext.h"
#include "lengths.h"
#include "match.h"

int
fulltext_open(sqlite3 *db, void **kept)
{
	struct lengths *lengths = *kept = lengths_new();
	int rc = match_install(db, lengths);

	return rc == SQLITE_OK ? fulltext_install(db) : rc;
}

void
fulltext_release(void *kept)
{
	lengths_empty(kept);
}

void
fulltext_close(void *kept)
{
	lengths_free(kept);
}
