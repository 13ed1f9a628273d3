/* backlog.c - lets administrators replay or drop deliveries that are pending or were given up. */
#include "webhooks.h"
#include <string.h>

#define BATCH_MAX 1000 /* deliveries in one request */

#define ID                                                                               \
	{                                                                                \
		"id", STET_STRING, STET_REQUIRED, "Id of the target", STET_RANGE(1, 100) \
	}
#define STATES STET_CHOICES("pending", "dead")

const struct stet_member replay_in[] = {
	ID,
	{ "deliveryId", STET_STRING, 0,
	    "One delivery, whatever its state; without it all of a state", STET_RANGE(1, 100) },
	{ "state", STET_STRING, 0,
	    "dead: those that were given up; pending: what waits is tried now", STATES,
	    .fallback = "\"dead\"" },
	{ 0 },
};
const struct stet_member replay_out[] = {
	{ "replayed", STET_INTEGER, STET_REQUIRED },
	{ "more", STET_BOOLEAN, STET_REQUIRED, "There are more: ask again" },
	{ 0 },
};
const struct stet_member drop_in[] = {
	ID,
	{ "deliveryId", STET_STRING, 0, "One delivery; without it all of a state",
	    STET_RANGE(1, 100) },
	{ "state", STET_STRING, 0, "pending: what waits; dead: those that were given up", STATES,
	    .fallback = "\"pending\"" },
	{ 0 },
};
const struct stet_member drop_out[] = {
	{ "dropped", STET_INTEGER, STET_REQUIRED },
	{ "more", STET_BOOLEAN, STET_REQUIRED, "There are more: ask again" },
	{ 0 },
};

/* ---- one delivery ---- */

struct delivery {
	const char *state, *subject;
};

static enum stet_status
find(struct stet_call *call, const char *target, const char *id, struct delivery *out)
{
	struct stet_rows rows;

	*out = (struct delivery){ 0 };
	STET_TRY(stet_query(call, &rows,
	    "SELECT state, subject FROM webhook_delivery WHERE id = ?1 AND webhook_id = ?2",
	    STET_ARGS(id, target)));
	if (stet_row(&rows))
		*out = (struct delivery){ stet_col_dup(&rows, 0), stet_col_dup(&rows, 1) };
	STET_TRY(stet_rows_end(&rows));
	if (out->state == NULL)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Delivery not found: %s", id);
	return STET_OK;
}

static bool
waits(const struct delivery *d)
{
	return strcmp(d->state, "pending") == 0;
}

static enum stet_status
count_waiting(struct stet_call *call, const char *target, int64_t more)
{
	return stet_exec(call, stet_write_tx(call),
	    "UPDATE webhook SET waiting = waiting + ?2 WHERE id = ?1", STET_ARGS(target, more));
}

/* Makes a delivery pending again. If an earlier one of its subject is pending, this one is sent
 * after it. */
static enum stet_status
replay_one(struct stet_call *call, const char *target, const char *id)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct delivery d;

	STET_TRY(find(call, target, id, &d));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE webhook_delivery SET state = 'pending', attempts = 0, dropped = 0,"
	    " due_at = CASE WHEN due_at IS NOT NULL THEN created_at END WHERE id = ?1",
	    STET_ARGS(id)));
	if (!waits(&d))
		STET_TRY(count_waiting(call, target, 1));
	return queue_mend(call, tx, target, d.subject);
}

static enum stet_status
drop_one(struct stet_call *call, const char *target, const char *id)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct delivery d;

	STET_TRY(find(call, target, id, &d));
	if (strcmp(d.state, "delivered") == 0)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "Delivery %s was made: there is nothing to drop", id);
	STET_TRY(stet_exec(call, tx,
	    "UPDATE webhook_delivery SET state = 'dead', dropped = 1, due_at = NULL WHERE id = ?1",
	    STET_ARGS(id)));
	if (!waits(&d))
		return STET_OK;
	STET_TRY(count_waiting(call, target, -1));
	return queue_mend(call, tx, target, d.subject);
}

/* ---- all of a state ---- */

/* The oldest deliveries of a state that were not dropped. Without pings: the result of a ping was
 * shown when it was sent. */
#define BATCH                                                                   \
	"(SELECT id FROM webhook_delivery WHERE webhook_id = ?1 AND state = ?2" \
	" AND dropped = 0 AND event <> ?3 ORDER BY created_at, id LIMIT ?4)"

