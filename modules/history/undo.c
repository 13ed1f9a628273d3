/*
 * undo.c - takes a session back, record by record, newest first. Each record is taken back in a
 * savepoint of its own: one that cannot be is told with its reason, and the others go on.
 */
#include "history.h"
#include <string.h>

#define UNDO_MAX 200 /* records in one call, which is one transaction */
#define ANSWER_MAX ((size_t)1 << 20)
#define UNDO "assistant_session_undo"

const struct stet_member undo_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the session" },
	{ "records", STET_ARRAY, .item = STET_STRING, STET_RANGE(1, UNDO_MAX),
	    .about = "Ids of records: these alone" },
	{ "dryRun", STET_BOOLEAN, .about = "Only tell how it would go" },
	{ 0 },
};
static const struct stet_member done_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the record" },
	{ "kind", STET_STRING, STET_REQUIRED },
	{ "subject", STET_STRING, STET_REQUIRED },
	{ "op", STET_STRING, STET_REQUIRED },
	{ "result", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("undone", "partly", "nothing", "skipped") },
	{ "reason", STET_STRING },
	{ "kept", STET_ARRAY, .item = STET_STRING, .about = "What somebody has changed since" },
	{ 0 },
};
const struct stet_member undo_out[] = {
	{ "dryRun", STET_BOOLEAN, STET_REQUIRED },
	{ "items", STET_ARRAY, STET_REQUIRED, .of = done_shape,
	    .about = "In the order of undoing" },
	{ "more", STET_BOOLEAN, STET_REQUIRED, .about = "Records are left: call it again" },
	{ 0 },
};

/* What an invocation of the op within itself does, so that what it writes is undone alone: one
 * record, or all of them as a trial, which always fails. */
struct inner {
	const struct record *record;
	const struct trail *trail;
	struct outcome outcome;
	bool tries;
	json_t *items; /* of a trial */
	bool more;
};
static _Thread_local struct inner *inner;

static enum stet_status
ask_self(struct stet_call *call, struct inner *what)
{
	const char *answer;
	enum stet_status status;
	json_t *args = json_pack("{ss}", "id", stet_arg(call, "id"));
	struct inner *outer = inner;
	size_t len;

	if (what->tries && stet_arg_json(call, "records") != NULL)
		(void)json_object_set(
		    args, "records", (json_t *)(uintptr_t)stet_arg_json(call, "records"));
	inner = what;
	status =
	    stet_invoke_alone(call, UNDO, stet_json_own(call, args), ANSWER_MAX, &answer, &len);
	inner = outer;
	return status;
}

/* ---- one record ---- */

static enum stet_status
one(struct stet_call *call, struct inner *in)
{
	struct stet_json *out = stet_reply(call);

	STET_TRY(back_take(call, in->record, in->trail, false, &in->outcome));
	if (strcmp(in->outcome.result, "skipped") != 0)
		STET_TRY(stet_exec(call, stet_write_tx(call),
		    "UPDATE history SET undone_at = ?2 WHERE id = ?1",
		    STET_ARGS(in->record->id, stet_time_text(call, stet_now(call)))));
	stet_object(out, NULL);
	stet_put_bool(out, "dryRun", false);
	stet_array(out, "items");
	stet_close(out);
	stet_put_bool(out, "more", false);
	stet_close(out);
	return STET_OK;
}

/* Takes a record back. An error is the reason why it is skipped, unless it is a fault or a limit.
 */
static enum stet_status
take(struct stet_call *call, const struct record *r, const struct trail *trail, json_t *items)
{
	struct inner in = { .record = r, .trail = trail };
	const bool outer = take_undoing;
	enum stet_status status;
	int http;

	if (!record_is_open(call, &r->subject))
		return STET_OK;
	take_undoing = true;
	status = ask_self(call, &in);
	take_undoing = outer;
	http = stet_status_http(status);
	if (status != STET_OK) {
		if (http >= 500 || http == 429)
			return status;
		in.outcome = (struct outcome){ .result = "skipped",
			.reason = stet_strdup(call, stet_error_text(call)) };
		stet_error_clear(call);
	}
	(void)json_array_append_new(items,
	    json_pack("{ss ss ss ss ss ss* sO*}", "id", r->id, "kind", kind_names[r->subject.kind],
		"subject", subject_text(call, &r->subject), "op", r->op, "result",
		in.outcome.result, "reason", in.outcome.reason, "kept", in.outcome.kept));
	return STET_OK;
}

/* ---- all of them ---- */

struct records {
	struct record record[UNDO_MAX];
	size_t count;
	bool more;
};

static bool
is_named(const json_t *ids, const char *id)
{
	json_t *value;
	size_t i;

	if (ids == NULL)
		return true;
	json_array_foreach((json_t *)(uintptr_t)ids, i, value)
	{
		if (strcmp(json_string_value(value), id) == 0)
			return true;
	}
	return false;
}

static enum stet_status
read_records(struct stet_call *call, struct records *all)
{
	const json_t *ids = stet_arg_json(call, "records");
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT " RECORD_COLUMNS " FROM history WHERE session = ?1 AND undone_at IS NULL"
	    " ORDER BY id DESC",
	    STET_ARGS(stet_arg(call, "id"))));
	while (stet_row(&rows)) {
		if (!is_named(ids, stet_col_str(&rows, 0)))
			continue;
		if (all->count == UNDO_MAX) {
			all->more = true;
			break;
		}
		STET_TRY(record_read(call, &rows, &all->record[all->count++]));
	}
	return stet_rows_end(&rows);
}

static enum stet_status
run(struct stet_call *call, json_t *items, bool *more)
{
	struct records *all = stet_alloc(call, sizeof(*all));
	const struct trail trail = trail_new(call);

	*all = (struct records){ 0 };
	STET_TRY(read_records(call, all));
	for (size_t i = 0; i < all->count; i++)
		STET_TRY(take(call, &all->record[i], &trail, items));
	*more = all->more;
	return STET_OK;
}

static enum stet_status
try_it(struct stet_call *call, json_t *items, bool *more)
{
	struct inner in = { .tries = true, .items = items };
	enum stet_status status = ask_self(call, &in);

	if (status == STET_OK)
		return stet_fault(call, "a trial of an undo was written");
	if (status != stet_code(call, "SESSION_TRIED"))
		return status;
	stet_error_clear(call);
	*more = in.more;
	return STET_OK;
}

enum stet_status
session_undo(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct inner *in = inner;
	json_t *items = stet_json_own(call, json_array());
	const bool dry = in == NULL && stet_arg_bool(call, "dryRun");
	bool more;

	if (in != NULL && in->record != NULL) {
		inner = NULL; /* an op that it runs might run this one */
		return one(call, in);
	}
	STET_TRY(session_mine(call, stet_arg(call, "id")));
	if (in != NULL) {
		STET_TRY(run(call, in->items, &in->more));
		return stet_fail(call, stet_code(call, "SESSION_TRIED"), NULL,
		    "It was only tried: nothing is undone");
	}
	STET_TRY(dry ? try_it(call, items, &more) : run(call, items, &more));
	stet_object(out, NULL);
	stet_put_bool(out, "dryRun", dry);
	stet_put_json(out, "items", items);
	stet_put_bool(out, "more", more);
	stet_close(out);
	return STET_OK;
}
