/*
 * now.c - the state of an item before a write: its row and its newest values (the row's or its
 * draft's). The UPDATE is guarded: it applies only if the row still has the version that was read.
 */
#include "item/item.h"
#include <string.h>

/* ---- reading ---- */

static struct stet_val
value_of(struct stet_rows *rows, const struct item_part *part)
{
	int at = (int)part->at;

	if (stet_col_null(rows, at))
		return stet_val_null();
	switch (part->shape.type) {
	case STET_INTEGER:
	case STET_BOOLEAN:
		return stet_val_int(stet_col_int(rows, at));
	case STET_NUMBER:
		return stet_val_real(stet_col_real(rows, at));
	default:
		return stet_val_str(stet_col_dup(rows, at));
	}
}

void
now_row(struct stet_call *call, struct stet_rows *rows, struct now *now)
{
	(void)call;
	now->id = stet_col_dup(rows, C_ID);
	now->slug = stet_col_dup(rows, C_SLUG);
	now->status = stet_col_dup(rows, C_STATUS);
	now->author = stet_col_dup(rows, C_AUTHOR);
	now->updated = stet_col_dup(rows, C_UPDATED);
	now->published = stet_col_dup(rows, C_PUBLISHED);
	now->scheduled = stet_col_dup(rows, C_SCHEDULED);
	now->unpublish = stet_col_dup(rows, C_UNPUBLISH);
	now->live = stet_col_dup(rows, C_LIVE);
	now->draft = stet_col_dup(rows, C_DRAFT);
	now->locale = stet_col_dup(rows, C_LOCALE);
	now->group = stet_col_dup(rows, C_GROUP);
	now->version = stet_col_int(rows, C_VERSION);
	for (const struct item_part *p = item_parts; p->column != NULL; p++)
		if ((p->use & STET_ITEM_COPIED) != 0)
			now->copied[p->at] = value_of(rows, p);
	now->is_overdue = !stet_col_null(rows, C_SCHEDULE_ERROR);
	now->pinned = !stet_col_null(rows, C_LIVE_VERSION);
	now->is_published = strcmp(now->status, "published") == 0;
	/* Without revisions the pointers to them have no meaning. */
	now->stale_pointers =
	    !now->collection->revisions && (now->live != NULL || now->draft != NULL);
	if (!now->collection->revisions)
		now->live = now->draft = NULL;
}

enum stet_status
now_values(struct stet_call *call, struct stet_rows *rows, struct now *now)
{
	struct revision r;
	bool found = false;

	now->columns = fit_data(call, now->plan, row_data(call, rows, now->plan));
	STET_TRY(stet_rows_end(rows));
	now->data = now->columns;
	now->newest_slug = now->slug;
	if (now->draft == NULL)
		return STET_OK;
	STET_TRY(revision_read(call, now->draft, &r, &found));
	if (!found)
		return stet_fault(call, "draft revision %s is not there", now->draft);
	now->data = fit_overlay(call, now->collection, now->plan, now->columns, &r);
	now->staged_slug = r.slug;
	now->staged = staged_of(call, r.data);
	if (r.slug != NULL)
		now->newest_slug = *r.slug != '\0' ? r.slug : NULL;
	return STET_OK;
}

enum stet_status
now_find(struct stet_call *call, struct now *now)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale"));
	struct stet_rows rows;

	STET_TRY(stet_issues(call));
	STET_TRY(plan_get(call, stet_arg(call, "collection"), &now->collection, &now->plan));
	STET_TRY(item_find(call, now->plan, stet_arg(call, "id"), locale, &rows));
	now_row(call, &rows, now);
	return now_values(call, &rows, now);
}

/* Fails with CONFLICT: the item has changed since this _rev. The details name the three revisions
 * that a merge needs, as far as they exist. */
static enum stet_status
changed_since(struct stet_call *call, const struct now *now, const char *rev, const char *is)
{
	const int64_t version = item_rev_version(rev);
	const char *base = NULL, *current = NULL;
	enum stet_status status;
	bool told = (item_rights(call, now->collection) & STET_MAY_READ_DRAFTS) != 0;

	if (told && now->collection->revisions) {
		STET_TRY(revision_at(call, now->id, now->version, &current));
		if (version > 0 && version < now->version)
			STET_TRY(revision_at(call, now->id, version, &base));
	}
	status = stet_fail(call, STET_CONFLICT, "_rev",
	    "The item has changed since it was read: read it again (content_get), then try again "
	    "with its new _rev");
	if (told)
		stet_detail(call, "currentRev", is);
	if (current != NULL)
		stet_detail(call, "currentRevisionId", current);
	if (base != NULL)
		stet_detail(call, "baseRevisionId", base);
	return status;
}

enum stet_status
now_is(struct stet_call *call, const struct now *now, const char *rev)
{
	const char *is = item_rev(call, now->version, now->updated);
	size_t len = strlen(is);

	/* If-Match may be the entity tag, which is the _rev, a dot and the bylines' version
	 * (byline_tag). */
	if (rev == NULL || (strncmp(rev, is, len) == 0 && (rev[len] == '\0' || rev[len] == '.')))
		return STET_OK;
	return changed_since(call, now, rev, is);
}

