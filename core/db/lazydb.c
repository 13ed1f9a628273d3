/* lazydb.c - opens write connections on demand, and bounds how many idle sites keep one. */
#include "db/lazydb.h"
#include "db/db.h"

#include <malloc.h>
#include <stdatomic.h>

#define OPEN_MAX 32 /* connections of all sites above which an idle one is closed */
#define TRIM_EACH 50 /* closed connections after which free memory goes back to the system */

static atomic_int open_count;
static atomic_uint rested;

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
	db_idle(*db);
	if (atomic_load(&open_count) <= OPEN_MAX) {
		db_release_memory(*db);
		return;
	}
	lazydb_close(db);
	if (atomic_fetch_add(&rested, 1) % TRIM_EACH == TRIM_EACH - 1)
		(void)malloc_trim(0); /* closed connections leave holes in the heap */
}

void
lazydb_settle(struct db **db, const char *path)
{
	if (db_log_size(path) > 0 && lazydb_open(db, path))
		db_settle(*db);
}
