/*
 * translation.c - the items of a translation group: lists them, and keeps the values of fields
 * that are not translatable equal in all of them.
 *
 * When such a value is written to the row of an item, the other items of the group get it too.
 * If the item is published, the value is written to the rows of all of them. If the item is not
 * published, the value is written to the rows of unpublished translations, and to a draft of
 * published ones, so that the public sees nothing before the item is published.
 */
#include "write/write.h"
#include <string.h>

const struct stet_member translations_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, .about = "Locale, when it is looked up by slug" },
	{ 0 },
};
static const struct stet_member translation_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "status", STET_STRING, STET_REQUIRED },
	{ "updatedAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
const struct stet_member translations_out[] = {
	{ "translationGroup", STET_STRING, STET_REQUIRED },
	{ "translations", STET_ARRAY, STET_REQUIRED, .of = translation_shape,
	    .about = "By locale, the item itself among them; without the right to drafts, only "
		     "published ones" },
	{ 0 },
};

/* ---- the group ---- */

/* Appends "SELECT <columns> FROM …" for the items of the group that are not in the trash. */
static struct stet_sql *
select_group(
    struct stet_call *call, const struct plan *plan, const char *columns, const char *group)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, columns);
	stet_sql_ident(sql, STET_ITEM_TABLE, plan->slug);
	stet_sql_add(
	    sql, " WHERE " STET_UNINDEXED("deleted_at") " IS NULL AND translation_group = ");
	stet_sql_bind(sql, stet_val_str(group));
	return sql;
}

enum stet_status
content_translations(struct stet_call *call)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale")), *group;
	struct stet_json *out = stet_reply(call);
	const struct stet_collection *collection;
	const struct plan *plan;
	struct stet_sql *sql;
	struct stet_rows rows;

	STET_TRY(stet_issues(call));
	STET_TRY(plan_get(call, stet_arg(call, "collection"), &collection, &plan));
	STET_TRY(item_find_seen(call, plan, stet_arg(call, "id"), locale, &rows));
	group = stet_col_dup(&rows, C_GROUP);
	STET_TRY(stet_rows_end(&rows));
	sql = select_group(call, plan, "SELECT id, locale, slug, status, updated_at FROM ", group);
	if (!stet_may(call, "content:read_drafts"))
		stet_sql_add(sql, " AND " STET_UNINDEXED("status") " = 'published'");
	stet_sql_add(sql, " ORDER BY locale");
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_put_str(out, "translationGroup", group);
	STET_TRY(stet_put_rows(out, "translations", &rows, translation_shape));
	stet_close(out);
	plan_surrogates(call, plan);
	return STET_OK;
}

enum stet_status
translation_free(struct stet_call *call, const struct plan *plan, const char *group,
    const char *locale, const char *but)
{
	struct stet_sql *sql = select_group(call, plan, "SELECT id FROM ", group);
	struct stet_rows rows;
	bool found;

	now_set(sql, " AND locale = ", locale);
	now_set(sql, " AND id <> ", but);
	STET_TRY(stet_sql_query(sql, &rows));
	found = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	return found ? stet_fail(call, STET_CONFLICT, "locale",
			   "The item has a translation in \"%s\" already", locale)
		     : STET_OK;
}

enum stet_status
translation_spare(
    struct stet_call *call, const struct plan *plan, const char *group, const char *but)
{
	struct stet_sql *sql;
	struct stet_rows rows;
	bool found;

	if (!stet_drafts_only(call))
		return STET_OK;
	sql = select_group(call, plan, "SELECT id FROM ", group);
	now_set(sql, " AND id <> ", but);
	stet_sql_add(sql, " AND (" STET_UNINDEXED("status") " = 'published' OR " STET_UNINDEXED(
			      "scheduled_at") " IS NOT NULL) LIMIT 1");
	STET_TRY(stet_sql_query(sql, &rows));
	found = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	return found ? stet_refuse_public(call) : STET_OK;
}

/* ---- shared values: fields that are not translatable ---- */

bool
translation_shares(const struct stet_collection *c)
{
	for (size_t i = 0; i < c->field_count; i++)
		if (!c->fields[i]->translatable)
			return true;
	return false;
}

