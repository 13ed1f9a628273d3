/* stamp.c - the state of a database, which its driver reads. */
#include "db/stamp.h"
#include "db/dbstats.h"
#include "db/stmt.h"
#include <string.h>

bool
stamp_read(struct db *db, struct stamp *out)
{
	int64_t then = dbstats_now(db);
	bool known = db->driver->state_read(db, out);

	dbstats_state(db, then);
	return known;
}

bool
stamp_same(const struct stamp *a, const struct stamp *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}
