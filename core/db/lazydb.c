/* lazydb.c - write connections that are opened when there is something to write. */
#include "db/lazydb.h"
#include "db/checkpoint.h"
#include "db/db.h"

#include <malloc.h>
#include <stdatomic.h>

#define OPEN_MAX 32 /* that sites keep while they are idle, in all */
#define TRIM_EACH 50 /* that were closed */

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
	checkpoint_idle(*db);
	if (atomic_load(&open_count) <= OPEN_MAX) {
		db_release_memory(*db);
		return;
	}
	lazydb_close(db);
	if (atomic_fetch_add(&rested, 1) % TRIM_EACH == TRIM_EACH - 1)
		(void)malloc_trim(0); /* what they leave are holes, for the system to have */
}

void
lazydb_settle(struct db **db, const char *path)
{
	if (checkpoint_log_size(path) > 0 && lazydb_open(db, path))
		checkpoint_empty_log(*db);
}
