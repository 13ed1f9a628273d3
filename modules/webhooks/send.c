/*
 * send.c - sends deliveries. A job takes a target that no other job is sending to, and sends its
 * pending deliveries in the order of queue.c. The target's row has the time of its next attempt.
 * The state of a delivery is only in the database: after a crash it is sent again with the same id,
 * so receivers must expect duplicates.
 */
#include "webhooks.h"
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stet/fetch.h>
#include <string.h>

#define TURN 20 /* deliveries to one target before other targets get their turn */
#define TURN_MS 10000 /* also ends a turn, if it was reached before */
#define LOOK_MS                                                                             \
	60000 /* how often to look at the database, since another process may have stored a \
		 delivery */
#define TIMEOUT_MS 10000
#define ANSWER_MAX 1024 /* bytes of a response that are stored */
#define PAUSE_MS INT64_C(10000) /* after the first failure; doubled after each further one */
#define PAUSE_MAX_MS INT64_C(21600000) /* longest pause of a delivery: six hours */
#define TARGET_PAUSE_MAX_MS INT64_C(3600000) /* of a target, which may work again: one hour */

/* ---- choosing a target ---- */

#define DUE(which)                                                                      \
	"SELECT id, due_at FROM webhook WHERE enabled = 1 AND due_at IS NOT NULL" which \
	" ORDER BY due_at, id LIMIT ?1"
static const char any[] = DUE(""), sound[] = DUE(" AND failures = 0");

struct found {
	const char *id;
	int64_t due;
};

/* Finds the targets with the earliest due_at: one more than the other jobs can be sending to. */
static enum stet_status
find_due(struct stet_call *call, const char *which, struct found found[SENDERS], size_t *count)
{
	struct stet_rows rows;

	*count = 0;
	STET_TRY(stet_query(call, &rows, which, STET_ARGS(SENDERS)));
	while (stet_row(&rows)) {
		struct found *f = &found[(*count)++];

		f->id = stet_col_dup(&rows, 0);
		if (!stet_time_parse(stet_col_str(&rows, 1), &f->due))
			f->due = 0;
	}
	return stet_rows_end(&rows);
}

/* Returns the entry of `busy` with this target, or with "" a free one; NULL: there is none. The
 * caller holds the lock. */
static char *
place_of(struct webhooks_state *state, const char *id)
{
	for (size_t i = 0; i < SENDERS; i++)
		if (strcmp(state->busy[i], id) == 0)
			return state->busy[i];
	return NULL;
}

static int64_t
next_due(struct stet_call *call, const char *which)
{
	struct webhooks_state *state = stet_state(call);
	int64_t due = stet_now(call) + LOOK_MS;
	struct found found[SENDERS];
	size_t count;

	if (find_due(call, which, found, &count) != STET_OK)
		return due;
	pthread_mutex_lock(&state->lock);
	for (size_t i = 0; i < count; i++)
		if (found[i].due < due && place_of(state, found[i].id) == NULL)
			due = found[i].due;
	pthread_mutex_unlock(&state->lock);
	return due;
}

int64_t
send_due_any(struct stet_call *call)
{
	return next_due(call, any);
}

int64_t
send_due_sound(struct stet_call *call)
{
	return next_due(call, sound);
}

/* Claims one of the targets for this job; NULL: none is free. */
static char *
claim(struct webhooks_state *state, const struct found *found, size_t count, int64_t now)
{
	char *place = NULL;

	pthread_mutex_lock(&state->lock);
	for (size_t i = 0; i < count && place == NULL; i++) {
		if (found[i].due > now || place_of(state, found[i].id) != NULL)
			continue;
		place = place_of(state, "");
		if (place != NULL)
			(void)snprintf(place, ID_SIZE, "%s", found[i].id);
	}
	pthread_mutex_unlock(&state->lock);
	return place;
}

static void
let_go(struct webhooks_state *state, char *place)
{
	pthread_mutex_lock(&state->lock);
	*place = '\0';
	pthread_mutex_unlock(&state->lock);
}

/* ---- one request ---- */

