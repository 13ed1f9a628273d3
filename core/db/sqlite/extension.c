/* extension.c - what modules add to connections of SQLite. */
#include "db/sqlite/extension.h"
#include <stdatomic.h>
#include <stdbool.h>

/* Rows are added at the end and never changed. Connections are opened in any thread. */
static struct {
	atomic_size_t count;
	const struct stet_sqlite_extension *row[STET_SQLITE_EXTENSIONS_MAX];
} all;

bool
extension_add(const struct stet_sqlite_extension *row)
{
	size_t count = atomic_load(&all.count);

	if (count == STET_SQLITE_EXTENSIONS_MAX)
		return false;
	all.row[count] = row;
	atomic_store(&all.count, count + 1);
	return true;
}

int
extensions_open(struct extensions *e, sqlite3 *db)
{
	const size_t count = atomic_load(&all.count);
	int rc = SQLITE_OK;

	for (; rc == SQLITE_OK && e->count < count; e->count++)
		rc = all.row[e->count]->open(db, &e->kept[e->count]);
	return rc;
}

void
extensions_release(struct extensions *e)
{
	for (size_t i = 0; i < e->count; i++)
		if (all.row[i]->release != NULL)
			all.row[i]->release(e->kept[i]);
}

void
extensions_close(struct extensions *e)
{
	for (size_t i = 0; i < e->count; i++)
		if (all.row[i]->close != NULL)
			all.row[i]->close(e->kept[i]);
	e->count = 0;
}

int
stet_fts5_api(sqlite3 *db, fts5_api **out)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &s, NULL);

	*out = NULL;
	if (rc == SQLITE_ERROR)
		return SQLITE_OK;
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_pointer(s, 1, (void *)out, "fts5_api_ptr", NULL);
	if (rc == SQLITE_OK)
		(void)sqlite3_step(s);
	sqlite3_finalize(s);
	return rc;
}
