/*
 * queue.c - the pending deliveries of a target, and the order in which they are sent.
 *
 * Deliveries of one subject (an item, a collection, a byline) are sent one after the other. The
 * oldest pending one is the head of its subject and has a due_at; the later ones have none. So a
 * delivery that fails holds up its own subject only.
 *
 * A delivery that has failed waits for its own due_at, and for the target's retry_at; both pauses
 * grow. Until retry_at, deliveries that were never tried are sent all the same, because the fault
 * may be in the delivery that failed. If DOUBTS different deliveries have failed since the last
 * success, the fault is the target's, and these wait for retry_at, too. A success ends the pause of
 * the target.
 *
 * All times are texts of stet_time_text, which sort in the order of their times.
 */
#include "webhooks.h"
#include <string.h>

#define DOUBTS 5 /* deliveries that failed at their first attempt, since the last success */
#define FULL_TEXT                                                                           \
	"Not sent: 100000 deliveries waited for this webhook already. Replay it when fewer" \
	" wait"

static const char *
later(const char *a, const char *b)
{
	return b != NULL && strcmp(b, a) > 0 ? b : a;
}

void
queue_wake_jobs(struct stet_call *call)
{
	stet_job_wake(call, SENDER_ANY);
	stet_job_wake(call, SENDER_SOUND);
}

/* ---- adding ---- */

/* The time at which a delivery that was not tried yet is due; `due` is its own. */
static const char *
fresh_due(const struct backoff *b, const char *due)
{
	return b->failing < DOUBTS ? due : later(due, b->retry_at);
}

enum stet_status
queue_add(struct stet_call *call, struct stet_tx *tx, const struct subscriber *s,
    const struct happening *h)
{
	const char *id = stet_id(call), *now = stet_time_text(call, stet_now(call)), *due;
	const bool full = s->waiting >= WAITING_MAX;

	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO webhook_delivery (id, webhook_id, event, subject, body, state, created_at,"
	    " error, due_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, CASE WHEN ?6 = 'pending' AND"
	    " NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE webhook_id = ?2 AND subject = ?4"
	    " AND state = 'pending') THEN ?7 END)",
	    STET_ARGS(id, s->id, h->event, h->subject, event_body(call, id, h->event, now, h->data),
		full ? "dead" : "pending", now, full ? FULL_TEXT : NULL)));
	if (full)
		return STET_OK;
	due = fresh_due(&s->backoff, now);
	STET_TRY(stet_exec(call, tx,
	    "UPDATE webhook SET waiting = waiting + 1,"
	    " due_at = CASE WHEN due_at IS NULL OR due_at > ?2 THEN ?2 ELSE due_at END"
	    " WHERE id = ?1",
	    STET_ARGS(s->id, due)));
	/* If the target is due earlier, the jobs know that already. */
	if (s->due_at == NULL || strcmp(s->due_at, due) > 0)
		queue_wake_jobs(call);
	return STET_OK;
}

/* ---- the next one ---- */

#define HEAD(attempts)                                                            \
	"SELECT id, event, subject, body, attempts, due_at FROM webhook_delivery" \
	" WHERE webhook_id = ?1 AND attempts " attempts                           \
	" AND due_at IS NOT NULL ORDER BY due_at, id LIMIT 1"

static enum stet_status
head(struct stet_call *call, const char *sql, const char *target, struct attempt *a,
    const char **due)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, sql, STET_ARGS(target)));
	if (stet_row(&rows)) {
		a->id = stet_col_dup(&rows, 0);
		a->event = stet_col_dup(&rows, 1);
		a->subject = stet_col_dup(&rows, 2);
		a->body = stet_col_dup(&rows, 3);
		a->number = stet_col_int(&rows, 4) + 1;
		*due = stet_col_dup(&rows, 5);
	}
	return stet_rows_end(&rows);
}

enum stet_status
queue_next(struct stet_call *call, const struct backoff *b, struct attempt *out, const char **due)
{
	struct attempt fresh = *out, tried = *out;
	const char *fresh_at = NULL, *tried_at = NULL;

	STET_TRY(head(call, HEAD("= 0"), out->target, &fresh, &fresh_at));
	STET_TRY(head(call, HEAD("> 0"), out->target, &tried, &tried_at));
	if (fresh_at != NULL)
		fresh_at = fresh_due(b, fresh_at);
	if (tried_at != NULL)
		tried_at = later(tried_at, b->retry_at);
	if (tried_at == NULL || (fresh_at != NULL && strcmp(fresh_at, tried_at) <= 0)) {
		*out = fresh;
		*due = fresh_at;
	} else {
		*out = tried;
		*due = tried_at;
	}
	return STET_OK;
}

