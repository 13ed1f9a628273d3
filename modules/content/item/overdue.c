/*
 * overdue.c - scheduled items that could not be published, or unpublished, at their time.
 *
 * The reason is in the item's row (schedule_error) until the item is published, rescheduled or
 * unscheduled. That of an unpublication has the member unpublishAt. If both acts fail, the row has
 * the later reason with the other one as its member `other`, so that each is told once. Readers who
 * may see drafts get the later one as the member scheduleError, `stet doctor` reports both, and the
 * hook entry_overdue runs for each new one.
 */
#include "item/item.h"
#include <stdlib.h>
#include <stet/check.h>
#include <string.h>

#define OTHER "other" /* member with the error of the other act */
#define MESSAGE_MAX 1000 /* bytes of a message that are stored */
#define TOLD_MAX 20 /* items that doctor names */

/* ---- reading ---- */

/* Returns the part of a stored error that is about this act; NULL: none. */
static json_t *
of_act(const json_t *stored, bool unpublishes)
{
	bool is = (json_object_get(stored, "unpublishAt") != NULL) == unpublishes;

	return is ? (json_t *)(uintptr_t)stored : json_object_get(stored, OTHER);
}

/* Returns true if the error is of a schedule for this time. One from before the scheduled time
 * belongs to an earlier schedule, which an import of files replaced. */
static bool
is_of(const json_t *error, const char *due)
{
	const char *at = json_string_value(json_object_get(error, "at"));

	return at != NULL && due != NULL && strcmp(at, due) >= 0;
}

/* Returns the error of the current row, a new reference; NULL: none. */
static json_t *
error_of(struct stet_rows *rows)
{
	json_t *stored, *error;
	bool ends;

	if (stet_col_null(rows, C_SCHEDULE_ERROR)) /* true for nearly every item of a list */
		return NULL;
	stored = json_loads(stet_col_str(rows, C_SCHEDULE_ERROR), 0, NULL);
	ends = json_object_get(stored, "unpublishAt") != NULL;
	error = of_act(stored, ends);
	if (!is_of(error, stet_col_str(rows, ends ? C_UNPUBLISH : C_SCHEDULED))) {
		error = of_act(stored, !ends);
		if (!is_of(error, stet_col_str(rows, ends ? C_SCHEDULED : C_UNPUBLISH)))
			error = NULL;
	}
	error = json_copy(error);
	(void)json_object_del(error, OTHER);
	json_decref(stored);
	return error;
}

void
overdue_put(struct stet_json *out, struct stet_rows *rows)
{
	json_t *error = error_of(rows);

	if (error != NULL)
		stet_put_json(out, "scheduleError", error);
	json_decref(error);
}

const char *
overdue_tag(struct stet_call *call, struct stet_rows *rows, const char *tag)
{
	json_t *error = error_of(rows);

	if (error != NULL)
		tag = stet_printf(
		    call, "%s.%s", tag, json_string_value(json_object_get(error, "at")));
	json_decref(error);
	return tag;
}

void
overdue_mix(struct stet_call *call, struct stet_rows *rows)
{
	size_t len;
	const char *text;

	if (stet_col_null(rows, C_SCHEDULE_ERROR))
		return;
	text = stet_col_text(rows, C_SCHEDULE_ERROR, &len);
	stet_etag_mix(call, text, len);
}

/* ---- what the job has found ---- */

/* Returns the recorded error as {code, message, at, unpublishAt}. A long message is truncated
 * between two characters. */
static json_t *
recorded(struct stet_call *call, const struct overdue *o)
{
	const char *code = stet_status_name(stet_error_status(call));
	char *message = stet_error_text(call) + strlen(code) + strlen(": ");

	message[stet_utf8_cut(message, MESSAGE_MAX)] = '\0';
	return stet_json_own(call, json_pack("{s:s, s:s, s:s, s:s*}", "code", code, "message",
				       message, "at", stet_time_text(call, stet_now(call)),
				       "unpublishAt", o->unpublishes ? o->at : NULL));
}

static bool
is_known(const struct overdue *o, const json_t *error)
{
	json_t *stored = o->known != NULL ? json_loads(o->known, 0, NULL) : NULL;
	const json_t *known = of_act(stored, o->unpublishes);
	bool same =
	    is_of(known, o->at) &&
	    json_equal(json_object_get(known, "code"), json_object_get(error, "code")) &&
	    json_equal(json_object_get(known, "message"), json_object_get(error, "message"));

	json_decref(stored);
	return same;
}

/* Returns what is stored: the error, with that of the other act. */
static const char *
text_of(struct stet_call *call, const struct overdue *o, const json_t *error)
{
	struct stet_json *out = stet_json_new(call);
	json_t *known = o->known != NULL ? json_loads(o->known, 0, NULL) : NULL;
	json_t *all = json_copy((json_t *)(uintptr_t)error);
	json_t *other = json_copy(of_act(known, !o->unpublishes));

	(void)json_object_del(other, OTHER);
	if (other != NULL)
		(void)json_object_set_new(all, OTHER, other);
	stet_put_json(out, NULL, all);
	json_decref(all);
	json_decref(known);
	return stet_json_text(out, NULL);
}

