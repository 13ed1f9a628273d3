/* delivery.c - the log of deliveries: lists them, sends pings, and deletes old ones. */
#include "webhooks.h"
#include <string.h>

#define KEEP_MS 600000
#define KEEP_ROWS 1000 /* rows in one transaction */
#define DAY_MS INT64_C(86400000)

#define HAS STET_REQUIRED
#define MAY_BE_NULL (STET_REQUIRED | STET_NULLABLE)
#define STATES STET_CHOICES("pending", "delivered", "dead", "dropped")

/* clang-format off */
#define SUMMARY \
	{ "id", STET_STRING, HAS, "Also the header X-Stet-Delivery: the same in each attempt" }, \
	{ "event", STET_STRING, HAS }, \
	{ "state", STET_STRING, HAS, "dead: given up; dropped: by an administrator", STATES }, \
	{ "attempts", STET_INTEGER, HAS }, \
	{ "createdAt", STET_TIME, HAS }, \
	{ "triedAt", STET_TIME, MAY_BE_NULL, "The last attempt" }, \
	{ "status", STET_INTEGER, MAY_BE_NULL, "Of HTTP; null: no answer came" }, \
	{ "duration", STET_INTEGER, MAY_BE_NULL, "Of the last attempt, in milliseconds" }, \
	{ "error", STET_STRING, MAY_BE_NULL }, \
	{ "subject", STET_STRING, HAS, "Deliveries of one subject are sent in order" }, \
	{ "nextAttemptAt", STET_TIME, MAY_BE_NULL, \
	    "Not before; null while it waits for an earlier one of its subject" }
#define ID { "id", STET_STRING, STET_REQUIRED, "Id of the target", STET_RANGE(1, 100) }
/* clang-format on */
static const struct stet_member summary[] = { SUMMARY, { 0 } };
#define SUMMARY_COLUMNS                                                             \
	"id, event, CASE WHEN dropped = 1 THEN 'dropped' ELSE state END, attempts," \
	" created_at, tried_at, status, duration, error, subject, due_at"
#define AT_ID 0
#define AT_CREATED 4

const struct stet_member deliveries_in[] = {
	ID,
	{ "state", STET_STRING, 0, "Only these", STATES },
	{ "limit", STET_INTEGER, 0, "Deliveries a page", STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, 0, "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member deliveries_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = summary },
	{ "nextCursor", STET_STRING, 0, "Absent on the last page" },
	{ 0 },
};
const struct stet_member delivery_by_id[] = {
	ID,
	{ "deliveryId", STET_STRING, STET_REQUIRED, "Id of the delivery", STET_RANGE(1, 100) },
	{ 0 },
};
static const struct stet_member whole[] = {
	SUMMARY,
	{ "response", STET_STRING, MAY_BE_NULL, "The beginning of what was answered" },
	{ "body", STET_STRING, HAS, "What is sent" },
	{ 0 },
};
const struct stet_member delivery_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = whole },
	{ 0 },
};
/* ---- read ---- */

enum stet_status
deliveries(struct stet_call *call)
{
	const char *id = stet_arg(call, "id"), *state = stet_arg(call, "state");
	struct stet_page page = { .listing = "webhook_deliveries",
		.key = "created_at",
		.key_column = AT_CREATED,
		.id_column = AT_ID };
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	STET_TRY(target_check(call, id));
	stet_sql_add(sql, "SELECT " SUMMARY_COLUMNS " FROM webhook_delivery WHERE webhook_id = ");
	stet_sql_bind(sql, stet_val_str(id));
	if (state != NULL) {
		const bool dropped = strcmp(state, "dropped") == 0;

		stet_sql_add(sql, " AND state = ");
		stet_sql_bind(sql, stet_val_str(dropped ? "dead" : state));
		stet_sql_add(sql, dropped ? " AND dropped = 1" : " AND dropped = 0");
	}
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		stet_put_row(out, &rows, summary);
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
answer(struct stet_call *call, const char *target, const char *id)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT " SUMMARY_COLUMNS ", response, body FROM webhook_delivery"
	    " WHERE id = ?1 AND webhook_id = ?2",
	    STET_ARGS(id, target)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return stet_fail(call, STET_NOT_FOUND, NULL, "Delivery not found: %s", id);
	}
	stet_object(out, NULL);
	stet_object(out, "item");
	stet_put_columns(out, &rows, 0, whole, (int)(sizeof(whole) / sizeof(whole[0])) - 1);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
