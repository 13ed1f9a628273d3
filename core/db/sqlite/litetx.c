/* litetx.c - begins and ends transactions, with statements that each connection keeps. */
#include "db/sqlite/litetx.h"
#include "db/sqlite/litecode.h"

static const char *const words[LITE_WORDS] = {
	[LITE_BEGIN] = "BEGIN",
	[LITE_BEGIN_IMMEDIATE] = "BEGIN IMMEDIATE",
	[LITE_COMMIT] = "COMMIT",
	[LITE_ROLLBACK] = "ROLLBACK",
	[LITE_SAVEPOINT] = "SAVEPOINT call",
	[LITE_RELEASE] = "RELEASE call",
	[LITE_ROLLBACK_TO] = "ROLLBACK TO call",
	[LITE_DATA_VERSION] = "PRAGMA data_version",
};

/* Steps the core's own statement once; the caller resets it. */
static int
step(struct sqlite_db *c, enum lite_word word)
{
	int rc = SQLITE_OK;

	c->trusted = true;
	c->db.deadline = 0;
	if (c->word[word] == NULL)
		rc = sqlite3_prepare_v3(
		    c->handle, words[word], -1, SQLITE_PREPARE_PERSISTENT, &c->word[word], NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(c->word[word]);
	c->trusted = false;
	return rc;
}

static enum db_error
say(struct db *db, enum lite_word word)
{
	struct sqlite_db *c = liteconn(db);
	int rc = step(c, word);

	sqlite3_reset(c->word[word]);
	return rc == SQLITE_DONE ? DB_OK : litecode(c, rc);
}

int64_t
litetx_data_version(struct db *db)
{
	struct sqlite_db *c = liteconn(db);
	int64_t version = -1;

	if (step(c, LITE_DATA_VERSION) == SQLITE_ROW)
		version = sqlite3_column_int64(c->word[LITE_DATA_VERSION], 0);
	sqlite3_reset(c->word[LITE_DATA_VERSION]);
	return version;
}

enum db_error
litetx_begin(struct db *db, enum db_mode mode)
{
	return say(db, mode == DB_WRITE ? LITE_BEGIN_IMMEDIATE : LITE_BEGIN);
}

/* Unlike data_version, this number counts the connection's own commits, too, and needs no
 * statement. It changes when the connection begins to read what another has written. */
static unsigned
version(struct sqlite_db *c)
{
	unsigned out = 0;

	sqlite3_file_control(c->handle, "main", SQLITE_FCNTL_DATA_VERSION, &out);
	return out;
}

enum db_error
litetx_commit(struct db *db)
{
	enum db_error error = say(db, LITE_COMMIT);

	liteconn(db)->left = version(liteconn(db));
	return error;
}

bool
litetx_alone(struct db *db)
{
	return version(liteconn(db)) == liteconn(db)->left;
}

enum db_error
litetx_rollback(struct db *db)
{
	return say(db, LITE_ROLLBACK);
}

enum db_error
litetx_savepoint(struct db *db)
{
	return say(db, LITE_SAVEPOINT);
}

enum db_error
litetx_release(struct db *db)
{
	return say(db, LITE_RELEASE);
}

enum db_error
litetx_rollback_to(struct db *db)
{
	return say(db, LITE_ROLLBACK_TO);
}

bool
litetx_is_open(const struct db *db)
{
	return sqlite3_get_autocommit(((const struct sqlite_db *)db)->handle) == 0;
}

/* SQLite counts changed rows; `altered` counts statements that change something else, such as
 * tables. */
uint64_t
litetx_written(const struct db *db)
{
	sqlite3 *handle = ((const struct sqlite_db *)db)->handle;

	return (uint64_t)sqlite3_total_changes64(handle) + db->altered;
}
