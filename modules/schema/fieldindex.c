/*
 * fieldindex.c - the indexes of fields, and which of them a change of definitions makes and drops.
 * Those of large collections are put off if the engine can make them beside its writers: a job
 * (build.c) makes them, and the field has their bits in `building` until then.
 */
#include "schema.h"
#include <string.h>

#define LIVE " WHERE deleted_at IS NULL"
/* `kind` begins the name. Two indexes are for lists filtered by the field, in the two orders that
 * sites use, so that such a list reads only the items with the value. Unique fields need none,
 * since a value has few items. */
static const struct index {
	uint32_t bit;
	char kind;
	const char *create, *before, *after;
} indexes[] = {
	{ STET_BUILDING_ORDER, 'f', "CREATE ", " (", ", id)" LIVE },
	{ STET_BUILDING_CREATED, 'c', "CREATE ", " (status, ", ", created_at, id)" LIVE },
	{ STET_BUILDING_PUBLISHED, 'p', "CREATE ", " (status, ", ", published_at, id)" LIVE },
	{ STET_BUILDING_UNIQUE, 'u', "CREATE UNIQUE ", " (", ", locale)" LIVE },
};
#define COUNT (sizeof(indexes) / sizeof(indexes[0]))

static const struct index *
index_of(uint32_t bit)
{
	size_t i = 0;

	while (indexes[i].bit != bit)
		i++;
	return &indexes[i];
}

/* ---- statements ---- */

/* Contains the length of the collection's name, so that collection "a" with field "b_c" and
 * collection "a_b" with field "c" get different names. */
static void
put_name(struct stet_sql *sql, struct stet_call *call, const char *collection, const char *field,
    const struct index *index)
{
	stet_sql_ident(sql,
	    stet_printf(call, "%c%zu_%s_", index->kind, strlen(collection), collection), field);
}

/* "" counts as no value, so any number of items may have it in a unique field. */
struct stet_sql *
fieldindex_create(struct stet_call *call, const struct fieldindex *at, const char *how)
{
	const struct index *index = index_of(at->bit);
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, index->create);
	stet_sql_add(sql, how);
	put_name(sql, call, at->collection, at->field, index);
	stet_sql_add(sql, " ON ");
	stet_sql_ident(sql, STET_ITEM_TABLE, at->collection);
	stet_sql_add(sql, index->before);
	stet_sql_ident(sql, STET_FIELD_COLUMN, at->field);
	stet_sql_add(sql, index->after);
	if (at->bit == STET_BUILDING_UNIQUE && at->text) {
		stet_sql_add(sql, " AND ");
		stet_sql_ident(sql, STET_FIELD_COLUMN, at->field);
		stet_sql_add(sql, " <> ''");
	}
	return sql;
}

const char *
fieldindex_name(struct stet_call *call, const struct fieldindex *at)
{
	struct stet_sql *sql = stet_sql_new(call);

	put_name(sql, call, at->collection, at->field, index_of(at->bit));
	return stet_sql_text(sql);
}

enum stet_status
fieldindex_drop(struct stet_call *call, struct stet_tx *tx, const struct fieldindex *at)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "DROP INDEX IF EXISTS ");
	put_name(sql, call, at->collection, at->field, index_of(at->bit));
	return stet_sql_exec(sql, tx);
}

static enum stet_status
conflict(struct stet_call *call, const struct fieldindex *at)
{
	return stet_fail(call, STET_CONFLICT, "unique",
	    "Items of \"%s\" would share a value of the unique field \"%s\"", at->collection,
	    at->field);
}

enum stet_status
fieldindex_make(struct stet_call *call, struct stet_tx *tx, const struct fieldindex *at)
{
	enum stet_status status = stet_sql_exec(fieldindex_create(call, at, FIELDINDEX_NEW), tx);

	if (status == STET_CONFLICT)
		return conflict(call, at);
	return status;
}

