/* litestate.c - reads the state of a database from the index of its WAL. */
#include "db/sqlite/litestate.h"
#include "db/sqlite/litetx.h"
#include "db/stamp.h"

/* The index (the file stet.db-shm, format 3007000: sqlite.org/walformat.html) begins with two
 * copies of its header. A process that commits writes the second copy, a memory barrier, then the
 * first. A reader that reads them in the opposite order and finds them equal has read a whole
 * header. The file is not opened here: the mapping belongs to the connection and lives as long. */
#define PAGE 32768
#define FORMAT 3007000
#define WORDS (sizeof(struct stamp) / sizeof(uint32_t))
#define INITIALIZED 3 /* the word whose first byte is the flag isInit */

/* A file that was copied, and not opened by a writer yet, has no log: byte 19 tells
 * (sqlite.org/fileformat2.html#file_format_version_numbers). */
static bool
has_log(sqlite3_file *file)
{
	unsigned char version = 0;

	return file->pMethods->xRead(file, &version, 1, 19) == SQLITE_OK && version == 2;
}

static const volatile uint32_t *
map(struct db *db)
{
	volatile void *page = NULL;
	sqlite3_file *file = NULL;

	/* A connection that has read has opened the WAL. */
	if (litetx_data_version(db) == -1 ||
	    sqlite3_file_control(liteconn(db)->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) !=
		SQLITE_OK ||
	    file == NULL || file->pMethods == NULL || file->pMethods->iVersion < 2 ||
	    !has_log(file) || file->pMethods->xShmMap(file, 0, PAGE, 0, &page) != SQLITE_OK)
		return NULL;
	return page;
}

/* Other processes and threads write this memory. Each word is read once, and stamp_read checks
 * the result as a whole. */
__attribute__((no_sanitize("thread"))) static void
copy(const volatile uint32_t *from, struct stamp *to)
{
	for (size_t i = 0; i < WORDS; i++)
		to->word[i] = from[i];
}

bool
litestate_read(struct db *db, struct stamp *out)
{
	struct sqlite_db *c = liteconn(db);
	struct stamp second;

	if (c->index == NULL && (c->index = map(db)) == NULL)
		return false;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	copy(c->index, out);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	copy(c->index + WORDS, &second);
	return stamp_same(out, &second) && out->word[0] == FORMAT &&
	       *(const unsigned char *)&out->word[INITIALIZED] != 0;
}