struct change
now_change(const struct now *now, const char *slug, const char *status)
{
	return (struct change){
		.collection = now->collection,
		.plan = now->plan,
		.id = now->id,
		.slug = slug,
		.status = status,
		.locale = now->locale,
		.author = now->author,
		.version = now->version + 1,
		.live = strcmp(status, "published") == 0,
	};
}

void
now_diff(struct stet_call *call, const struct now *now, const json_t *data, struct values *out)
{
	const struct stet_collection *c = now->collection;

	*out = (struct values){ .collection = c };
	out->value = stet_alloc(call, sizeof(out->value[0]) * (c->field_count + EXTRAS));
	out->given = stet_alloc(call, sizeof(out->given[0]) * (c->field_count + EXTRAS));
	for (size_t i = 0; i < now->plan->count; i++) {
		const char *name = now->plan->field[i].slug;
		const json_t *old = json_object_get(now->columns, name);
		const json_t *new = json_object_get(data, name);

		out->value[i] = new;
		out->given[i] = old != new && (old == NULL || new == NULL || !json_equal(old, new));
	}
}

/* ---- writing ---- */

static struct stet_sql *
begin_update(struct stet_call *call, const struct now *now)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "UPDATE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, now->plan->slug);
	stet_sql_add(sql, " SET version = version + 1");
	if (now->stale_pointers)
		stet_sql_add(sql, ", live_revision_id = NULL, draft_revision_id = NULL");
	return sql;
}

struct stet_sql *
now_update(struct stet_call *call, const struct now *now)
{
	struct stet_sql *sql = begin_update(call, now);

	if (now->pinned)
		stet_sql_add(sql, ", live_version = NULL");
	return sql;
}

struct stet_sql *
now_update_hidden(struct stet_call *call, const struct now *now)
{
	struct stet_sql *sql = begin_update(call, now);

	/* On the right side of =, SQL uses the row's values from before the update. */
	if (now->is_published && !now->pinned)
		stet_sql_add(sql, ", live_version = version");
	return sql;
}

void
now_set(struct stet_sql *sql, const char *column, const char *value)
{
	stet_sql_add(sql, column);
	stet_sql_bind(sql, stet_val_str(value));
}

void
now_turn(struct stet_sql *sql, const char *column, const char *was, const char *value)
{
	if ((was == NULL) != (value == NULL) || (was != NULL && strcmp(was, value) != 0))
		now_set(sql, column, value);
}

void
now_turn_schedule(
    struct stet_sql *sql, const struct now *now, const char *at, const char *unpublish)
{
	now_turn(sql, ", scheduled_at = ", now->scheduled, at);
	now_turn(sql, ", unpublish_at = ", now->unpublish, unpublish);
	if (now->is_overdue)
		stet_sql_add(sql, ", schedule_error = NULL");
}

void
now_set_fields(
    struct stet_call *call, struct stet_sql *sql, const struct now *now, const struct values *v)
{
	for (size_t i = 0; i < now->plan->count; i++) {
		const json_t *old = json_object_get(now->columns, now->plan->field[i].slug);

		if (!v->given[i] ||
		    (old != NULL && v->value[i] != NULL &&
			json_equal((json_t *)(uintptr_t)old, (json_t *)(uintptr_t)v->value[i])))
			continue;
		stet_sql_add(sql, ", ");
		stet_sql_ident(sql, STET_FIELD_COLUMN, now->plan->field[i].slug);
		stet_sql_add(sql, " = ");
		stet_sql_bind(sql, values_sql(call, v->value[i], now->plan->field[i].kind));
	}
}

enum stet_status
now_write(struct stet_call *call, struct stet_tx *tx, struct stet_sql *sql, const struct now *now,
    const struct change *c, const struct values *values, const char *kind)
{
	const bool deletes = strcmp(kind, "delete") == 0,
		   counts = deletes || count_changes(now, c, values);
	enum stet_status status;

	if (counts)
		STET_TRY(count_take(call, tx, now->plan, now->id));
	now_set(sql, " WHERE id = ", now->id);
	stet_sql_add(sql, " AND version = ");
	stet_sql_bind(sql, stet_val_int(now->version));
	stet_sql_add(sql, " AND deleted_at IS NULL");
	status = stet_sql_exec(sql, tx);
	if (status == STET_CONFLICT)
		return taken_conflict(call, c, values);
	STET_TRY(status);
	if (stet_changes(call) != 1)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "Content changed while the operation was in progress");
	if (counts && !deletes)
		STET_TRY(count_add(call, tx, now->plan, now->id));
	STET_TRY(many_settle(call, tx, now->plan, now->id));
	STET_TRY(hook_address_left(call, tx, now, c, kind));
	return hook_changed(call, tx, c, kind);
}
