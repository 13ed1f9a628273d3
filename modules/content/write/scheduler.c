/*
 * scheduler.c - stores who scheduled the publication of an item, or its end. The job acts for that
 * user, and checks the user's rights again: a user who was disabled or got a lower role publishes
 * and unpublishes nothing.
 *
 * A schedule without a row here has no user: a command, an import of files or an earlier version
 * made it. A row is valid only for its own time, so a row of an earlier schedule does no harm.
 */
#include "write/write.h"
#include <stet/users.h>
#include <string.h>

/* Statements of each act. */
static const struct {
	const char *insert, *forget, *find;
} statements[ACTS] = {
	{ "INSERT INTO item_scheduler (item, user_id, scheduled_at)"
	  " SELECT ?1, id, ?3 FROM users WHERE id = ?2",
	    "DELETE FROM item_scheduler WHERE item = ?1",
	    "SELECT user_id FROM item_scheduler WHERE item = ?1 AND scheduled_at = ?2" },
	{ "INSERT INTO item_unpublisher (item, user_id, unpublish_at)"
	  " SELECT ?1, id, ?3 FROM users WHERE id = ?2",
	    "DELETE FROM item_unpublisher WHERE item = ?1",
	    "SELECT user_id FROM item_unpublisher WHERE item = ?1 AND unpublish_at = ?2" },
};

enum stet_status
scheduler_note(
    struct stet_call *call, struct stet_tx *tx, enum act act, const char *item, const char *at)
{
	const struct stet_principal *p = stet_principal(call);

	STET_TRY(scheduler_forget(call, tx, act, item));
	if (at == NULL || p == NULL || *p->id == '\0')
		return STET_OK;
	/* A principal made by a plugin is not a user, so its rights cannot be checked later. */
	return stet_exec(call, tx, statements[act].insert, STET_ARGS(item, p->id, at));
}

enum stet_status
scheduler_forget(struct stet_call *call, struct stet_tx *tx, enum act act, const char *item)
{
	return stet_exec(call, tx, statements[act].forget, STET_ARGS(item));
}

/* Returns the user who scheduled the item for this time, or NULL. */
static enum stet_status
find(struct stet_call *call, enum act act, const char *item, const char *at, const char **user_id)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, statements[act].find, STET_ARGS(item, at)));
	*user_id = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

enum stet_status
scheduler_judge(struct stet_call *call, enum act act, const struct now *now)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	const char *at = act == PUBLISHES ? now->scheduled : now->unpublish, *user_id;
	bool own;
	int role;

	STET_TRY(find(call, act, now->id, at, &user_id));
	if (user_id == NULL)
		return STET_OK;
	STET_TRY(users->role(call, user_id, &role));
	own = now->author != NULL && strcmp(now->author, user_id) == 0;
	if (stet_role_may(call, role, own ? "content:publish_own" : "content:publish_any"))
		return STET_OK;
	return stet_fail(call, STET_FORBIDDEN, NULL,
	    "The user who scheduled it may not %s it any more: schedule it again",
	    act == PUBLISHES ? "publish" : "unpublish");
}

void
scheduler_wake(struct stet_call *call)
{
	stet_job_wake(call, SCHEDULE_JOB);
}