static const char *
signature(
    struct stet_call *call, const struct attempt *a, const char *secret, const char *timestamp)
{
	unsigned char mac[crypto_auth_hmacsha256_BYTES];
	char hex[2 * sizeof(mac) + 1];
	crypto_auth_hmacsha256_state state;

	crypto_auth_hmacsha256_init(&state, (const unsigned char *)secret, strlen(secret));
	crypto_auth_hmacsha256_update(&state, (const unsigned char *)timestamp, strlen(timestamp));
	crypto_auth_hmacsha256_update(&state, (const unsigned char *)".", 1);
	crypto_auth_hmacsha256_update(&state, (const unsigned char *)a->body, strlen(a->body));
	crypto_auth_hmacsha256_final(&state, mac);
	sodium_bin2hex(hex, sizeof(hex), mac, sizeof(mac));
	return stet_strdup(call, hex);
}

/* Converts the response to valid UTF-8: it is untrusted, and may be cut inside a character. */
static const char *
as_text(struct stet_call *call, const struct stet_fetched *answer)
{
	char *text = stet_strndup(call, answer->body, answer->len);
	size_t len = answer->len;

	for (size_t i = 0; i < len; i++)
		if (((unsigned char)text[i] < ' ' && text[i] != '\n' && text[i] != '\t') ||
		    text[i] == '\x7f')
			text[i] = ' ';
	for (int i = 0; answer->cut && i < 3 && len > 0 && stet_utf8_length(text) < 0; i++)
		text[--len] = '\0';
	if (stet_utf8_length(text) < 0)
		for (size_t i = 0; i < len; i++)
			if ((unsigned char)text[i] > '\x7f')
				text[i] = '?';
	return text;
}

static void
send_signed(struct stet_call *call, struct attempt *a, const char *secret)
{
	const char *timestamp = stet_printf(call, "%" PRId64, stet_now(call) / 1000);
	const char *const headers[] = { "Content-Type: application/json",
		stet_printf(call, "X-Stet-Event: %s", a->event),
		stet_printf(call, "X-Stet-Delivery: %s", a->id),
		stet_printf(call, "X-Stet-Attempt: %" PRId64, a->number),
		stet_printf(call, "X-Stet-Timestamp: %s", timestamp),
		stet_printf(
		    call, "X-Stet-Signature: sha256=%s", signature(call, a, secret, timestamp)),
		NULL };
	const struct stet_fetch ask = { .headers = headers,
		.body = a->body,
		.body_len = strlen(a->body),
		.timeout = TIMEOUT_MS,
		.most = ANSWER_MAX,
		.cut = true };
	struct stet_fetched answer;
	enum stet_status status = stet_fetch(call, a->url, &ask, &answer);

	a->status = answer.status;
	a->duration = answer.duration;
	a->response = as_text(call, &answer);
	a->good = status == STET_OK && a->status >= 200 && a->status < 300;
	a->gone = status == STET_OK && a->status == 410;
	a->unsent = status == STET_UNAVAILABLE;
	if (status != STET_OK)
		a->error = stet_error_text(call);
	else if (!a->good)
		a->error = stet_printf(call, "answered %d", a->status);
	stet_error_clear(call);
}

/* Without a secret the receiver could not verify the request, so it is not sent. */
void
send_once(struct stet_call *call, struct attempt *a)
{
	const char *secret;

	if (target_secret(call, a->target, a->sealed, &secret) == STET_OK)
		send_signed(call, a, secret);
	else
		a->error = stet_printf(
		    call, "its secret cannot be opened: rotate it (%s)", stet_error_text(call));
	stet_error_clear(call);
}

/* ---- results ---- */

/* Exponential backoff: doubled with each failure, plus or minus a quarter at random, so that
 * targets are not all tried at the same time. */
static int64_t
pause_after(int64_t failures, int64_t most)
{
	int64_t ms = PAUSE_MS;

	while (--failures > 0 && ms < most)
		ms *= 2;
	if (ms > most)
		ms = most;
	return ms - ms / 4 + (int64_t)randombytes_uniform((uint32_t)(ms / 2) + 1);
}

static const char *
after(struct stet_call *call, int64_t failures, int64_t most)
{
	return stet_time_text(call, stet_now(call) + pause_after(failures, most));
}

