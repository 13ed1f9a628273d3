/*
 * ddl.c - the tables of collections: a table for each collection, and a column for each field;
 * indexes of fields are in fieldindex.c. It also renames tables and columns of older versions whose
 * names are too long for PostgreSQL.
 */
#include "schema.h"
#include <stdlib.h>
#include <string.h>

#define LIVE " WHERE deleted_at IS NULL"
#define UNPUBLISH " (unpublish_at, id) WHERE unpublish_at IS NOT NULL"

/* The indexes of every collection. Each index makes a create slower (measured: 1 to 2 us if new
 * entries are at its end, 4 us for slugs), so a comment says why it is needed. Names start with the
 * kind and end with the collection, so no two are equal. */
static const struct {
	const char *kind, *create, *columns;
} indexes[] = {
	/* Finds an item by its slug. Includes the trash, since an item in the trash keeps its
	 * slug. Also serves orderBy=slug. */
	{ "slug", "CREATE UNIQUE INDEX ", " (slug, locale)" },
	/* The default order, and the two other orders that editors and sites use most. */
	{ "created", "CREATE INDEX ", " (created_at, id)" LIVE },
	{ "updated", "CREATE INDEX ", " (updated_at, id)" LIVE },
	{ "published", "CREATE INDEX ", " (published_at, id)" LIVE },
	/* Readers without read_drafts always filter by status = published. Without these,
	 * listing a few drafts among a million published items would walk over all items. The
	 * first also serves orderBy=status. */
	{ "statuscreated", "CREATE INDEX ", " (status, created_at, id)" LIVE },
	{ "statuspublished", "CREATE INDEX ", " (status, published_at, id)" LIVE },
	/* "My items": each of many authors has few. */
	{ "authorcreated", "CREATE INDEX ", " (author_id, created_at, id)" LIVE },
	/* Lists of one locale. Without it, a list of one of n locales would read n times its items,
	 * and a locale with hardly any items would read all. Also serves orderBy=locale. */
	{ "localecreated", "CREATE INDEX ", " (locale, created_at, id)" LIVE },
	/* Finds items that are due; read after each change of a schedule. Nearly all items have no
	 * entry in it. */
	{ "scheduled", "CREATE INDEX ", " (scheduled_at, id) WHERE scheduled_at IS NOT NULL" },
	/* The same for items that will be unpublished. */
	{ "unpublish", "CREATE INDEX ", UNPUBLISH },
	/* The trash. Nearly all items have no entry in it. */
	{ "deleted", "CREATE INDEX ", " (deleted_at, id) WHERE deleted_at IS NOT NULL" },
	/* The translations of an item. */
	{ "group", "CREATE INDEX ", " (translation_group, locale)" },
};

static const char *const columns[] = {
#define STET_ITEM_COLUMN(place, name, type, flags, put, about, more, column, declaration, use) \
	column " " declaration,
#define STET_ITEM_HIDDEN(place, name, type, flags, column, declaration, use) column " " declaration,
#define STET_ITEM_APART(name, type, flags, column, declaration, use) column " " declaration,
#include <stet/item.def>
};

static enum stet_status
create_index(struct stet_call *call, struct stet_tx *tx, const char *kind, const char *create,
    const char *columns_of, const char *collection)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, create);
	stet_sql_ident(sql, stet_printf(call, "i_%s_", kind), collection);
	stet_sql_add(sql, " ON ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, columns_of);
	return stet_sql_exec(sql, tx);
}

enum stet_status
ddl_create(struct stet_call *call, struct stet_tx *tx, const char *collection)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "CREATE TABLE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		stet_sql_add(sql, i == 0 ? " (" : ", ");
		stet_sql_add(sql, columns[i]);
	}
	stet_sql_add(sql, ")");
	STET_TRY(stet_sql_exec(sql, tx));
	for (size_t i = 0; i < sizeof(indexes) / sizeof(indexes[0]); i++)
		STET_TRY(create_index(
		    call, tx, indexes[i].kind, indexes[i].create, indexes[i].columns, collection));
	return STET_OK;
}

struct table {
	struct table *next;
	const char *slug;
	const char *field; /* NULL: a table or index */
	const char *sql; /* index: the statement that created it */
};

