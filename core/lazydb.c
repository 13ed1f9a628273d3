/* lazydb.c - write connections that are opened when there is something to write. */
#include "db.h"

#include "lazydb.h"
#include <stdatomic.h>

#define OPEN_MAX 32 /* that sites keep while they are idle, in all */

static atomic_int open_count;

bool
lazydb_open(struct db **db, const char *path)
{
	if (*db == NULL && (*db = db_open(path, DB_WRITE)) != NULL)
		atomic_fetch_add(&open_count, 1);
	return *db != NULL;
}

void
lazydb_close(struct db **db)
{
	if (*db == NULL)
		return;
	db_close(*db);
	*db = NULL;
	atomic_fetch_sub(&open_count, 1);
}

void
lazydb_rest(struct db **db)
{
	if (*db == NULL)
		return;
	db_checkpoint(*db, true);
	if (atomic_load(&open_count) > OPEN_MAX)
		lazydb_close(db);
	else
		db_cool(*db);
}
