/*
 * count.c - the table item_count: how many items a collection has, by status and locale, and also
 * by author and by value of those indexed fields that have few values (a "facet"). Each write of an
 * item updates it, and lists read their totals there. "stet verify" compares the table with the
 * items.
 */
#include "item/item.h"
#include <inttypes.h>
#include <string.h>

#define AUTHOR "author_id"
#define LIVE " WHERE deleted_at IS NULL"

/* Returns true if items are counted by the values of such a field. Fields that may have as many
 * values as there are items are not counted, since each value is a row of its own. */
static bool
is_counted(const char *type, bool indexed, bool json_text)
{
	return indexed && !json_text &&
	       (strcmp(type, "boolean") == 0 || strcmp(type, "select") == 0 ||
		   strcmp(type, "reference") == 0);
}

bool
count_has(const struct stet_field *f)
{
	return is_counted(f->type->name, f->indexed, f->json_text);
}

/* ---- SQL ---- */

/* One facet of a collection: the column whose values are counted; "": all items are counted
 * together. */
struct facet {
	const char *collection, *prefix, *column;
};

/* Appends the facet as an SQL literal. Slugs have no characters that need escaping. */
static void
put_facet(struct stet_sql *sql, const struct facet *f)
{
	stet_sql_add(sql, "'");
	stet_sql_add(sql, f->prefix);
	stet_sql_add(sql, f->column);
	stet_sql_add(sql, "'");
}

/* Appends "SELECT 'posts', 'f_kind', …, status, locale, <n> FROM c_posts WHERE deleted_at IS NULL".
 * Values have the prefix "=", so that no value equals "", which means all items. */
static void
put_select(struct stet_sql *sql, const struct facet *f, const char *n)
{
	stet_sql_add(sql, "SELECT '");
	stet_sql_add(sql, f->collection);
	stet_sql_add(sql, "', ");
	put_facet(sql, f);
	if (*f->column != '\0') {
		stet_sql_add(sql, ", COALESCE('=' || ");
		stet_sql_ident(sql, f->prefix, f->column);
		stet_sql_add(sql, ", '')");
	} else
		stet_sql_add(sql, ", ''");
	stet_sql_add(sql, ", status, locale, ");
	stet_sql_add(sql, n);
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, f->collection);
	stet_sql_add(sql, LIVE);
}

static void
put_insert(struct stet_sql *sql)
{
	stet_sql_add(sql, "INSERT INTO item_count (collection, facet, value, status, locale, n) ");
}

static void
put_sum(struct stet_sql *sql)
{
	stet_sql_add(sql, " ON CONFLICT (collection, facet, value, status, locale)"
			  " DO UPDATE SET n = item_count.n + excluded.n");
}

const char *
count_sql(struct stet_call *call, const struct stet_collection *c, const char *n)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct facet f = { c->slug, "", "" };

	put_insert(sql);
	put_select(sql, &f, n);
	stet_sql_add(sql, " AND id = ?1 UNION ALL ");
	f.column = AUTHOR;
	put_select(sql, &f, n);
	stet_sql_add(sql, " AND id = ?1");
	f.prefix = STET_FIELD_COLUMN;
	for (size_t i = 0; i < c->field_count; i++) {
		if (!count_has(c->fields[i]))
			continue;
		f.column = c->fields[i]->slug;
		stet_sql_add(sql, " UNION ALL ");
		put_select(sql, &f, n);
		stet_sql_add(sql, " AND id = ?1");
	}
	put_sum(sql);
	return stet_sql_text(sql);
}

/* ---- with each write ---- */

/* Returns a value in the form of the column item_count.value. */
static struct stet_val
key_of(struct stet_call *call, struct stet_val v)
{
	if (v.type == STET_V_NULL)
		return stet_val_str("");
	if (v.type == STET_V_INT)
		return stet_val_str(stet_printf(call, "=%" PRId64, v.u.i));
	return stet_val_str(stet_printf(call, "=%s", v.u.s));
}

/* Increments the count of one value. One statement for each row: for a statement of several rows
 * SQLite would keep a statement journal, which copies pages and makes FTS5 flush its pending
 * data. */
static enum stet_status
count_one(struct stet_call *call, struct stet_tx *tx, const struct change *c, const char *facet,
    struct stet_val value)
{
	return stet_exec_later(call, tx, STET_LATER_SUM, "item_count",
	    "INSERT INTO item_count (collection, facet, value, status, locale, n) VALUES (?1, ?2, ?3, "
	    "?4, ?5, ?6) ON CONFLICT (collection, facet, value, status, locale) DO UPDATE SET n = "
	    "item_count.n + excluded.n",
	    STET_ARGS(c->plan->slug, facet, value, c->status, c->locale, 1));
}