/* Reads the rows of a query of two columns: a slug, and a field's slug or NULL. */
static enum stet_status
list_tables(struct stet_call *call, const char *query, struct table **out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, query, STET_NO_ARGS));
	for (; stet_row(&rows); out = &(*out)->next) {
		*out = stet_alloc(call, sizeof(**out));
		**out = (struct table){ .slug = stet_col_dup(&rows, 0),
			.field = stet_col_dup(&rows, 1) };
	}
	*out = NULL;
	return stet_rows_end(&rows);
}

/* Appends a name as older versions of stet_sql_ident wrote it: not shortened. */
static void
put_old(struct stet_sql *sql, struct stet_call *call, const char *prefix, const char *name)
{
	stet_sql_add(sql, stet_printf(call, "\"%s%s\"", prefix, name));
}

static void
put_new(struct stet_sql *sql, struct stet_call *call, const char *prefix, const char *name)
{
	(void)call;
	stet_sql_ident(sql, prefix, name);
}

/* Adds a column to the table of each collection. `put` writes the table's name in the form it had
 * at that version. */
static enum stet_status
add_column(struct stet_call *call, struct stet_tx *tx, const char *column,
    void (*put)(struct stet_sql *, struct stet_call *, const char *prefix, const char *name))
{
	struct table *t;

	STET_TRY(list_tables(call, "SELECT slug, NULL FROM collection", &t));
	for (; t != NULL; t = t->next) {
		struct stet_sql *sql = stet_sql_new(call);

		stet_sql_add(sql, "ALTER TABLE ");
		put(sql, call, STET_ITEM_TABLE, t->slug);
		stet_sql_add(sql, " ADD COLUMN ");
		stet_sql_add(sql, column);
		STET_TRY(stet_sql_exec(sql, tx));
	}
	return STET_OK;
}

enum stet_status
ddl_add_live_version(struct stet_call *call, struct stet_tx *tx)
{
	return add_column(call, tx, "live_version INTEGER", put_old);
}

enum stet_status
ddl_add_seo(struct stet_call *call, struct stet_tx *tx)
{
	return add_column(call, tx, STET_FIELD_COLUMN "_seo TEXT", put_new);
}

enum stet_status
ddl_add_schedule_error(struct stet_call *call, struct stet_tx *tx)
{
	return add_column(call, tx, "schedule_error TEXT", put_new);
}

enum stet_status
ddl_add_unpublish(struct stet_call *call, struct stet_tx *tx)
{
	struct table *t;

	STET_TRY(add_column(call, tx, "unpublish_at TEXT", put_new));
	STET_TRY(list_tables(call, "SELECT slug, NULL FROM collection", &t));
	for (; t != NULL; t = t->next)
		STET_TRY(create_index(call, tx, "unpublish", "CREATE INDEX ", UNPUBLISH, t->slug));
	return STET_OK;
}

static enum stet_status
shorten_table(struct stet_call *call, struct stet_tx *tx, const struct table *t)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "ALTER TABLE ");
	put_old(sql, call, STET_ITEM_TABLE, t->slug);
	stet_sql_add(sql, " RENAME TO ");
	stet_sql_ident(sql, STET_ITEM_TABLE, t->slug);
	return stet_sql_exec(sql, tx);
}

/* Called after the tables are renamed. */
static enum stet_status
shorten_column(struct stet_call *call, struct stet_tx *tx, const struct table *t)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "ALTER TABLE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, t->slug);
	stet_sql_add(sql, " RENAME COLUMN ");
	put_old(sql, call, STET_FIELD_COLUMN, t->field);
	stet_sql_add(sql, " TO ");
	stet_sql_ident(sql, STET_FIELD_COLUMN, t->field);
	return stet_sql_exec(sql, tx);
}

/* SQLite cannot rename an index: drops it and creates it with the statement that SQLite has
 * stored for it, in which the renamed table and column already have their new names. */