/* Stores the result of an attempt. *stood is false if the delivery is no longer pending: it was
 * dropped meanwhile, or its target was deleted. */
static enum stet_status
note_answer(struct stet_call *call, struct stet_tx *tx, const struct attempt *a, const char *state,
    const char *due, bool *stood)
{
	STET_TRY(stet_exec(call, tx,
	    "UPDATE webhook_delivery SET state = ?2, status = ?3, duration = ?4, error = ?5,"
	    " response = ?6, due_at = ?7 WHERE id = ?1 AND state = 'pending'",
	    STET_ARGS(a->id, state, a->status != 0 ? stet_val_int(a->status) : stet_val_null(),
		a->duration, a->error, a->response, due)));
	*stood = stet_changes(call) > 0;
	return *stood && due == NULL ? queue_release(call, tx, a->target, a->subject) : STET_OK;
}

/* The reason to disable a target that has failed too often; NULL: it stays enabled. */
static const char *
reason_to_disable(struct stet_call *call, const struct attempt *a, int64_t failures)
{
	if (a->gone)
		return "It answered 410 Gone";
	if (failures >= json_integer_value(stet_setting(call, "disableAfter")))
		return stet_printf(
		    call, "%" PRId64 " attempts in a row failed; the last: %s", failures, a->error);
	return NULL;
}

static enum stet_status
failures_of(struct stet_call *call, const char *target, int64_t *failures)
{
	struct stet_rows rows;

	*failures = 0;
	STET_TRY(stet_query(
	    call, &rows, "SELECT failures FROM webhook WHERE id = ?1", STET_ARGS(target)));
	if (stet_row(&rows))
		*failures = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
failed(struct stet_call *call, struct stet_tx *tx, const struct attempt *a)
{
	const bool dead = a->number >= json_integer_value(stet_setting(call, "attempts"));
	const char *due = dead ? NULL : after(call, a->number, PAUSE_MAX_MS), *reason;
	int64_t failures;
	bool stood;

	STET_TRY(note_answer(call, tx, a, dead ? "dead" : "pending", due, &stood));
	STET_TRY(failures_of(call, a->target, &failures));
	reason = reason_to_disable(call, a, ++failures);
	STET_TRY(stet_exec(call, tx,
	    "UPDATE webhook SET failures = ?2, failing = failing + ?3, failed_at = ?4,"
	    " retry_at = ?5, last_error = ?6, waiting = waiting - ?7,"
	    " enabled = CASE WHEN COALESCE(?8, '') = '' THEN enabled ELSE 0 END,"
	    " disabled_reason = COALESCE(?8, disabled_reason) WHERE id = ?1",
	    STET_ARGS(a->target, failures, (int64_t)(a->number == 1),
		stet_time_text(call, stet_now(call)), after(call, failures, TARGET_PAUSE_MAX_MS),
		a->error, (int64_t)(dead && stood), reason)));
	stet_log(call, dead || reason != NULL ? STET_WARN : STET_INFO,
	    "delivery %s to webhook %s: attempt %" PRId64 ": %s%s%s%s", a->id, a->target, a->number,
	    a->error, dead ? "; given up" : "", reason != NULL ? "; webhook disabled: " : "",
	    reason != NULL ? reason : "");
	return STET_OK;
}

static enum stet_status
delivered(struct stet_call *call, struct stet_tx *tx, const struct attempt *a)
{
	bool stood;

	STET_TRY(note_answer(call, tx, a, "delivered", NULL, &stood));
	return stet_exec(call, tx,
	    "UPDATE webhook SET failures = 0, failing = 0, retry_at = NULL, succeeded_at = ?2,"
	    " waiting = waiting - ?3 WHERE id = ?1",
	    STET_ARGS(a->target, stet_time_text(call, stet_now(call)), (int64_t)stood));
}

/* ---- one delivery after the other ---- */

struct round {
	const char *target;
	const struct attempt *last; /* the delivery that was sent; NULL: none yet */
	bool more; /* continue with this target */
	struct attempt next; /* the delivery to send next; id NULL: none now */
};

/* Reads the target. a->url stays NULL if it is disabled or was deleted. */
static enum stet_status
read_target(struct stet_call *call, struct attempt *a, struct backoff *backoff)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT url, secret, failing, retry_at FROM webhook WHERE id = ?1 AND enabled = 1",
	    STET_ARGS(a->target)));
	if (stet_row(&rows)) {
		a->url = stet_col_dup(&rows, 0);
		a->sealed = stet_col_dup(&rows, 1);
		*backoff = (struct backoff){ stet_col_int(&rows, 2), stet_col_dup(&rows, 3) };
	}
	return stet_rows_end(&rows);
}