struct finding {
	const struct overdue *item;
	const json_t *error;
};

/* Stores the error, unless the item has been changed since the attempt. */
static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct finding *f = arg;
	struct now now = { 0 };
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	struct change c;
	const char *at;

	STET_TRY(plan_get(call, f->item->collection->slug, &now.collection, &now.plan));
	STET_TRY(stet_query(call, &rows, now.plan->by_id, STET_ARGS(f->item->id)));
	if (!stet_row(&rows))
		return stet_rows_end(&rows);
	now_row(call, &rows, &now);
	STET_TRY(stet_rows_end(&rows));
	at = f->item->unpublishes ? now.unpublish : now.scheduled;
	if (at == NULL || strcmp(at, f->item->at) != 0)
		return STET_OK;
	stet_sql_add(sql, "UPDATE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, now.plan->slug);
	stet_sql_add(sql, " SET schedule_error = ");
	stet_sql_bind(sql, stet_val_str(text_of(call, f->item, f->error)));
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(now.id));
	STET_TRY(stet_sql_exec(sql, tx));
	c = now_change(&now, now.slug, now.status);
	c.version = now.version;
	return hook_overdue(
	    call, tx, &c, f->item->unpublishes ? "unpublishAt" : "scheduledAt", at, f->error);
}

void
overdue_note(struct stet_call *call, const struct overdue *o)
{
	const char *text = stet_error_text(call);
	struct finding f = { o, recorded(call, o) };

	stet_error_clear(call);
	if (is_known(o, f.error))
		return;
	stet_log(call, STET_WARN, "%s %s, scheduled for %s, is not %s: %s", o->collection->slug,
	    o->id, o->at, o->unpublishes ? "unpublished" : "published", text);
	if (stet_write_lane(call, store, &f) == STET_OK)
		return;
	stet_log(call, STET_WARN, "%s %s: why it is overdue cannot be stored: %s",
	    o->collection->slug, o->id, stet_error_text(call));
	stet_error_clear(call);
}

/* ---- for `stet doctor` ---- */

/* Statements about publications, and about unpublications. */
static const struct {
	const char *select, *due, *order, *done;
} acts[] = {
	{ "SELECT id, scheduled_at, schedule_error FROM ",
	    " WHERE scheduled_at IS NOT NULL AND scheduled_at <= ",
	    " AND schedule_error IS NOT NULL AND deleted_at IS NULL ORDER BY scheduled_at, id",
	    "published" },
	{ "SELECT id, unpublish_at, schedule_error FROM ",
	    " WHERE unpublish_at IS NOT NULL AND unpublish_at <= ",
	    " AND schedule_error IS NOT NULL AND deleted_at IS NULL ORDER BY unpublish_at, id",
	    "unpublished" },
};

static enum stet_status
check_collection(
    struct stet_call *call, const struct stet_collection *c, bool unpublishes, int64_t *count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, acts[unpublishes].select);
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	now_set(sql, acts[unpublishes].due, stet_time_text(call, stet_now(call)));
	stet_sql_add(sql, acts[unpublishes].order);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		json_t *stored = json_loads(stet_col_str(&rows, 2), 0, NULL);
		const json_t *error = of_act(stored, unpublishes);
		const char *code = json_string_value(json_object_get(error, "code"));
		const char *message = json_string_value(json_object_get(error, "message"));

		if (is_of(error, stet_col_str(&rows, 1)) && (*count)++ < TOLD_MAX)
			stet_finding(call, STET_WARNING,
			    "Mend what it names, then it is done within a minute; or schedule "
			    "it again, or cancel its schedule.",
			    "%s %s, scheduled for %s, could not be %s: %s: %s", c->slug,
			    stet_col_str(&rows, 0), stet_col_str(&rows, 1), acts[unpublishes].done,
			    code != NULL ? code : "", message != NULL ? message : "");
		json_decref(stored);
	}
	return stet_rows_end(&rows);
}

enum stet_status
overdue_check(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *list;
	int64_t count = 0;
	size_t n;

	STET_TRY(schema->collections(call, &list, &n));
	for (size_t i = 0; i < n; i++)
		for (int unpublishes = 0; unpublishes < 2; unpublishes++)
			STET_TRY(check_collection(call, list[i], unpublishes != 0, &count));
	if (count > TOLD_MAX)
		stet_finding(call, STET_WARNING,
		    "GET /content/:collection?status=overdue lists them.",
		    "%lld more items could not be published or unpublished at their time",
		    (long long)(count - TOLD_MAX));
	return STET_OK;
}
