/* common.c - see common.h. */
#include "db/common.h"
#include "call/call.h"
#include "call/site.h"
#include "db/db.h"
#include "db/part.h"
#include "db/rows.h"
#include "db/stmt.h"

bool
common_of(const struct site *site, const struct stamp *stamp, struct db_common *out)
{
	const struct db_driver *driver = db_driver_of(site->db_place);

	if (driver == NULL || driver->common == NULL)
		return false;
	driver->common(stamp, out);
	return true;
}

bool
common_seen(struct stet_call *call, struct db_common *out)
{
	const struct db *db;

	if (rows_begin_read(call) != STET_OK)
		return false;
	db = db_part(call)->db;
	return db->stamped && common_of(call->site, &db->stamp, out);
}

/* Returns true if the site was compiled for this, or not yet. */
static bool
fits(struct site *site, const struct db_common *common)
{
	struct generation *gen = site_generation(site);
	bool same = gen == NULL || atomic_load(&gen->common) == common->generation;

	if (gen != NULL)
		generation_put(gen);
	return same;
}

enum stet_status
common_check(struct db *db, struct site *site, int64_t *other)
{
	struct db_common common;
	struct stamp state;

	if (other != NULL)
		*other = -1;
	if (site == NULL || db->driver->locked == NULL || !db->driver->locked(db, &state))
		return STET_OK;
	db->driver->common(&state, &common);
	if (common.closed != 0 && !atomic_load(&site->closer))
		return STET_UNAVAILABLE;
	if (other == NULL || fits(site, &common))
		return STET_OK;
	*other = common.generation;
	return STET_UNAVAILABLE;
}

static enum stet_status
told(struct stet_call *call, struct db *db, enum db_error error)
{
	if (error == DB_OK)
		return STET_OK;
	return stet_fault(call, "others cannot be told: %s", db->driver->message(db));
}

enum stet_status
common_shut(struct stet_call *call, struct stet_tx *tx, int64_t ms)
{
	struct db *db = db_part(tx->call)->db;

	return db->driver->shut != NULL ? told(call, db, db->driver->shut(db, ms)) : STET_OK;
}

enum stet_status
common_renew(struct stet_call *call, struct stet_tx *tx)
{
	struct db *db = db_part(tx->call)->db;

	return db->driver->renew != NULL ? told(call, db, db->driver->renew(db)) : STET_OK;
}