/* Takes the next delivery if it is due and the round goes on. If not, stores in the target's row
 * when it is due; that is never earlier than now, so that targets which have waited longer come
 * first. The attempt is counted before it is made, so that it counts even if the daemon crashes in
 * it. */
static enum stet_status
take(struct stet_call *call, struct stet_tx *tx, struct round *r)
{
	const char *now = stet_time_text(call, stet_now(call)), *due = NULL;
	struct attempt *a = &r->next;
	struct backoff backoff;

	*a = (struct attempt){ .target = r->target };
	STET_TRY(read_target(call, a, &backoff));
	if (a->url == NULL)
		return STET_OK;
	STET_TRY(queue_next(call, &backoff, a, &due));
	if (r->more && due != NULL && strcmp(due, now) <= 0)
		return stet_exec(call, tx,
		    "UPDATE webhook_delivery SET attempts = ?2, tried_at = ?3 WHERE id = ?1",
		    STET_ARGS(a->id, a->number, now));
	a->id = NULL;
	return stet_exec(call, tx, "UPDATE webhook SET due_at = ?2 WHERE id = ?1",
	    STET_ARGS(r->target, due != NULL && strcmp(due, now) < 0 ? now : due));
}

/* Nothing was sent, since another daemon may send now: it was no attempt. The delivery stays due,
 * for whoever comes next. */
static enum stet_status
give_back(struct stet_call *call, struct stet_tx *tx, const struct attempt *a)
{
	return stet_exec(call, tx,
	    "UPDATE webhook_delivery SET attempts = ?2 - 1,"
	    " tried_at = CASE WHEN ?2 > 1 THEN tried_at ELSE NULL END"
	    " WHERE id = ?1 AND attempts = ?2 AND state = 'pending'",
	    STET_ARGS(a->id, a->number));
}

static enum stet_status
settle_and_take(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct round *r = arg;

	if (r->last != NULL && r->last->unsent) {
		r->next = (struct attempt){ .target = r->target };
		return give_back(call, tx, r->last);
	}
	if (r->last != NULL)
		STET_TRY(r->last->good ? delivered(call, tx, r->last) : failed(call, tx, r->last));
	return take(call, tx, r);
}

/* Sends the pending deliveries of a target that are due. Each transaction stores the result of one
 * delivery and takes the next. */
static enum stet_status
serve(struct stet_call *call, const char *target)
{
	struct round r = { .target = target, .more = true };
	struct attempt sent;
	int64_t spent = 0;

	STET_TRY(stet_write_lane(call, settle_and_take, &r));
	for (int turn = 1; r.next.id != NULL; turn++) {
		sent = r.next;
		send_once(call, &sent);
		spent += sent.duration;
		r.last = &sent;
		r.more = turn < TURN && spent < TURN_MS;
		STET_TRY(stet_write_lane(call, settle_and_take, &r));
	}
	return STET_OK;
}

static enum stet_status
serve_one(struct stet_call *call, const char *which)
{
	struct webhooks_state *state = stet_state(call);
	struct found found[SENDERS];
	enum stet_status status;
	size_t count;
	char *place;

	STET_TRY(find_due(call, which, found, &count));
	place = claim(state, found, count, stet_now(call));
	if (place == NULL)
		return STET_OK;
	status = serve(call, stet_strdup(call, place));
	let_go(state, place);
	/* While the target was claimed, the other job ignored it; it may have more deliveries to
	 * send. */
	queue_wake_jobs(call);
	return status;
}

enum stet_status
send_run_any(struct stet_call *call)
{
	return serve_one(call, any);
}

enum stet_status
send_run_sound(struct stet_call *call)
{
	return serve_one(call, sound);
}
