/* index.c - indexes that are made while their tables are in use (stet/index.h). */
#include "base/arena.h"
#include "call/call.h"
#include "call/site.h"
#include "db/db.h"
#include "db/driver.h"
#include "db/stmt.h"
#include <stdlib.h>
#include <stet/index.h>

struct stet_index {
	struct db *db;
};

static const struct db_driver *
driver_of(struct stet_call *call)
{
	return db_driver_of(call->site->db_place);
}

bool
stet_index_apart(struct stet_call *call)
{
	return driver_of(call) != NULL && driver_of(call)->index_begin != NULL;
}

static enum stet_status
failed(struct stet_call *call, const struct stet_index *at, enum db_error error)
{
	enum stet_status status = db_status(error);

	if (status == STET_CONFLICT)
		return status;
	return stet_fail(call, status, NULL, "%s", at->db->driver->message(at->db));
}

enum stet_status
stet_index_begin(struct stet_call *call, const char *name, const char *sql, struct stet_index **out)
{
	struct stet_index *at = xcalloc(1, sizeof(*at));
	enum stet_status status;
	enum db_error error;

	*out = NULL;
	at->db = db_open(call->site->db_place, DB_ASIDE);
	if (at->db == NULL) {
		free(at);
		return stet_fail(call, STET_UNAVAILABLE, NULL, "the database cannot be reached");
	}
	error = driver_of(call)->index_begin(at->db, name, sql);
	if (error == DB_OK) {
		*out = at;
		return STET_OK;
	}
	status = failed(call, at, error);
	stet_index_drop(at);
	return status;
}

enum stet_status
stet_index_end(struct stet_call *call, struct stet_index **at)
{
	bool over;
	enum db_error error = (*at)->db->driver->index_end((*at)->db, &over);
	enum stet_status status;

	if (!over)
		return STET_DECLINED;
	status = error == DB_OK ? STET_OK : failed(call, *at, error);
	stet_index_drop(*at);
	*at = NULL;
	return status;
}

void
stet_index_drop(struct stet_index *at)
{
	if (at == NULL)
		return;
	db_close(at->db);
	free(at);
}