const json_t *
translation_inherit(struct stet_call *call, const struct stet_collection *c, const json_t *source,
    const json_t *data)
{
	json_t *all = stet_json_own(call, json_copy((json_t *)(uintptr_t)data));

	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];
		json_t *v = json_object_get(source, f->slug);

		if (f->translatable || json_object_get(all, f->slug) != NULL)
			continue;
		/* JSON null if the source has no value, so that the translation does not get the
		 * default. */
		if (v != NULL)
			json_object_set(all, f->slug, v);
		else if (!stet_required_in_drafts(c, f))
			json_object_set_new(all, f->slug, json_null());
	}
	return all;
}

/* The values that the other items get. */
struct shared {
	const json_t *data;
	bool *is; /* by field: the other items get it */
	bool live;
};

static bool
same(const json_t *a, const json_t *b, const char *name)
{
	const json_t *x = json_object_get(a, name), *y = json_object_get(b, name);

	return x == y || (x != NULL && y != NULL && json_equal(x, y));
}

/* Selects the shared fields; with `was`, only those whose value has changed. */
static bool
shared_of(struct stet_call *call, const struct stet_collection *c, const json_t *was,
    const json_t *data, struct shared *s)
{
	bool any = false;

	s->data = data;
	s->is = stet_alloc(call, sizeof(s->is[0]) * (c->field_count + 1));
	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];

		s->is[i] = !f->translatable && (was == NULL || !same(was, data, f->slug));
		any = any || s->is[i];
	}
	return any;
}

/* Sets the shared values in the item's data. With `carried`, replaces a value only if the data has
 * the value of `carried`, so that a draft keeps a value of its own. NULL: replaces all. */
static json_t *
take(struct stet_call *call, const struct now *to, const struct shared *s, json_t *data,
    const json_t *carried)
{
	json_t *all = stet_json_own(call, json_copy(data));

	for (size_t i = 0; i < to->collection->field_count; i++) {
		const char *name = to->collection->fields[i]->slug;
		json_t *v = json_object_get(s->data, name);

		if (!s->is[i] || (carried != NULL && !same(data, carried, name)))
			continue;
		if (v != NULL)
			json_object_set(all, name, v);
		else
			json_object_del(all, name);
	}
	return all;
}

/* The state of a translation after the change. */
struct taking {
	json_t *columns, *data;
	bool row_changes, data_changes;
	bool drops; /* the draft has become equal to the live values and is dropped */
	const char *live, *draft;
};

/* Returns false if the translation does not change. */
static bool
prepare(struct stet_call *call, const struct now *to, const struct shared *s, struct taking *t)
{
	bool staged = !s->live && to->is_published && to->collection->revisions;

	*t = (struct taking){ .columns = to->columns, .live = to->live, .draft = to->draft };
	if (staged) {
		t->data = take(call, to, s, to->data, NULL);
	} else {
		t->columns = take(call, to, s, to->columns, NULL);
		t->data = to->draft != NULL ? take(call, to, s, to->data, to->columns) : t->columns;
	}
	t->row_changes = !json_equal(t->columns, to->columns);
	t->data_changes = !json_equal(t->data, to->data);
	t->drops = to->draft != NULL && to->is_published && to->scheduled == NULL &&
		   to->staged_slug == NULL && to->staged == NULL && json_equal(t->data, t->columns);
	return t->row_changes || t->data_changes;
}

static enum stet_status
write_revisions(struct stet_call *call, struct stet_tx *tx, const struct now *to, struct taking *t)
{
	bool drafts = to->draft != NULL || !t->row_changes;
	const char *id;

	if (!to->collection->revisions)
		return STET_OK;
	if (to->is_published && !t->row_changes && to->live == NULL)
		STET_TRY(revision_keep(call, tx, to, &t->live));
	else if (to->is_published && t->row_changes && !t->drops)
		STET_TRY(revision_replace(call, tx, to, t->columns, NULL, &t->live));
	if (drafts && t->data_changes)
		STET_TRY(revision_write(call, tx, to, staged_with(call, t->data, to->staged),
		    to->staged_slug, t->live, &t->draft));
	else if (!drafts && !to->is_published)
		STET_TRY(revision_replace(call, tx, to, t->columns, NULL, &id));
	if (t->drops) {
		t->live = t->draft;
		t->draft = NULL;
	}
	return STET_OK;
}

