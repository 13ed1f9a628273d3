/*
 * promises.c - changes of a field that existing items may violate.
 *
 * Over REST and in tools such a change is refused: it needs a migration of the content. The steps
 * from files (transfer.c) are that migration: they change `required`, `unique` or `translatable` if
 * every item complies, and otherwise report how many items do not. A step that would have to change
 * stored values (another type) is refused too.
 */
#include "schema.h"
#include <string.h>

/* Key of a slot of the call (its address identifies the slot). The slot has the struct in_way of
 * the running step. */
static char slot_key;

struct in_way *
promises_begin(struct stet_call *call, struct in_way *step)
{
	void **slot = stet_call_slot(call, &slot_key);
	struct in_way *before = *slot;

	*slot = step;
	return before;
}

static struct in_way *
running_step(struct stet_call *call)
{
	return *stet_call_slot(call, &slot_key);
}

/* ---- counting ---- */

static void
put_column(struct stet_sql *sql, const char *row, const struct stet_field *f)
{
	stet_sql_add(sql, row);
	stet_sql_ident(sql, STET_FIELD_COLUMN, f->slug);
}

/* Appends the condition that the item has no value; an empty text counts as no value. */
static void
put_empty(struct stet_sql *sql, const struct stet_field *f)
{
	put_column(sql, "(", f);
	stet_sql_add(sql, " IS NULL");
	if (f->type->storage == STET_STORE_TEXT && !f->json_text) {
		put_column(sql, " OR ", f);
		stet_sql_add(sql, " = ''");
	}
	stet_sql_add(sql, ")");
}

/* Items in the trash count for `required`, since they may be restored. A restore itself checks
 * unique values and translations. */
static void
put_without_value(struct stet_sql *sql, const struct stet_collection *c, const struct stet_field *f)
{
	stet_sql_add(sql, "SELECT COUNT(*) FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE ");
	put_empty(sql, f);
	if (c->required_on_publish)
		stet_sql_add(sql, " AND status <> 'draft'");
}