/* ---- the head of a subject ---- */

#define OLDEST                                                                     \
	"UPDATE webhook_delivery SET due_at = created_at WHERE id ="               \
	" (SELECT id FROM webhook_delivery WHERE webhook_id = ?1 AND subject = ?2" \
	" AND state = 'pending' ORDER BY created_at, id LIMIT 1)"

enum stet_status
queue_release(struct stet_call *call, struct stet_tx *tx, const char *target, const char *subject)
{
	return stet_exec(call, tx, OLDEST, STET_ARGS(target, subject));
}

enum stet_status
queue_mend(struct stet_call *call, struct stet_tx *tx, const char *target, const char *subject)
{
	return stet_exec(call, tx,
	    OLDEST " AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE webhook_id = ?1"
		   " AND subject = ?2 AND state = 'pending' AND due_at IS NOT NULL)",
	    STET_ARGS(target, subject));
}

enum stet_status
queue_wake(struct stet_call *call, struct stet_tx *tx, const char *target)
{
	const char *now = stet_time_text(call, stet_now(call));

	STET_TRY(stet_exec(call, tx,
	    "UPDATE webhook_delivery SET due_at = ?2"
	    " WHERE webhook_id = ?1 AND attempts > 0 AND due_at > ?2",
	    STET_ARGS(target, now)));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE webhook SET failing = 0, retry_at = NULL,"
	    " due_at = CASE WHEN waiting > 0 THEN ?2 END WHERE id = ?1",
	    STET_ARGS(target, now)));
	queue_wake_jobs(call);
	return STET_OK;
}

/* ---- queues that earlier versions wrote ---- */

struct old {
	struct old *next;
	const char *id, *subject;
};

/* The subject of a delivery, computed from its body. */
static const char *
subject_in(struct stet_call *call, const char *event, const char *body)
{
	json_t *json = json_loads(body, 0, NULL);
	const json_t *data = json_object_get(json, "data");
	const char *subject, *key;

	if (strcmp(event, EVENT_PURGE) == 0) {
		key = json_string_value(json_array_get(json_object_get(data, "keys"), 0));
		subject = key != NULL ? stet_strdup(call, key) : "";
	} else
		subject = event_subject(call, event, data);
	json_decref(json);
	return subject;
}

/* Leaves out delivered ones: if such a delivery is replayed, its subject is "". */
static enum stet_status
name_subjects(struct stet_call *call, struct stet_tx *tx)
{
	struct old *all = NULL, *one;
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, event, body FROM webhook_delivery WHERE state IN ('pending', 'dead')",
	    STET_NO_ARGS));
	while (stet_row(&rows)) {
		one = stet_alloc(call, sizeof(*one));
		*one = (struct old){ all, stet_col_dup(&rows, 0),
			subject_in(call, stet_col_str(&rows, 1), stet_col_str(&rows, 2)) };
		all = one;
	}
	STET_TRY(stet_rows_end(&rows));
	for (; all != NULL; all = all->next)
		STET_TRY(
		    stet_exec(call, tx, "UPDATE webhook_delivery SET subject = ?2 WHERE id = ?1",
			STET_ARGS(all->id, all->subject)));
	return STET_OK;
}

enum stet_status
queue_migrate(struct stet_call *call, struct stet_tx *tx)
{
	STET_TRY(name_subjects(call, tx));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE webhook_delivery SET due_at = CASE WHEN attempts = 0 THEN created_at ELSE"
	    " COALESCE((SELECT w.due_at FROM webhook w WHERE w.id = webhook_id), created_at) END"
	    " WHERE state = 'pending' AND id = (SELECT d.id FROM webhook_delivery d"
	    " WHERE d.webhook_id = webhook_delivery.webhook_id"
	    " AND d.subject = webhook_delivery.subject AND d.state = 'pending'"
	    " ORDER BY d.created_at, d.id LIMIT 1)",
	    STET_NO_ARGS));
	return stet_exec(call, tx,
	    "UPDATE webhook SET waiting = (SELECT COUNT(*) FROM webhook_delivery d"
	    " WHERE d.webhook_id = webhook.id AND d.state = 'pending'),"
	    " last_error = (SELECT d.error FROM webhook_delivery d WHERE d.webhook_id = webhook.id"
	    " AND d.state = 'pending' AND d.error IS NOT NULL ORDER BY d.created_at LIMIT 1),"
	    " due_at = CASE WHEN due_at IS NOT NULL THEN"
	    " (SELECT MIN(d.due_at) FROM webhook_delivery d WHERE d.webhook_id = webhook.id) END",
	    STET_NO_ARGS);
}