struct subject {
	struct subject *next;
	const char *name;
};

static enum stet_status
subjects_of(struct stet_call *call, const char *target, const char *state, struct subject **out)
{
	struct stet_rows rows;

	*out = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT DISTINCT subject FROM webhook_delivery WHERE id IN " BATCH,
	    STET_ARGS(target, state, EVENT_PING, BATCH_MAX)));
	while (stet_row(&rows)) {
		struct subject *s = stet_alloc(call, sizeof(*s));

		*s = (struct subject){ *out, stet_col_dup(&rows, 0) };
		*out = s;
	}
	return stet_rows_end(&rows);
}

/* Changes the oldest deliveries of a state. `sql` is MOVE with the columns to set; *count is the
 * number of changed deliveries. */
#define MOVE(change) "UPDATE webhook_delivery SET " change " WHERE id IN " BATCH
static enum stet_status
move(struct stet_call *call, const char *target, const char *state, const char *sql, int64_t *count)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct subject *s;

	STET_TRY(subjects_of(call, target, state, &s));
	STET_TRY(stet_exec(call, tx, sql, STET_ARGS(target, state, EVENT_PING, BATCH_MAX)));
	*count = stet_changes(call);
	for (; s != NULL; s = s->next)
		STET_TRY(queue_mend(call, tx, target, s->name));
	return STET_OK;
}

static enum stet_status
replay_dead(struct stet_call *call, const char *target, int64_t *count)
{
	STET_TRY(move(call, target, "dead", MOVE("state = 'pending', attempts = 0"), count));
	return count_waiting(call, target, *count);
}

static enum stet_status
drop_all(struct stet_call *call, const char *target, const char *state, int64_t *count)
{
	STET_TRY(
	    move(call, target, state, MOVE("state = 'dead', dropped = 1, due_at = NULL"), count));
	return strcmp(state, "pending") == 0 ? count_waiting(call, target, -*count) : STET_OK;
}

/* Sets *count to the number of pending deliveries of a target. Fails if the target is disabled,
 * since nothing is sent to it. */
static enum stet_status
waiting(struct stet_call *call, const char *target, int64_t *count)
{
	struct stet_rows rows;
	bool enabled;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT waiting, enabled FROM webhook WHERE id = ?1", STET_ARGS(target)));
	*count = stet_col_int(&rows, 0);
	enabled = stet_col_int(&rows, 1) != 0;
	STET_TRY(stet_rows_end(&rows));
	if (!enabled)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "The webhook is disabled: enable it, and what waits is sent");
	return STET_OK;
}

/* ---- operations ---- */

static enum stet_status
answer(struct stet_call *call, const char *member, int64_t count, bool more)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_int(out, member, count);
	stet_put_bool(out, "more", more);
	stet_close(out);
	return STET_OK;
}

enum stet_status
delivery_replay(struct stet_call *call)
{
	const char *target = stet_arg(call, "id"), *id = stet_arg(call, "deliveryId");
	const bool pending = id == NULL && strcmp(stet_arg(call, "state"), "pending") == 0;
	int64_t count = 1;

	STET_TRY(target_check(call, target));
	if (id != NULL)
		STET_TRY(replay_one(call, target, id));
	else if (pending)
		STET_TRY(waiting(call, target, &count));
	else
		STET_TRY(replay_dead(call, target, &count));
	STET_TRY(queue_wake(call, stet_write_tx(call), target));
	return answer(call, "replayed", count, id == NULL && !pending && count == BATCH_MAX);
}

enum stet_status
delivery_drop(struct stet_call *call)
{
	const char *target = stet_arg(call, "id"), *id = stet_arg(call, "deliveryId");
	int64_t count = 1;

	STET_TRY(target_check(call, target));
	STET_TRY(id != NULL ? drop_one(call, target, id)
			    : drop_all(call, target, stet_arg(call, "state"), &count));
	/* The target's due_at may have been that of a dropped delivery, so set it to now. */
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE webhook SET due_at = CASE WHEN waiting > 0 THEN ?2 END WHERE id = ?1",
	    STET_ARGS(target, stet_time_text(call, stet_now(call)))));
	queue_wake_jobs(call);
	return answer(call, "dropped", count, id == NULL && count == BATCH_MAX);
}
