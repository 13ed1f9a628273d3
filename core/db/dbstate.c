/* dbstate.c - the states of a site's database that read transactions show. */
#include "db/dbstate.h"
#include "call/call.h"
#include "call/site.h"
#include "db/part.h"
#include "db/reader.h"
#include "db/rows.h"
#include "db/stamp.h"
#include "db/stmt.h"

bool
dbstate_seen(struct stet_call *call, uint64_t *commits, struct dbstate *state)
{
	if (rows_begin_read(call) != STET_OK)
		return false;
	*commits = db_part(call)->db->commits;
	*state = (struct dbstate){ db_part(call)->db->stamp, db_part(call)->db->stamped };
	return true;
}

uint64_t
dbstate_commits(const struct stet_call *call)
{
	const struct db *db = db_part(call)->db;

	return db != NULL && db->reading == call ? db->commits : atomic_load(&call->site->commits);
}

struct dbstate
dbstate_now(struct site *site)
{
	struct db *db = reader_get(site);
	struct dbstate state = { 0 };

	state.known = db != NULL && stamp_read(db, &state.stamp);
	return state;
}

bool
dbstate_same(const struct dbstate *a, const struct dbstate *b)
{
	return a->known && b->known && stamp_same(&a->stamp, &b->stamp);
}