static void
put_with_value(struct stet_sql *sql, const struct stet_collection *c, const struct stet_field *f)
{
	stet_sql_add(sql, "SELECT COUNT(*) FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	put_column(sql, " WHERE ", f);
	stet_sql_add(sql, " IS NOT NULL");
}

static void
put_sharing_value(struct stet_sql *sql, const struct stet_collection *c, const struct stet_field *f)
{
	stet_sql_add(sql, "SELECT COALESCE(SUM(n), 0) FROM (SELECT COUNT(*) AS n FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE deleted_at IS NULL AND NOT ");
	put_empty(sql, f);
	put_column(sql, " GROUP BY locale, ", f);
	stet_sql_add(sql, " HAVING COUNT(*) > 1) AS shared");
}

/* Selects items whose value differs from that of a translation. */
static void
put_differing(struct stet_sql *sql, const struct stet_collection *c, const struct stet_field *f)
{
	stet_sql_add(sql, "SELECT COUNT(*) FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " AS i WHERE i.deleted_at IS NULL AND EXISTS (SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(
	    sql, " AS o WHERE o.translation_group = i.translation_group AND o.deleted_at IS NULL");
	put_column(sql, " AND (o.", f);
	put_column(sql, " <> i.", f);
	put_column(sql, " OR (o.", f);
	put_column(sql, " IS NULL) <> (i.", f);
	stet_sql_add(sql, " IS NULL)))");
}

typedef void put_fn(struct stet_sql *, const struct stet_collection *, const struct stet_field *);

static enum stet_status
count(struct stet_call *call, const struct stet_collection *c, const struct stet_field *f,
    put_fn *put, int64_t *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	put(sql, c, f);
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*out = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

/* ---- the promises ---- */

/* A promise that the new definition adds or removes, and the condition of items that break it. */
struct promise {
	const char *member;
	bool changes;
	put_fn *breaks; /* NULL: no item can break it */
	const char *how; /* describes the items that break it */
};

static enum stet_status
refuse(struct stet_call *call, const char *member, const char *field)
{
	return stet_fail(call, stet_code(call, "FIELD_UPDATE_REQUIRES_MIGRATION"), member,
	    "Changing \"%s\" of field \"%s\" needs a migration of its content. \"stet schema "
	    "apply\" does it where every item fits; otherwise create a new field and move the "
	    "content",
	    member, field);
}

/* For a running step: refuses the change only if an item breaks the promise. */
static enum stet_status
migrate(struct stet_call *call, const struct stet_collection *c, const struct stet_field *new,
    const struct promise *p, struct in_way *step)
{
	int64_t n = 0;

	if (p->breaks == NULL)
		return STET_OK;
	STET_TRY(count(call, c, new, p->breaks, &n));
	step->rows += n;
	if (n == 0)
		return STET_OK;
	return stet_fail(call, stet_code(call, "FIELD_UPDATE_REQUIRES_MIGRATION"), p->member,
	    "\"%s\" of field \"%s\" cannot change: %lld items %s. Change these first", p->member,
	    new->slug, (long long)n, p->how);
}

/* Refuses a change of the stored form of a reference that has values. */
static enum stet_status
check_form(struct stet_call *call, const struct stet_collection *c, const struct stet_field *old,
    const struct stet_field *new, struct in_way *step)
{
	int64_t n = 0;
	bool values;

	if (old->json_text == new->json_text)
		return STET_OK;
	STET_TRY(ddl_has_values(call, c->slug, old->slug, &values));
	if (!values)
		return STET_OK;
	if (step != NULL) {
		STET_TRY(count(call, c, old, put_with_value, &n));
		step->rows += n;
	}
	return stet_fail(call, stet_code(call, "FIELD_UPDATE_REQUIRES_MIGRATION"), "options",
	    "Changing \"allowMultiple\" of field \"%s\" needs a migration of its content. Create a "
	    "new field and move the content",
	    old->slug);
}

enum stet_status
promises_check(struct stet_call *call, const struct stet_collection *c,
    const struct stet_field *old, const struct stet_field *new)
{
	const struct promise promises[] = {
		{ "required", old->required != new->required,
		    new->required ? put_without_value : NULL, "have no value" },
		{ "unique", old->unique != new->unique, new->unique ? put_sharing_value : NULL,
		    "share a value with another item of their locale" },
		{ "translatable", old->translatable && !new->translatable, put_differing,
		    "have another value than one of their translations" },
	};
	struct in_way *step = running_step(call);

	for (size_t i = 0; i < sizeof(promises) / sizeof(promises[0]); i++) {
		const struct promise *p = &promises[i];

		if (!p->changes)
			continue;
		if (step == NULL)
			return refuse(call, p->member, old->slug);
		STET_TRY(migrate(call, c, new, p, step));
	}
	return check_form(call, c, old, new, step);
}

enum stet_status
promises_check_complete(struct stet_call *call, const struct stet_collection *c)
{
	struct stet_collection drafts = *c;
	struct in_way *step = running_step(call);

	drafts.required_on_publish = false;
	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];
		int64_t n = 0;

		if (f->required)
			STET_TRY(count(call, &drafts, f, put_without_value, &n));
		if (n == 0)
			continue;
		if (step != NULL)
			step->rows += n;
		return stet_fail(call, stet_code(call, "FIELD_UPDATE_REQUIRES_MIGRATION"),
		    "requiredOn",
		    "\"requiredOn\" cannot become save: %lld items have no value of \"%s\". "
		    "Change these first",
		    (long long)n, f->slug);
	}
	return STET_OK;
}

/* ---- the type ---- */

bool
is_plain_text(const struct stet_field_type *type)
{
	return strcmp(type->name, "string") == 0 || strcmp(type->name, "text") == 0 ||
	       strcmp(type->name, "slug") == 0;
}

enum stet_status
promises_check_type(struct stet_call *call, const struct stet_collection *c,
    const struct stet_field *old, const struct stet_field *new)
{
	const bool same_column = strcmp(column_type(old), column_type(new)) == 0;
	struct in_way *step = running_step(call);
	int64_t n = 0;

	if (strcmp(old->type->name, new->type->name) == 0 ||
	    (same_column && is_plain_text(old->type) && is_plain_text(new->type)))
		return STET_OK;
	if (step != NULL) {
		STET_TRY(count(call, c, old, put_with_value, &n));
		step->rows += n;
	}
	if (!same_column)
		return stet_fail(call, stet_code(call, "FIELD_TYPE_COLUMN_CHANGE"), "type",
		    "Field \"%s\" cannot become \"%s\": it is stored as %s, that as %s. Create a new "
		    "field and move the content",
		    old->slug, new->type->name, column_type(old), column_type(new));
	return stet_fail(call, stet_code(call, "FIELD_TYPE_CHANGE_REQUIRES_MIGRATION"), "type",
	    "Only string, text and slug may become one another. Create a new field of type "
	    "\"%s\" and move the content",
	    new->type->name);
}
