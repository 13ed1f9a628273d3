/* list.c - records over REST: the history of a thing, one record, and restoring. */
#include "history.h"
#include <string.h>

#define KIND_CHOICES \
	STET_CHOICES("item", "term", "taxonomy", "menu", "widget-area", "byline", "settings")

/* clang-format off */
#define MEMBERS \
	{ "id", STET_STRING, STET_REQUIRED }, \
	{ "kind", STET_STRING, STET_REQUIRED, KIND_CHOICES }, \
	{ "subject", STET_STRING, STET_REQUIRED, \
	    .about = "Its name or id; posts/ID of an item, category/SLUG of a term" }, \
	{ "locale", STET_STRING }, \
	{ "op", STET_STRING, STET_REQUIRED, .about = "What changed it" }, \
	{ "createdAt", STET_TIME, STET_REQUIRED }, \
	{ "actorId", STET_STRING, .about = "Absent for commands" }, \
	{ "actorName", STET_STRING }, \
	{ "tokenId", STET_STRING, .about = "The token or the grant that was used" }, \
	{ "clientName", STET_STRING }, \
	{ "tool", STET_STRING, .about = "The tool that an assistant called" }, \
	{ "session", STET_STRING }, \
	{ "undoneAt", STET_TIME, .about = "When it was taken back with its session" }, \
	{ "action", STET_STRING, STET_REQUIRED, STET_CHOICES("create", "update", "delete") }, \
	{ "changed", STET_ARRAY, STET_REQUIRED, .item = STET_STRING, .about = "Names of members" }
/* clang-format on */
const struct stet_member record_shape[] = { MEMBERS, { 0 } };
static const struct stet_member whole_shape[] = { MEMBERS,
	{ "before", STET_OBJECT, STET_REQUIRED | STET_NULLABLE, .about = "null: it did not exist" },
	{ "after", STET_OBJECT, STET_REQUIRED | STET_NULLABLE, .about = "null: it was deleted" },
	{ 0 } };

const struct stet_member history_list_in[] = {
	{ "kind", STET_STRING, STET_REQUIRED, KIND_CHOICES },
	{ "subject", STET_STRING, .about = "Of this thing alone", STET_RANGE(1, 200) },
	{ "locale", STET_STRING, STET_RANGE(1, 63) },
	{ "limit", STET_INTEGER, STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member history_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = record_shape, .about = "Newest first" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};
const struct stet_member history_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the record" },
	{ 0 },
};
const struct stet_member history_one_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = whole_shape },
	{ 0 },
};
const struct stet_member history_restored_out[] = {
	{ "result", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("undone", "partly", "nothing", "skipped") },
	{ "reason", STET_STRING },
	{ "kept", STET_ARRAY, .item = STET_STRING, .about = "What somebody has changed since" },
	{ 0 },
};

/* ---- rows ---- */

enum column {
	H_ID,
	H_KIND,
	H_SUBJECT,
	H_LOCALE,
	H_OP,
	H_TIME,
	H_ACTOR,
	H_ACTOR_NAME,
	H_TOKEN,
	H_CLIENT,
	H_TOOL,
	H_SESSION,
	H_UNDONE,
	H_BEFORE,
	H_AFTER
};

static enum stet_status
json_of(struct stet_call *call, struct stet_rows *rows, int column, const json_t **out)
{
	size_t len;
	const char *text = stet_col_text(rows, column, &len);
	json_t *value;

	*out = NULL;
	if (text == NULL)
		return STET_OK;
	value = json_loadb(text, len, JSON_DECODE_ANY, NULL);
	if (value == NULL)
		return stet_fault(call, "the record %s is not JSON", stet_col_str(rows, H_ID));
	*out = stet_json_own(call, value);
	return STET_OK;
}

enum stet_status
record_read(struct stet_call *call, struct stet_rows *rows, struct record *out)
{
	*out = (struct record){ .id = stet_col_dup(rows, H_ID),
		.op = stet_col_dup(rows, H_OP),
		.created_at = stet_col_dup(rows, H_TIME),
		.actor = stet_col_dup(rows, H_ACTOR),
		.session = stet_col_dup(rows, H_SESSION),
		.undone_at = stet_col_dup(rows, H_UNDONE) };
	subject_read(call, stet_col_str(rows, H_KIND), stet_col_dup(rows, H_SUBJECT),
	    stet_col_dup(rows, H_LOCALE), &out->subject);
	if (out->subject.kind >= KINDS)
		return stet_fault(call, "the record %s is of no known kind", out->id);
	STET_TRY(json_of(call, rows, H_BEFORE, &out->before));
	return json_of(call, rows, H_AFTER, &out->after);
}

static void
put_state(struct stet_json *out, const char *key, const json_t *state)
{
	if (state != NULL)
		stet_put_json(out, key, state);
	else
		stet_put_null(out, key);
}

void
record_put(struct stet_call *call, struct stet_json *out, const char *key, struct stet_rows *rows,
    const struct record *r, bool states)
{
	const json_t *changed = merge_changed(call, r->subject.kind, r->before, r->after);

	stet_object(out, key);
	for (int i = H_ID; i <= H_UNDONE; i++)
		if (stet_col_str(rows, i) != NULL)
			stet_put_str(out, record_shape[i].name, stet_col_str(rows, i));
	stet_put_str(out, "action",
	    r->before == NULL  ? "create"
	    : r->after == NULL ? "delete"
			       : "update");
	stet_put_json(out, "changed",
	    r->before != NULL && r->after != NULL ? changed : stet_json_own(call, json_array()));
	if (states) {
		put_state(out, "before", state_shown(call, r->subject.kind, r->before));
		put_state(out, "after", state_shown(call, r->subject.kind, r->after));
	}
	stet_close(out);
}