enum stet_status
count_new(struct stet_call *call, struct stet_tx *tx, const struct change *c,
    const struct stet_val *fields)
{
	STET_TRY(count_one(call, tx, c, "", stet_val_str("")));
	STET_TRY(count_one(call, tx, c, AUTHOR, key_of(call, stet_val_str(c->author))));
	for (size_t i = 0; i < c->plan->count; i++)
		if (c->plan->field[i].counted)
			STET_TRY(count_one(call, tx, c,
			    stet_printf(call, STET_FIELD_COLUMN "%s", c->plan->field[i].slug),
			    key_of(call, fields[i])));
	return STET_OK;
}

enum stet_status
count_add(struct stet_call *call, struct stet_tx *tx, const struct plan *plan, const char *id)
{
	return stet_exec(call, tx, plan->count_add, STET_ARGS(id));
}

enum stet_status
count_take(struct stet_call *call, struct stet_tx *tx, const struct plan *plan, const char *id)
{
	STET_TRY(stet_exec(call, tx, plan->count_take, STET_ARGS(id)));
	/* Delete the counts of values that no item has any more; the partial index contains only
	 * these. */
	return stet_exec(call, tx, "DELETE FROM item_count WHERE collection = ?1 AND n = 0",
	    STET_ARGS(plan->slug));
}

static bool
differ(const char *a, const char *b)
{
	return (a == NULL) != (b == NULL) || (a != NULL && strcmp(a, b) != 0);
}

bool
count_changes(const struct now *now, const struct change *c, const struct values *values)
{
	if (differ(now->status, c->status) || differ(now->author, c->author))
		return true;
	for (size_t i = 0; values != NULL && i < now->plan->count; i++)
		if (now->plan->field[i].counted && values->given[i] &&
		    !json_equal(
			json_object_get(now->columns, now->plan->field[i].slug), values->value[i]))
			return true;
	return false;
}

/* ---- reading ---- */

static void
put_equal(struct stet_sql *sql, const char *column, const char *value)
{
	stet_sql_add(sql, column);
	stet_sql_bind(sql, stet_val_str(value));
}

enum stet_status
count_read(struct stet_call *call, const struct count_key *key, int64_t *n)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT COALESCE(SUM(n), 0) FROM item_count");
	put_equal(sql, " WHERE collection = ", key->collection);
	put_equal(sql, " AND facet = ",
	    key->column == NULL ? "" : stet_printf(call, "%s%s", key->prefix, key->column));
	stet_sql_add(sql, " AND value IN (");
	for (size_t i = 0; i < key->count; i++) {
		stet_sql_add(sql, i > 0 ? ", " : "");
		stet_sql_bind(sql, key_of(call, key->value[i]));
	}
	stet_sql_add(sql, key->count == 0 ? "'')" : ")");
	if (key->status != NULL)
		put_equal(sql, " AND status = ", key->status);
	if (key->locale != NULL)
		put_equal(sql, " AND locale = ", key->locale);
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*n = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

/* ---- counting all ---- */

/* Reads the facets of a collection from the registry. Uses no services, since migrations call
 * it. */
static enum stet_status
facets_of(struct stet_call *call, const char *collection, struct facet **out, size_t *count)
{
	struct stet_rows rows;
	size_t n = 0, room = 8;
	struct facet *all = stet_alloc(call, room * sizeof(*all));

	all[n++] = (struct facet){ collection, "", "" };
	all[n++] = (struct facet){ collection, "", AUTHOR };
	STET_TRY(stet_query(call, &rows,
	    "SELECT f.slug, f.type, f.indexed, f.json_text FROM field AS f"
	    " JOIN collection AS c ON c.id = f.collection_id WHERE c.slug = ?1",
	    STET_ARGS(collection)));
	while (stet_row(&rows)) {
		if (!is_counted(stet_col_str(&rows, 1), stet_col_int(&rows, 2) != 0,
			stet_col_int(&rows, 3) != 0))
			continue;
		if (n == room) {
			struct facet *more = stet_alloc(call, 2 * room * sizeof(*more));

			memcpy(more, all, n * sizeof(*all));
			all = more;
			room *= 2;
		}
		all[n++] = (struct facet){ collection, STET_FIELD_COLUMN, stet_col_dup(&rows, 0) };
	}
	*out = all;
	*count = n;
	return stet_rows_end(&rows);
}

