/*
 * transfer.c - items as files, for "stet export" and "stet import site". Each collection is a
 * kind whose rows are its items; a second kind has the revisions that the items refer to, the
 * live one and the draft. Older revisions are not moved.
 */
#include "move/move.h"
#include "write/write.h"
#include <string.h>

static const struct stet_member revision_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "entryId", STET_STRING, STET_REQUIRED },
	{ "authorId", STET_STRING },
	{ "createdAt", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING },
	{ "base", STET_STRING },
	{ "data", STET_OBJECT, STET_REQUIRED },
	{ 0 },
};

/* Returns the JSON type that values of the field have in files, whatever the rules of the field. */
static enum stet_type
type_of(const struct stet_field *f)
{
	switch (f->type->holds) {
	case STET_HOLDS_IMAGE:
	case STET_HOLDS_FILE:
		return STET_OBJECT;
	case STET_HOLDS_TEXTS:
	case STET_HOLDS_BLOCKS:
	case STET_HOLDS_ROWS:
		return STET_ARRAY;
	default:
		break;
	}
	switch (plan_kind(f)) {
	case AS_INTEGER:
		return STET_INTEGER;
	case AS_REAL:
		return STET_NUMBER;
	case AS_BOOLEAN:
		return STET_BOOLEAN;
	case AS_JSON:
		return STET_ANY;
	case AS_TEXT:
		break;
	}
	return STET_STRING;
}

/* A column as a member of a file: one that is null in a row is absent there. */
static struct stet_member
member_of(const struct item_part *part)
{
	struct stet_member m = { part->shape.name, part->shape.type,
		.choices = part->shape.choices };

	if ((part->shape.flags & (STET_REQUIRED | STET_NULLABLE)) == STET_REQUIRED)
		m.flags = STET_REQUIRED;
	if (part->at == C_ID)
		m.pattern = "^[0-9A-Z]{26}$";
	if (m.type == STET_TIME)
		m.type = STET_STRING;
	else if (m.type == STET_OBJECT || m.type == STET_ARRAY)
		m.type = STET_ANY;
	return m;
}

/* Appends the columns that are exported: those that name the item, or the others. */
static size_t
add_columns(struct stet_member *row, size_t n, bool naming)
{
	for (const struct item_part *p = item_parts; p->column != NULL; p++)
		if ((p->use & STET_ITEM_EXPORTED) != 0 &&
		    ((p->use & STET_ITEM_NAMING) != 0) == naming)
			row[n++] = member_of(p);
	return n;
}

static size_t
part_count(void)
{
	size_t n = 0;

	while (item_parts[n].column != NULL)
		n++;
	return n;
}

static const struct stet_member *
row_of(struct stet_call *call, const struct stet_collection *c)
{
	struct stet_member *row = stet_alloc(call, (part_count() + 2) * sizeof(*row)),
			   *fields =
			       stet_alloc(call, (c->field_count + EXTRAS + 1) * sizeof(*fields));
	size_t n = add_columns(row, add_columns(row, 0, true), false);

	for (size_t i = 0; i < c->field_count; i++)
		fields[i] = (struct stet_member){ c->fields[i]->slug, type_of(c->fields[i]),
			plan_kind(c->fields[i]) == AS_JSON ? STET_NULLABLE : 0 };
	for (size_t i = 0, k = c->field_count; i < EXTRAS; i++)
		if (extras[i].has(c))
			fields[k++] = (struct stet_member){ extras[i].stored, STET_ANY };
	row[n] = (struct stet_member){ "data", STET_OBJECT, STET_REQUIRED, .of = fields };
	return row;
}

/* ---- checking imported items ---- */

static enum stet_status
check_revisions(struct stet_call *call, const char *live, const char *draft, const char *id)
{
	const char *const revision[] = { live, draft };

	for (int i = 0; i < 2; i++) {
		struct stet_rows found;

		if (revision[i] == NULL)
			continue;
		STET_TRY(stet_query(call, &found,
		    "SELECT 1 FROM revision WHERE id = ?1 AND entry_id = ?2",
		    STET_ARGS(revision[i], id)));
		if (!stet_row(&found))
			stet_issue(call, i == 0 ? "liveRevisionId" : "draftRevisionId",
			    "is no revision of this item");
		STET_TRY(stet_rows_end(&found));
	}
	return stet_issues(call);
}

/* Refuses a live_version that is not below `version`. */
static enum stet_status
check_versions(struct stet_call *call, struct stet_rows *rows)
{
	if (!stet_col_null(rows, C_LIVE_VERSION) &&
	    stet_col_int(rows, C_LIVE_VERSION) >= stet_col_int(rows, C_VERSION))
		stet_issue(call, "liveVersion", "is not below version");
	return stet_issues(call);
}

/* Refuses values that no save could have stored and that could do harm: a text that is not a link
 * in a field of type url, since pages would link to it, and such members of extras. Other values
 * are stored as they are: see doubt.c. */
static enum stet_status
check_links(struct stet_call *call, const struct now *now, const json_t *data)
{
	const json_t *value;

	for (size_t i = 0; i < now->collection->field_count; i++) {
		const struct stet_field *f = now->collection->fields[i];

		value = json_object_get(data, f->slug);
		if (f->type->holds == STET_HOLDS_LINK && !values_is_empty(value))
			STET_TRY(
			    doubt_value(call, f, stet_printf(call, "data.%s", f->slug), value));
	}
	for (size_t i = 0; i < EXTRAS; i++)
		if ((value = json_object_get(data, extras[i].stored)) != NULL)
			extras[i].verify(call, value);
	return stet_issues(call);
}

