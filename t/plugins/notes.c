/* notes - a plugin for tests that uses most tables of the descriptor. */
#include <stet/module.h>
#include <string.h>

struct state {
	int64_t rows; /* number of rows when the module was opened */
	int64_t limit; /* value of the setting when the module was opened */
};

static enum stet_status
open_state(struct stet_call *call, void *arg)
{
	struct state *state = arg;
	struct stet_rows rows;

	STET_TRY(
	    stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM notes_note", STET_NO_ARGS));
	state->rows = stet_col_int(&rows, 0);
	state->limit = json_integer_value(stet_setting(call, "limit"));
	return stet_rows_end(&rows);
}

static enum stet_status
add(struct stet_call *call)
{
	STET_TRY(stet_exec(call, stet_write_tx(call), "INSERT INTO notes_note (text) VALUES (?1)",
	    STET_ARGS(stet_arg(call, "text"))));
	stet_put_int(stet_reply(call), NULL, stet_changes(call));
	return STET_OK;
}

static enum stet_status
peek(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const struct state *state = stet_state(call);
	const char *what = stet_arg(call, "what");
	struct stet_rows rows;

	if (what != NULL && strcmp(what, "torn") == 0)
		return stet_fail(call, stet_code(call, "NOTE_TORN"), NULL, "Torn in %d", 2);
	if (what != NULL && strcmp(what, "none") == 0)
		return stet_fail(call, stet_code(call, "NOTE_OF_NOBODY"), NULL, "not told");
	STET_TRY(
	    stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM notes_note", STET_NO_ARGS));
	stet_object(out, NULL);
	stet_put_int(out, "rows", stet_col_int(&rows, 0));
	stet_put_int(out, "rowsAtOpen", state->rows);
	stet_put_int(out, "limitAtOpen", state->limit);
	stet_put_int(out, "limit", json_integer_value(stet_setting(call, "limit")));
	stet_put_str(out, "greeting", stet_setting_str(call, "greeting"));
	stet_put_str(out, "unset", stet_setting_str(call, "unset"));
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
first_note(struct stet_call *call, struct stet_tx *tx)
{
	return stet_exec(call, tx, "INSERT INTO notes_note (text) VALUES ('first')", STET_NO_ARGS);
}

/* In these tests the entry is a text, to which each hook appends its letter. */
static enum stet_status
trace(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	char *text = (char *)entry;

	(void)call;
	(void)tx;
	text[strlen(text)] = 'o';
	return STET_OK;
}

static const struct stet_member add_in[] = { { "text", STET_STRING, STET_REQUIRED }, { 0 } };

static const struct stet_op ops[] = {
	{ "add", "Add Note", "Adds a note.", "POST /", STET_TOOL, STET_WRITE, "notes:write",
	    "content:write", add_in, NULL, add },
	{ "peek", "Peek", "Tells what there is.", "GET /peek/:what", 0, STET_READ,
	    "auth:manage_own_credentials", "content:read",
	    (const struct stet_member[]){ { "what", STET_STRING }, { 0 } }, NULL, peek,
	    .fault = "NOTE_PEEK_ERROR" },
	{ "tear", "Tear Note", "Tears nothing.", "DELETE /torn/:what", 0, STET_READ, "notes:write",
	    "content:write", (const struct stet_member[]){ { "what", STET_STRING }, { 0 } }, NULL,
	    peek },
};
static const char *const guarded[] = { "/torn", NULL };
static const struct stet_status_def statuses[] = {
	{ "NOTE_TORN", 410, "The note is torn" },
	{ "NOTE_PEEK_ERROR", 500, "Failed to peek" },
};
static const struct stet_hook hooks[] = { STET_ON(entry_before_save, 0, trace) };
static const struct stet_migration migrations[] = {
	{ 1, "notes", "CREATE TABLE notes_note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
	    NULL },
	{ 2, "the first note", NULL, first_note },
};
static const struct stet_permission permissions[] = { { "notes:write", 30 } };
static const struct stet_setting_def settings[] = {
	{ { "limit", STET_INTEGER, STET_BOUNDED, STET_RANGE(1, 10), .fallback = "3" } },
	{ { "greeting", STET_STRING, .fallback = "\"hello\"" } },
	{ { "unset", STET_STRING } },
};

static const struct stet_member note_row[] = { { "id", STET_INTEGER, STET_REQUIRED },
	{ "text", STET_STRING, STET_REQUIRED }, { 0 } };
static const struct stet_transfer transfers[] = {
	{ .kind = "notes",
	    .table = "notes_note",
	    .row = note_row,
	    .key = "id",
	    .name = "'all'",
	    .order = "t.id",
	    .many = true },
};

STET_MODULE(notes) = {
	STET_MODULE_HEAD(notes),
	.version = "1.2.3",
	.summary = "Notes for the tests",
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.permissions = STET_TABLE(permissions),
	.settings = STET_TABLE(settings),
	.transfers = STET_TABLE(transfers),
	.statuses = STET_TABLE(statuses),
	.guarded = guarded,
	.state_size = sizeof(struct state),
	.open = open_state,
};