static enum stet_status
count_facet(struct stet_call *call, struct stet_tx *tx, const struct facet *f)
{
	struct stet_sql *sql = stet_sql_new(call);

	put_insert(sql);
	put_select(sql, f, "COUNT(*)");
	stet_sql_add(sql, " GROUP BY 3, status, locale");
	return stet_sql_exec(sql, tx);
}

static enum stet_status
forget(struct stet_call *call, struct stet_tx *tx, const char *collection)
{
	return stet_exec(
	    call, tx, "DELETE FROM item_count WHERE collection = ?1", STET_ARGS(collection));
}

enum stet_status
count_again(struct stet_call *call, struct stet_tx *tx, const char *collection)
{
	struct facet *all;
	size_t n;

	STET_TRY(forget(call, tx, collection));
	STET_TRY(facets_of(call, collection, &all, &n));
	for (size_t i = 0; i < n; i++)
		STET_TRY(count_facet(call, tx, &all[i]));
	return STET_OK;
}

enum stet_status
count_all(struct stet_call *call, struct stet_tx *tx)
{
	json_t *slugs = stet_json_own(call, json_array()), *slug;
	struct stet_rows rows;
	size_t i;

	STET_TRY(stet_query(call, &rows, "SELECT slug FROM collection", STET_NO_ARGS));
	while (stet_row(&rows))
		json_array_append_new(slugs, json_string(stet_col_str(&rows, 0)));
	STET_TRY(stet_rows_end(&rows));
	json_array_foreach(slugs, i, slug)
	    STET_TRY(count_again(call, tx, stet_strdup(call, json_string_value(slug))));
	return STET_OK;
}

/* ---- when definitions change ---- */

static enum stet_status
has_counts(struct stet_call *call, const char *collection, const char *facet, bool *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM item_count WHERE collection = ?1 AND facet = ?2 LIMIT 1",
	    STET_ARGS(collection, facet)));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

static enum stet_status
follow_field(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *field,
    bool stays)
{
	const char *facet = stet_printf(call, STET_FIELD_COLUMN "%s", field);
	const struct facet *wanted = NULL;
	struct facet *all;
	bool has;
	size_t n;

	STET_TRY(facets_of(call, collection, &all, &n));
	for (size_t i = 0; i < n && stays; i++)
		if (*all[i].prefix != '\0' && strcmp(all[i].column, field) == 0)
			wanted = &all[i];
	STET_TRY(has_counts(call, collection, facet, &has));
	if (has && wanted == NULL)
		return stet_exec(call, tx,
		    "DELETE FROM item_count WHERE collection = ?1 AND facet = ?2",
		    STET_ARGS(collection, facet));
	return has || wanted == NULL ? STET_OK : count_facet(call, tx, wanted);
}

enum stet_status
count_schema(struct stet_call *call, struct stet_tx *tx, const char *change, const char *collection,
    const char *field)
{
	const bool deleted = strcmp(change, "delete") == 0;

	if (field != NULL)
		return follow_field(call, tx, collection, field, !deleted);
	return deleted ? forget(call, tx, collection) : STET_OK;
}

/* ---- checking ---- */

/* Reports rows that only one of the two sides has. */
static enum stet_status
compare_facet(struct stet_call *call, const struct facet *f, json_t *problems)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	/* In a UNION the first SELECT names the columns. */
	stet_sql_add(sql, "SELECT value, status, locale, SUM(n) FROM ("
			  "SELECT collection, facet, value, status, locale, n"
			  " FROM item_count WHERE collection = '");
	stet_sql_add(sql, f->collection);
	stet_sql_add(sql, "' AND facet = ");
	put_facet(sql, f);
	stet_sql_add(sql, " UNION ALL ");
	put_select(sql, f, "-1");
	stet_sql_add(sql, ") AS x GROUP BY value, status, locale HAVING SUM(n) <> 0 LIMIT 5");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		json_array_append_new(problems,
		    json_sprintf("%s: the kept number of items that are %s in %s%s%s%s is wrong by "
				 "%" PRId64,
			f->collection, stet_col_str(&rows, 1), stet_col_str(&rows, 2),
			*f->column != '\0' ? ", by " : "", f->prefix, f->column,
			stet_col_int(&rows, 3)));
	return stet_rows_end(&rows);
}

enum stet_status
count_verify(struct stet_call *call, const char *collection, json_t *problems)
{
	struct facet *all;
	size_t n;

	STET_TRY(facets_of(call, collection, &all, &n));
	for (size_t i = 0; i < n; i++)
		STET_TRY(compare_facet(call, &all[i], problems));
	return STET_OK;
}