/* The op that shows things of a kind: who may call it may read their records. */
static const char *const readers[KINDS] = { [ITEM] = "content_compare",
	[TERM] = "term_get",
	[TAXONOMY] = "taxonomy_get",
	[MENU] = "menu_get",
	[AREA] = "widget_area_get",
	[BYLINE] = "byline_get",
	[SETTINGS] = "settings_get" };

static const struct stet_op_info *
reader(struct stet_call *call, enum kind kind)
{
	const struct stet_op_info *const *all;
	size_t count = stet_ops(call, &all);

	for (size_t i = 0; i < count; i++)
		if (strcmp(all[i]->name, readers[kind]) == 0)
			return all[i];
	return NULL;
}

enum stet_status
record_open(struct stet_call *call, const struct subject *s)
{
	const struct stet_op_info *op = reader(call, s->kind);

	if (op == NULL)
		return stet_fail(call, STET_NOT_FOUND, NULL, "What shows a %s is not enabled",
		    kind_names[s->kind]);
	STET_TRY(stet_require(call, op->op->permission));
	if (!stet_op_open(call, op, NULL))
		return stet_fail(call, STET_INSUFFICIENT_SCOPE, NULL,
		    "The scopes of the token do not allow to read a %s", kind_names[s->kind]);
	if (s->kind == ITEM && s->name != NULL && !stet_covers(call, s->name))
		return stet_fail(call, STET_INSUFFICIENT_SCOPE, NULL,
		    "The token is limited to what its scopes name, and \"%.64s\" is not among it",
		    s->name);
	return STET_OK;
}

bool
record_is_open(struct stet_call *call, const struct subject *s)
{
	if (record_open(call, s) == STET_OK)
		return true;
	stet_error_clear(call);
	return false;
}

/* ---- ops ---- */

enum stet_status
page_begin(struct stet_call *call, const char *listing, const char **before)
{
	const char *cursor = stet_arg(call, "cursor");
	const json_t *key;

	*before = "~"; /* sorts after all ids */
	return cursor != NULL ? stet_cursor_read(call, cursor, listing, &key, before) : STET_OK;
}

enum stet_status
page_put(struct stet_call *call, struct stet_json *out, struct stet_rows *rows, const char *listing)
{
	int64_t limit = stet_arg_int(call, "limit"), n = 0;
	const char *last = NULL;

	stet_array(out, "items");
	while (stet_row(rows)) {
		struct record r;

		if (n++ == limit)
			break;
		STET_TRY(record_read(call, rows, &r));
		if (record_is_open(call, &r.subject))
			record_put(call, out, NULL, rows, &r, false);
		last = r.id;
	}
	stet_close(out);
	if (n > limit)
		stet_put_str(out, "nextCursor", stet_cursor_make(call, listing, json_null(), last));
	stet_close(out);
	return stet_rows_end(rows);
}

static enum kind
kind_of(const char *name)
{
	enum kind kind = ITEM;

	while (kind < KINDS && strcmp(kind_names[kind], name) != 0)
		kind++;
	return kind;
}

enum stet_status
history_list(struct stet_call *call)
{
	const char *kind = stet_arg(call, "kind"), *before;
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	const struct subject of = { .kind = kind_of(kind) };
	struct stet_rows rows;

	STET_TRY(record_open(call, &of));
	STET_TRY(page_begin(call, "history", &before));
	stet_sql_add(sql, "SELECT " RECORD_COLUMNS " FROM history WHERE kind = ");
	stet_sql_bind(sql, stet_val_str(kind));
	if (stet_has(call, "subject")) {
		stet_sql_add(sql, " AND subject = ");
		stet_sql_bind(sql, stet_val_str(stet_arg(call, "subject")));
	}
	if (stet_has(call, "locale")) {
		stet_sql_add(sql, " AND locale = ");
		stet_sql_bind(sql, stet_val_str(stet_arg(call, "locale")));
	}
	stet_sql_add(sql, " AND id < ");
	stet_sql_bind(sql, stet_val_str(before));
	stet_sql_add(sql, " ORDER BY id DESC LIMIT ");
	stet_sql_bind(sql, stet_val_int(stet_arg_int(call, "limit") + 1));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	return page_put(call, out, &rows, "history");
}

static enum stet_status
find(struct stet_call *call, struct stet_rows *rows, struct record *out)
{
	STET_TRY(stet_one(call, rows, STET_NOT_FOUND,
	    "SELECT " RECORD_COLUMNS " FROM history WHERE id = ?1",
	    STET_ARGS(stet_arg(call, "id"))));
	STET_TRY(record_read(call, rows, out));
	return record_open(call, &out->subject);
}

enum stet_status
history_get(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	struct record r;

	STET_TRY(find(call, &rows, &r));
	stet_object(out, NULL);
	record_put(call, out, "item", &rows, &r, true);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* Makes a thing what it was before the write, also if others have changed it since: that is in the
 * history too, and can be restored as well. */
enum stet_status
history_restore(struct stet_call *call)
{
	const struct trail trail = trail_new(call);
	struct stet_json *out = stet_reply(call);
	struct outcome o;
	struct stet_rows rows;
	struct record r;

	STET_TRY(find(call, &rows, &r));
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(back_take(call, &r, &trail, r.subject.kind != ITEM, &o));
	stet_object(out, NULL);
	stet_put_str(out, "result", o.result);
	if (o.reason != NULL)
		stet_put_str(out, "reason", o.reason);
	if (o.kept != NULL)
		stet_put_json(out, "kept", o.kept);
	stet_close(out);
	return STET_OK;
}