delivery_get(struct stet_call *call)
{
	return answer(call, stet_arg(call, "id"), stet_arg(call, "deliveryId"));
}

/* ---- pings, sent at once and outside the queue ---- */

static enum stet_status
prepare_ping(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct attempt *a = arg;
	struct stet_rows rows;

	(void)tx;
	STET_TRY(stet_query(call, &rows, "SELECT url, secret FROM webhook WHERE id = ?1",
	    STET_ARGS(stet_arg(call, "id"))));
	if (stet_row(&rows)) {
		a->url = stet_col_dup(&rows, 0);
		a->sealed = stet_col_dup(&rows, 1);
	}
	STET_TRY(stet_rows_end(&rows));
	if (a->url == NULL)
		return stet_fail(
		    call, STET_NOT_FOUND, NULL, "Webhook not found: %s", stet_arg(call, "id"));
	return STET_OK;
}

struct ping {
	const char *target, *now;
	const struct attempt *attempt;
};

static enum stet_status
note_ping(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct ping *p = arg;
	const struct attempt *a = p->attempt;

	STET_TRY(target_check(call, p->target));
	return stet_exec(call, tx,
	    "INSERT INTO webhook_delivery (id, webhook_id, event, body, state, attempts, created_at,"
	    " tried_at, status, duration, error, response)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?6, ?7, ?8, ?9, ?10)",
	    STET_ARGS(a->id, p->target, a->event, a->body, a->good ? "delivered" : "dead", p->now,
		a->status != 0 ? stet_val_int(a->status) : stet_val_null(), a->duration, a->error,
		a->response));
}

enum stet_status
target_test(struct stet_call *call)
{
	struct attempt a = { .id = stet_id(call),
		.event = EVENT_PING,
		.target = stet_arg(call, "id"),
		.number = 1 };
	struct ping ping = { a.target, stet_time_text(call, stet_now(call)), &a };

	/* Read the target in the write lane, so that this call holds no snapshot while it waits
	 * for the other server. */
	STET_TRY(stet_write_lane(call, prepare_ping, &a));
	a.body = event_body(call, a.id, a.event, ping.now, "{}");
	send_once(call, &a);
	STET_TRY(stet_write_lane(call, note_ping, &ping));
	return answer(call, ping.target, a.id);
}

/* ---- deleting old deliveries ---- */

#define OLD "state <> 'pending' AND created_at < ?1"

static const char *
oldest(struct stet_call *call)
{
	int64_t days = json_integer_value(stet_setting(call, "keepDays"));

	return stet_time_text(call, stet_now(call) - days * DAY_MS);
}

static enum stet_status
look(struct stet_call *call, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, "SELECT 1 FROM webhook_delivery WHERE " OLD " LIMIT 1",
	    STET_ARGS(oldest(call))));
	*found = stet_row(&rows);
	return stet_rows_end(&rows);
}

static enum stet_status
delete_some(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	bool *more = arg;

	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM webhook_delivery"
	    " WHERE " OLD " ORDER BY created_at LIMIT ?2)",
	    STET_ARGS(oldest(call), KEEP_ROWS)));
	*more = stet_changes(call) == KEEP_ROWS;
	return STET_OK;
}

int64_t
keep_due(struct stet_call *call)
{
	struct webhooks_state *state = stet_state(call);

	return stet_cleaning_due(call, &state->keep_due, KEEP_MS, look);
}

enum stet_status
keep_run(struct stet_call *call)
{
	struct webhooks_state *state = stet_state(call);
	bool more = false;

	STET_TRY(stet_write_lane(call, delete_some, &more));
	state->keep_due = more ? 0 : stet_now(call) + KEEP_MS;
	return STET_OK;
}
