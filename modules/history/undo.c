/*
 * undo.c - takes a session back, record by record, newest first. Each record is taken back in a
 * savepoint of its own: one that cannot be is told with its reason, and the others go on.
 */
#include "history.h"
#include <string.h>

#define UNDO_MAX 200 /* records in one call, which is one transaction */
#define ANSWER_MAX ((size_t)1 << 20)
#define UNDO "assistant_session_undo"
#define UNDO_TOOL "session_undo"
#define FIRST "~" /* sorts after all ids */

const struct stet_member undo_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the session" },
	{ "records", STET_ARRAY, .item = STET_STRING, STET_RANGE(1, UNDO_MAX),
	    .about = "Ids of records: these alone" },
	{ "dryRun", STET_BOOLEAN, .about = "Only tell how it would go" },
	{ "cursor", STET_STRING, .about = "nextCursor of the call before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member undo_tool_in[] = {
	{ "id", STET_STRING, .about = "Session, as audit_log has it; yours when omitted" },
	{ "dry_run", STET_BOOLEAN, .about = "false does it; true tells how it would go",
	    .fallback = "true" },
	{ "cursor", STET_STRING, .about = "nextCursor of the call before", STET_RANGE(1, 2048) },
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
	{ "more", STET_BOOLEAN, STET_REQUIRED,
	    .about = "Records are left: call it again with nextCursor" },
	{ "nextCursor", STET_STRING, .about = "Absent if none are left" },
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
	const char *next;
};
static _Thread_local struct inner *inner;

/* What the caller asks for: over REST, or by the tool. */
struct asked {
	const char *op; /* the op that was called, which runs within itself */
	const char *id; /* of the session */
	const json_t *records; /* ids of those that are meant; NULL: all */
	const char *before; /* id: records that are older are told */
	bool dry;
};
static _Thread_local const struct asked *asked;

