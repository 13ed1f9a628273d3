/* stamp.c - the state of a database, which its driver reads. */
#include "db/stamp.h"
#include "db/stmt.h"
#include <string.h>

bool
stamp_read(struct db *db, struct stamp *out)
{
	return db->driver->state_read(db, out);
}

bool
stamp_same(const struct stamp *a, const struct stamp *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}