static enum stet_status
give(struct stet_call *call, struct stet_tx *tx, const struct now *to, const struct shared *s)
{
	struct change c = now_change(to, to->slug, to->status);
	struct stet_sql *sql;
	struct values values;
	struct taking t;

	if (!prepare(call, to, s, &t))
		return STET_OK;
	c.live = to->is_published && t.row_changes;
	if ((c.live || to->scheduled != NULL) && stet_drafts_only(call))
		return stet_refuse_public(call);
	if (stet_hooked(call, STET_AT_entry_before_save))
		STET_TRY(hook_before_save(call, tx, &c, t.data));
	STET_TRY(write_revisions(call, tx, to, &t));
	sql = t.row_changes ? now_update(call, to) : now_update_hidden(call, to);
	now_diff(call, to, t.columns, &values);
	now_set_fields(call, sql, to, &values);
	if (t.row_changes)
		now_set(sql, ", updated_at = ", stet_time_text(call, stet_now(call)));
	if (to->collection->revisions) {
		now_set(sql, ", live_revision_id = ", t.live);
		now_set(sql, ", draft_revision_id = ", t.draft);
	}
	STET_TRY(now_write(call, tx, sql, to, &c, &values, t.row_changes ? "update" : "stage"));
	return hook_after_save(call, tx, &c);
}

static enum stet_status
give_to(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *collection,
    const struct plan *plan, const char *id, const struct shared *s)
{
	struct now to = { .collection = collection, .plan = plan };
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT, plan->by_id, STET_ARGS(id)));
	now_row(call, &rows, &to);
	STET_TRY(now_values(call, &rows, &to));
	return give(call, tx, &to, s);
}

struct sibling {
	struct sibling *next;
	const char *id;
};

enum stet_status
translation_share(struct stet_call *call, struct stet_tx *tx, const struct change *c,
    const char *group, const json_t *was, const json_t *data)
{
	struct sibling *first = NULL, **tail = &first;
	struct shared s = { .live = c->live };
	struct stet_sql *sql;
	struct stet_rows rows;

	if (!translation_shares(c->collection) ||
	    !shared_of(call, c->collection, was, fit_data(call, c->plan, data), &s))
		return STET_OK;
	sql = select_group(call, c->plan, "SELECT id FROM ", group);
	now_set(sql, " AND id <> ", c->id);
	stet_sql_add(sql, " ORDER BY locale");
	STET_TRY(stet_sql_query(sql, &rows));
	for (; stet_row(&rows); tail = &(*tail)->next) {
		*tail = stet_alloc(call, sizeof(**tail));
		(*tail)->id = stet_col_dup(&rows, 0);
	}
	STET_TRY(stet_rows_end(&rows));
	for (; first != NULL; first = first->next)
		STET_TRY(give_to(call, tx, c->collection, c->plan, first->id, &s));
	return STET_OK;
}

enum stet_status
translation_rejoin(struct stet_call *call, struct stet_tx *tx, const struct now *now)
{
	struct now from = { .collection = now->collection, .plan = now->plan };
	struct shared s = { 0 };
	struct stet_sql *sql;
	struct stet_rows rows;
	const char *id;

	STET_TRY(translation_free(call, now->plan, now->group, now->locale, now->id));
	if (!translation_shares(now->collection))
		return STET_OK;
	sql = select_group(call, now->plan, "SELECT id FROM ", now->group);
	now_set(sql, " AND id <> ", now->id);
	stet_sql_add(sql, " ORDER BY status = 'published' DESC, locale LIMIT 1");
	STET_TRY(stet_sql_query(sql, &rows));
	id = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	STET_TRY(stet_rows_end(&rows));
	if (id == NULL)
		return STET_OK;
	STET_TRY(stet_one(call, &rows, STET_FAULT, now->plan->by_id, STET_ARGS(id)));
	now_row(call, &rows, &from);
	STET_TRY(now_values(call, &rows, &from));
	s.live = from.is_published;
	shared_of(call, now->collection, NULL, from.columns, &s);
	return give_to(call, tx, now->collection, now->plan, now->id, &s);
}