static enum stet_status
shorten_index(struct stet_call *call, struct stet_tx *tx, const struct table *t)
{
	struct stet_sql *sql = stet_sql_new(call);
	const char *old = stet_printf(call, "\"%s\"", t->slug), *at = strstr(t->sql, old);

	if (at == NULL)
		return stet_fault(call, "the index %s was not made by stet", t->slug);
	stet_sql_add(sql, "DROP INDEX ");
	stet_sql_add(sql, old);
	STET_TRY(stet_sql_exec(sql, tx));
	sql = stet_sql_new(call);
	stet_sql_add(sql, stet_strndup(call, t->sql, (size_t)(at - t->sql)));
	stet_sql_ident(sql, "", t->slug);
	stet_sql_add(sql, at + strlen(old));
	return stet_sql_exec(sql, tx);
}

/* Names that older versions of stet_sql_ident wrote: only SQLite allows them. */
static enum stet_status
list_long_indexes(struct stet_call *call, struct table **out)
{
	struct stet_rows rows;

	STET_TRY(stet_index_names(call, &rows, "c\\_%"));
	while (stet_row(&rows)) {
		const char *name = stet_col_str(&rows, 0);

		if (strlen(name) <= STET_IDENT_MAX)
			continue;
		*out = stet_alloc(call, sizeof(**out));
		**out = (struct table){ .slug = stet_strdup(call, name),
			.sql = stet_col_dup(&rows, 2) };
		out = &(*out)->next;
	}
	*out = NULL;
	return stet_rows_end(&rows);
}

enum stet_status
ddl_shorten_names(struct stet_call *call, struct stet_tx *tx)
{
	struct table *t;

	STET_TRY(
	    list_tables(call, "SELECT slug, NULL FROM collection WHERE length(slug) > 61", &t));
	for (; t != NULL; t = t->next)
		STET_TRY(shorten_table(call, tx, t));
	STET_TRY(list_tables(call,
	    "SELECT c.slug, f.slug FROM field AS f JOIN collection AS c"
	    " ON c.id = f.collection_id WHERE length(f.slug) > 61",
	    &t));
	for (; t != NULL; t = t->next)
		STET_TRY(shorten_column(call, tx, t));
	STET_TRY(list_long_indexes(call, &t));
	for (; t != NULL; t = t->next)
		STET_TRY(shorten_index(call, tx, t));
	return STET_OK;
}

enum stet_status
ddl_drop(struct stet_call *call, struct stet_tx *tx, const char *collection)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "DROP TABLE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	return stet_sql_exec(sql, tx);
}

/* ---- columns ---- */

/* Returns a text as an SQL literal. A backslash has no special meaning in standard literals of
 * either engine. */
static char *
quoted(struct stet_call *call, const char *text)
{
	char *out = stet_alloc(call, strlen(text) * 2 + 3), *p = out;

	*p++ = '\'';
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			*p++ = '\'';
		*p++ = *text;
	}
	*p++ = '\'';
	return out;
}

/* The value that existing items get in a new required column: the field's default, or the zero
 * value of its type. */
static const char *
initial(struct stet_call *call, const struct stet_field *f)
{
	const json_t *value = f->default_value;

	if (value == NULL)
		return f->json_text || f->type->storage == STET_STORE_JSON ? "'null'"
		       : f->type->storage == STET_STORE_TEXT               ? "''"
		       : f->type->storage == STET_STORE_REAL               ? "0.0"
									   : "0";
	if (json_is_boolean(value))
		return json_is_true(value) ? "1" : "0";
	if (json_is_number(value) && !f->json_text && f->type->storage != STET_STORE_JSON)
		return json_text(call, value);
	if (json_is_string(value) && !f->json_text && f->type->storage != STET_STORE_JSON)
		return quoted(call, json_string_value(value));
	return quoted(call, json_text(call, value));
}

/* A DEFAULT takes no time, however many items there are, while an UPDATE would rewrite all rows.
 * New rows never use it, since an insert always sets a required field. */
enum stet_status
ddl_add(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const struct stet_field *field)
{
	static const char *const types[] = { [STET_STORE_TEXT] = " TEXT",
		[STET_STORE_REAL] = " REAL",
		[STET_STORE_INTEGER] = " INTEGER",
		[STET_STORE_BOOLEAN] = " INTEGER",
		[STET_STORE_JSON] = " TEXT" };
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "ALTER TABLE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " ADD COLUMN ");
	stet_sql_ident(sql, STET_FIELD_COLUMN, field->slug);
	stet_sql_add(sql, types[field->type->storage]);
	if (field->required) {
		stet_sql_add(sql, " DEFAULT ");
		stet_sql_add(sql, initial(call, field));
	}
	return stet_sql_exec(sql, tx);
}