static enum stet_status
ask_self(struct stet_call *call, struct inner *what)
{
	const char *answer;
	enum stet_status status;
	json_t *args = json_pack("{ss}", "id", asked->id);
	struct inner *outer = inner;
	size_t len;

	inner = what;
	status = stet_invoke_alone(
	    call, asked->op, stet_json_own(call, args), ANSWER_MAX, &answer, &len);
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
 * items NULL: how it went is not told. */
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
	if (items == NULL)
		return STET_OK;
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

/* Reads the next records that are older than `before`, and not taken back yet. */
static enum stet_status
read_records(struct stet_call *call, const char *before, struct records *all)
{
	struct stet_rows rows;

	*all = (struct records){ 0 };
	STET_TRY(stet_query(call, &rows,
	    "SELECT " RECORD_COLUMNS " FROM history WHERE session = ?1 AND undone_at IS NULL"
	    " AND id < ?2 ORDER BY id DESC",
	    STET_ARGS(asked->id, before)));
	while (stet_row(&rows)) {
		if (!is_named(asked->records, stet_col_str(&rows, 0)))
			continue;
		if (all->count == UNDO_MAX) {
			all->more = true;
			break;
		}
		STET_TRY(record_read(call, &rows, &all->record[all->count++]));
	}
	return stet_rows_end(&rows);
}

/* Takes one page of records back, from the newest. In a trial, the records of the pages before are
 * taken back first, without being told: those of this page may follow from them. *next: where the
 * next page begins; NULL: nothing is left. */
static enum stet_status
run(struct stet_call *call, const struct trail *trail, json_t *items, const char **next)
{
	struct records *all = stet_alloc(call, sizeof(*all));
	const char *at = asked->dry ? FIRST : asked->before;
	bool told;

	do {
		STET_TRY(read_records(call, at, all));
		told = strcmp(at, asked->before) <= 0;
		for (size_t i = 0; i < all->count; i++) {
			told = told || strcmp(all->record[i].id, asked->before) < 0;
			STET_TRY(take(call, &all->record[i], trail, told ? items : NULL));
			at = all->record[i].id;
		}
	} while (all->more && !told);
	*next = all->more ? at : NULL;
	return STET_OK;
}

/* Reads what earlier calls have noted of the session's things, so that this one goes on where they
 * ended. */
static enum stet_status
trail_load(struct stet_call *call, struct trail *out)
{
	struct stet_rows rows;
	json_t *noted = NULL;

	*out = trail_new(call);
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT trail FROM assistant_session WHERE id = ?1", STET_ARGS(asked->id)));
	if (!stet_col_null(&rows, 0))
		noted = stet_json_own(call, json_loads(stet_col_str(&rows, 0), 0, NULL));
	STET_TRY(stet_rows_end(&rows));
	(void)json_object_update(out->groups, json_object_get(noted, "groups"));
	(void)json_object_update(out->theirs, json_object_get(noted, "theirs"));
	(void)json_object_update(out->left, json_object_get(noted, "left"));
	return STET_OK;
}

static enum stet_status
trail_store(struct stet_call *call, const struct trail *trail)
{
	json_t *noted = stet_json_own(call, json_pack("{sO sO sO}", "groups", trail->groups,
						"theirs", trail->theirs, "left", trail->left));
	struct stet_json *text = stet_json_new(call);

	stet_put_json(text, NULL, noted);
	return stet_exec(call, stet_write_tx(call),
	    "UPDATE assistant_session SET trail = ?2 WHERE id = ?1",
	    STET_ARGS(asked->id, stet_json_text(text, NULL)));
}

static enum stet_status
do_it(struct stet_call *call, json_t *items, const char **next)
{
	struct trail trail;

	STET_TRY(trail_load(call, &trail));
	STET_TRY(run(call, &trail, items, next));
	return trail_store(call, &trail);
}

static enum stet_status
try_it(struct stet_call *call, json_t *items, const char **next)
{
	struct inner in = { .tries = true, .items = items };
	enum stet_status status = ask_self(call, &in);

	if (status == STET_OK)
		return stet_fault(call, "a trial of an undo was written");
	if (status != stet_code(call, "SESSION_TRIED"))
		return status;
	stet_error_clear(call);
	*next = in.next;
	return STET_OK;
}

/* Runs within itself: takes one record back, or all of a trial. */
static enum stet_status
within(struct stet_call *call, struct inner *in)
{
	struct trail trail;

	if (in->record != NULL) {
		inner = NULL; /* an op that it runs might run this one */
		return one(call, in);
	}
	STET_TRY(trail_load(call, &trail));
	STET_TRY(run(call, &trail, in->items, &in->next));
	return stet_fail(
	    call, stet_code(call, "SESSION_TRIED"), NULL, "It was only tried: nothing is undone");
}

static enum stet_status
undo(struct stet_call *call, struct asked *what)
{
	const char *listing = stet_printf(call, "undo:%s", what->id), *next = NULL;
	const char *cursor = stet_arg(call, "cursor");
	struct stet_json *out = stet_reply(call);
	json_t *items = stet_json_own(call, json_array());
	const struct asked *outer = asked;
	const json_t *key;
	enum stet_status status;

	STET_TRY(session_mine(call, what->id));
	what->before = FIRST;
	if (cursor != NULL)
		STET_TRY(stet_cursor_read(call, cursor, listing, &key, &what->before));
	asked = what;
	status = what->dry ? try_it(call, items, &next) : do_it(call, items, &next);
	asked = outer;
	STET_TRY(status);
	stet_object(out, NULL);
	stet_put_bool(out, "dryRun", what->dry);
	stet_put_json(out, "items", items);
	stet_put_bool(out, "more", next != NULL);
	if (next != NULL)
		stet_put_str(out, "nextCursor", stet_cursor_make(call, listing, json_null(), next));
	stet_close(out);
	return STET_OK;
}

enum stet_status
session_undo(struct stet_call *call)
{
	struct asked what = { .op = UNDO,
		.id = stet_arg(call, "id"),
		.records = stet_arg_json(call, "records"),
		.dry = stet_arg_bool(call, "dryRun") };

	return inner != NULL ? within(call, inner) : undo(call, &what);
}

enum stet_status
session_undo_tool(struct stet_call *call)
{
	struct asked what = {
		.op = UNDO_TOOL, .id = stet_arg(call, "id"), .dry = stet_arg_bool(call, "dry_run")
	};

	if (inner != NULL)
		return within(call, inner);
	if (what.id == NULL)
		STET_TRY(session_own(call, &what.id));
	return undo(call, &what);
}