enum stet_status
fieldindex_shared(struct stet_call *call, const struct fieldindex *at, bool *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, at->collection);
	stet_sql_add(sql, LIVE " AND ");
	stet_sql_ident(sql, STET_FIELD_COLUMN, at->field);
	stet_sql_add(sql, at->text ? " <> ''" : " IS NOT NULL");
	stet_sql_add(sql, " GROUP BY ");
	stet_sql_ident(sql, STET_FIELD_COLUMN, at->field);
	stet_sql_add(sql, ", locale HAVING COUNT(*) > 1 LIMIT 1");
	STET_TRY(stet_sql_query(sql, &rows));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

/* ---- changes ---- */

static bool
wants(const struct index *index, const struct stet_collection *c, const struct stet_field *f)
{
	if (f == NULL)
		return false;
	switch (index->bit) {
	case STET_BUILDING_ORDER:
		return snapshot_sorts(c, f);
	case STET_BUILDING_UNIQUE:
		return f->unique;
	default:
		return f->indexed && !f->unique && !f->json_text;
	}
}

bool
fieldindex_wanted(uint32_t bit, const struct stet_collection *c, const struct stet_field *f)
{
	return wants(index_of(bit), c, f);
}

/* All items have the same value in a new column that is required. Of columns that were there
 * before, whoever makes them unique has looked at all values (promises.c). */
static enum stet_status
check_new(struct stet_call *call, const struct fieldindex *at)
{
	bool shared;

	STET_TRY(fieldindex_shared(call, at, &shared));
	return shared ? conflict(call, at) : STET_OK;
}

/* Drops or makes the indexes of a field. Subtracts from *building what is dropped, and adds what is
 * put off. */
static enum stet_status
follow(struct stet_call *call, struct stet_tx *tx, const struct index *index,
    const struct stet_collection *before, const struct stet_collection *after,
    const struct stet_field *old, const struct stet_field *new, uint32_t *building)
{
	const struct stet_field *f = new != NULL ? new : old;
	const struct fieldindex at = { .collection = before->slug,
		.field = f->slug,
		.bit = index->bit,
		.text = f->type->storage == STET_STORE_TEXT };
	bool had = wants(index, before, old), has = wants(index, after, new), off;

	if (had && !has) {
		*building &= ~index->bit;
		if (index->bit == STET_BUILDING_UNIQUE)
			*building &= ~STET_BUILDING_CONFLICT;
		return fieldindex_drop(call, tx, &at);
	}
	if (had || !has)
		return STET_OK;
	STET_TRY(indexes_put_off(call, before->slug, &off));
	if (!off)
		return fieldindex_make(call, tx, &at);
	if (index->bit == STET_BUILDING_UNIQUE && old == NULL && new->required)
		STET_TRY(check_new(call, &at));
	*building |= index->bit;
	return STET_OK;
}

static enum stet_status
follow_all(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *before,
    const struct stet_collection *after, const struct stet_field *old, const struct stet_field *new,
    bool *changed)
{
	uint32_t was = old != NULL ? old->building : 0, is = was;

	for (size_t i = 0; i < COUNT; i++)
		STET_TRY(follow(call, tx, &indexes[i], before, after, old, new, &is));
	if (is == was || new == NULL)
		return STET_OK;
	*changed = true;
	return stet_exec(call, tx, "UPDATE field SET building = ?2 WHERE id = ?1",
	    STET_ARGS(new->id, (long long)is));
}

enum stet_status
fieldindex_follow(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *before,
    const struct stet_collection **after)
{
	const struct stet_collection *c = *after;
	bool changed = false;

	for (size_t i = 0; i < before->field_count; i++) {
		const struct stet_field *f = before->fields[i];

		if (stet_field(c, f->slug) == NULL)
			STET_TRY(follow_all(call, tx, before, c, f, NULL, &changed));
	}
	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];

		STET_TRY(follow_all(call, tx, before, c, stet_field(before, f->slug), f, &changed));
	}
	STET_TRY(indexes_follow(call, tx, before, c, &changed));
	if (!changed)
		return STET_OK;
	stet_job_wake(call, SCHEMA_JOB);
	STET_TRY(snapshot_bump(call, tx));
	return collection_find(call, c->slug, STET_FAULT, after);
}