enum stet_status
ddl_remove(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *field)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "ALTER TABLE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " DROP COLUMN ");
	stet_sql_ident(sql, STET_FIELD_COLUMN, field);
	return stet_sql_exec(sql, tx);
}

/* ---- migrations of indexes of fields (fieldindex.c) ---- */

static enum stet_status
walks_drop(struct stet_call *call, struct stet_tx *tx, struct fieldindex at)
{
	at.bit = STET_BUILDING_CREATED;
	STET_TRY(fieldindex_drop(call, tx, &at));
	at.bit = STET_BUILDING_PUBLISHED;
	return fieldindex_drop(call, tx, &at);
}

enum stet_status
ddl_add_walks(struct stet_call *call, struct stet_tx *tx)
{
	struct table *t;

	STET_TRY(list_tables(call,
	    "SELECT c.slug, f.slug FROM field AS f JOIN collection AS c"
	    " ON c.id = f.collection_id WHERE f.indexed = 1 AND f.is_unique = 0",
	    &t));
	for (; t != NULL; t = t->next) {
		struct fieldindex at = { .collection = t->slug, .field = t->field };

		STET_TRY(walks_drop(call, tx, at));
		at.bit = STET_BUILDING_CREATED;
		STET_TRY(fieldindex_make(call, tx, &at));
		at.bit = STET_BUILDING_PUBLISHED;
		STET_TRY(fieldindex_make(call, tx, &at));
	}
	return STET_OK;
}

/* A migration: earlier versions counted "" as a value, which one item could have. */
enum stet_status
ddl_allow_empty(struct stet_call *call, struct stet_tx *tx)
{
	struct table *t;

	STET_TRY(list_tables(call,
	    "SELECT c.slug, f.slug FROM field AS f JOIN collection AS c"
	    " ON c.id = f.collection_id WHERE f.is_unique = 1 AND f.storage = 'TEXT'",
	    &t));
	for (; t != NULL; t = t->next) {
		const struct fieldindex at = { t->slug, t->field, STET_BUILDING_UNIQUE, true };

		STET_TRY(fieldindex_drop(call, tx, &at));
		STET_TRY(fieldindex_make(call, tx, &at));
	}
	return STET_OK;
}

/* A migration: earlier versions indexed JSON text like other text, which served no query. */
enum stet_status
ddl_drop_json(struct stet_call *call, struct stet_tx *tx)
{
	struct table *t;

	STET_TRY(list_tables(call,
	    "SELECT c.slug, f.slug FROM field AS f JOIN collection AS c"
	    " ON c.id = f.collection_id WHERE f.json_text = 1",
	    &t));
	for (; t != NULL; t = t->next) {
		const struct fieldindex at = { t->slug, t->field, STET_BUILDING_ORDER, false };

		STET_TRY(fieldindex_drop(call, tx, &at));
		STET_TRY(walks_drop(call, tx, at));
	}
	return STET_OK;
}

/* ---- tests for rows ---- */

static enum stet_status
is_any(struct stet_sql *sql, bool *out)
{
	struct stet_rows rows;

	*out = false;
	STET_TRY(stet_sql_query(sql, &rows));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

enum stet_status
ddl_has_content(struct stet_call *call, const char *collection, bool *out)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, LIVE " LIMIT 1");
	return is_any(sql, out);
}

enum stet_status
ddl_has_values(struct stet_call *call, const char *collection, const char *field, bool *out)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE ");
	stet_sql_ident(sql, STET_FIELD_COLUMN, field);
	stet_sql_add(sql, " IS NOT NULL LIMIT 1");
	return is_any(sql, out);
}

/* Counts the items of a collection, also in the trash; with a field, those that have a value. */
enum stet_status
ddl_count(struct stet_call *call, const char *collection, const char *field, int64_t *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	*out = 0;
	stet_sql_add(sql, "SELECT COUNT(*) FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	if (field != NULL) {
		stet_sql_add(sql, " WHERE ");
		stet_sql_ident(sql, STET_FIELD_COLUMN, field);
		stet_sql_add(sql, " IS NOT NULL");
	}
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows))
		*out = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}