static const char *
text(const json_t *row, const char *name)
{
	return json_string_value(json_object_get(row, name));
}

/* Tells hooks that a published item leaves its address. */
static enum stet_status
leave(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const json_t *was, const json_t *row)
{
	const char *slug = text(was, "slug"), *next = text(row, "slug");

	if (slug == NULL || strcmp(text(was, "status"), "published") != 0 ||
	    text(was, "deletedAt") != NULL ||
	    (next != NULL && strcmp(slug, next) == 0 &&
		strcmp(text(row, "status"), "published") == 0 && text(row, "deletedAt") == NULL))
		return STET_OK;
	return stet_run_entry_address_left(call, tx, c, text(was, "id"), slug, text(was, "locale"));
}

/* Keeps the replaced values as a revision, unless a revision that the item refers to has them. */
static enum stet_status
item_replacing(struct stet_call *call, struct stet_tx *tx, const void *slug, const json_t *was,
    const json_t *row)
{
	struct now now = { .id = text(was, "id"),
		.author = text(was, "authorId"),
		.updated = text(was, "updatedAt"),
		.live = text(was, "liveRevisionId"),
		.draft = text(was, "draftRevisionId") };
	const char *id;

	STET_TRY(plan_get(call, slug, &now.collection, &now.plan));
	STET_TRY(leave(call, tx, now.collection, was, row));
	if (!now.collection->revisions || now.live != NULL ||
	    json_equal(json_object_get(was, "data"), json_object_get(row, "data")))
		return STET_OK;
	now.columns = fit_data(call, now.plan, json_object_get(was, "data"));
	return revision_keep(call, tx, &now, &id);
}

static enum stet_status
item_moved(struct stet_call *call, struct stet_tx *tx, const void *slug, const char *change,
    const json_t *key)
{
	const char *id = json_string_value(json_object_get(key, "id"));
	struct now now = { 0 };
	struct stet_rows rows;

	STET_TRY(plan_get(call, slug, &now.collection, &now.plan));
	if (strcmp(change, "delete") == 0) {
		STET_TRY(revision_forget(call, tx, id));
		STET_TRY(many_forget(call, tx, id));
		return stet_run_entry_changed(call, tx, now.collection, id, "purge", 0);
	}
	if (strcmp(change, "create") != 0)
		STET_TRY(revision_unknown(call, tx, id));
	STET_TRY(item_any(call, now.plan, id, &rows));
	now_row(call, &rows, &now);
	STET_TRY(
	    check_revisions(call, stet_col_dup(&rows, C_LIVE), stet_col_dup(&rows, C_DRAFT), id));
	STET_TRY(check_versions(call, &rows));
	STET_TRY(now_values(call, &rows, &now));
	STET_TRY(check_links(call, &now, now.columns));
	STET_TRY(check_links(call, &now, now.data));
	STET_TRY(many_settle(call, tx, now.plan, id));
	return stet_run_entry_changed(call, tx, now.collection, id, change, now.version);
}

static enum stet_status
settled(struct stet_call *call, struct stet_tx *tx)
{
	stet_job_wake(call, SCHEDULE_JOB);
	return count_all(call, tx);
}

/* ---- kinds ---- */

/* Appends "SELECT live_revision_id FROM c_posts UNION SELECT draft_revision_id FROM c_posts". */
static void
add_referred(struct stet_sql *sql, const char *slug)
{
	stet_sql_add(sql, "SELECT live_revision_id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, slug);
	stet_sql_add(sql, " UNION SELECT draft_revision_id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, slug);
}

/* Returns the statement for the revisions that items refer to and the keyframes of these. */
static const char *
revisions_of(struct stet_call *call, const char *slug)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "t.id IN (");
	add_referred(sql, slug);
	stet_sql_add(sql, ") OR t.id IN (SELECT base FROM revision WHERE id IN (");
	add_referred(sql, slug);
	stet_sql_add(sql, "))");
	return stet_sql_text(sql);
}

enum stet_status
transfer_kinds(struct stet_call *call, struct stet_table *out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *list;
	struct stet_transfer *kinds;
	size_t n;

	STET_TRY(schema->collections(call, &list, &n));
	kinds = stet_alloc(call, (2 * n + 1) * sizeof(*kinds));
	for (size_t i = 0; i < n; i++) {
		const char *slug = list[i]->slug;

		kinds[2 * i] = (struct stet_transfer){
			.kind = stet_printf(call, "content/%s", slug),
			.table = stet_printf(call, STET_ITEM_TABLE "%s", slug),
			.row = row_of(call, list[i]),
			.key = "id",
			/* Replaces slashes in slugs of older versions, which would make
			 * directories. */
			.name = "t.locale || '/' || replace(COALESCE(t.slug, t.id), '/', '\001')",
			.changed = item_moved,
			.settled = settled,
			.arg = slug,
			.replacing = item_replacing,
			.moves = "slug",
			.doubt = item_doubt,
		};
		kinds[2 * i + 1] = (struct stet_transfer){
			.kind = stet_printf(call, "revisions/%s", slug),
			.table = "revision",
			.row = revision_row,
			.key = "id",
			.name = "t.entry_id",
			.order = "t.id",
			.where = revisions_of(call, slug),
			.many = true,
			.stays = true,
		};
	}
	*out = (struct stet_table){ kinds, (uint32_t)(2 * n), sizeof(*kinds) };
	return STET_OK;
}
