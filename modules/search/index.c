/*
 * index.c - the index of a collection: its record, how it is created and discarded, and changes of
 * the schema.
 */
#include "search.h"
#include <stdlib.h>
#include <string.h>

/* ---- fields ---- */

const struct stet_field *
title_of(const struct stet_collection *c)
{
	return stet_field(c, c->title_field != NULL ? c->title_field : "title");
}

static const struct stet_field *
field_of(const struct stet_collection *c, const char *id)
{
	for (size_t i = 0; i < c->field_count; i++)
		if (strcmp(c->fields[i]->id, id) == 0)
			return c->fields[i];
	return NULL;
}

const struct stet_field *
index_field(const struct stet_collection *c, const struct index *index, size_t i)
{
	return field_of(c, index->column[i]);
}

/* A field that is about to be deleted is still in the definition. */
static bool
stays(const struct stet_field *f, const char *without)
{
	return without == NULL || strcmp(f->slug, without) != 0;
}

bool
is_searchable(const struct stet_collection *c, const char *without)
{
	for (size_t i = 0; i < c->field_count; i++)
		if (c->fields[i]->searchable && stays(c->fields[i], without))
			return true;
	return false;
}

/* The columns of an index of the collection: its searchable fields, and the title, from which
 * suggestions are made. */
static json_t *
columns_of(struct stet_call *call, const struct stet_collection *c, const char *without)
{
	json_t *out = stet_json_own(call, json_array());
	const struct stet_field *title = title_of(c);

	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];

		if ((f->searchable || f == title) && stays(f, without))
			json_array_append_new(out, json_string(f->id));
	}
	return out;
}

enum stet_status
find_collection(struct stet_call *call, const char *slug, const struct stet_collection **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *c = NULL;
	size_t count = 0;

	*out = NULL;
	STET_TRY(schema->collections(call, &c, &count));
	for (size_t i = 0; i < count && *out == NULL; i++)
		if (strcmp(c[i]->slug, slug) == 0)
			*out = c[i];
	return STET_OK;
}

/* ---- records ---- */

static enum stet_status
read_index(struct stet_call *call, struct stet_rows *rows, struct index *x)
{
	size_t len;
	const char *text = stet_col_text(rows, 5, &len);
	const json_t *columns = stet_json_stored(call, text, len);

	*x = (struct index){ .id = stet_col_int(rows, 0),
		.collection = stet_col_dup(rows, 1),
		.state = stet_col_dup(rows, 2),
		.tokenizer = stet_col_dup(rows, 3),
		.cursor = stet_col_dup(rows, 4),
		.columns = json_array_size(columns),
		.total = stet_col_int(rows, 6),
		.done = stet_col_int(rows, 7) };
	text = stet_col_text(rows, 8, &len);
	x->weights = text != NULL ? stet_json_stored(call, text, len) : NULL;
	x->column = stet_alloc(call, (x->columns + 1) * sizeof(*x->column));
	for (size_t i = 0; i < x->columns; i++)
		x->column[i] = json_string_value(json_array_get(columns, i));
	return x->columns > 0 ? STET_OK : stet_fault(call, "search_index: no columns");
}

#define INDEXES                                                                                    \
	"SELECT search_index.id, search_index.collection, state, search_index.tokenizer, cursor, " \
	"columns, total, done, weights FROM search_index JOIN search_config ON "                   \
	"search_config.collection = search_index.collection "

static enum stet_status
query(struct stet_call *call, const char *collection, const char *state, struct stet_rows *rows)
{
	if (collection == NULL && state == NULL)
		return stet_derived_query(call, rows,
		    INDEXES "WHERE state <> 'discarded' ORDER BY search_index.id", STET_NO_ARGS);
	if (collection == NULL)
		return stet_derived_query(call, rows,
		    INDEXES "WHERE state = ?1 ORDER BY search_index.id", STET_ARGS(state));
	return stet_derived_query(call, rows,
	    INDEXES "WHERE search_index.collection = ?1 AND state <> 'discarded' AND (state = ?2 "
		    "OR ?2 IS NULL) ORDER BY search_index.id",
	    STET_ARGS(collection, state));
}

enum stet_status
index_list(struct stet_call *call, const char *collection, const char *state, struct index **out,
    size_t *count)
{
	struct stet_rows rows;
	struct index *list = NULL;
	size_t n = 0, room = 0;
	enum stet_status status = STET_OK;

	STET_TRY(query(call, collection, state, &rows));
	while (status == STET_OK && stet_row(&rows)) {
		if (n == room) {
			struct index *more = stet_alloc(call, (2 * room + 8) * sizeof(*more));

			if (n > 0)
				memcpy(more, list, n * sizeof(*more));
			list = more;
			room = 2 * room + 8;
		}
		status = read_index(call, &rows, &list[n++]);
	}
	if (status != STET_OK) {
		(void)!stet_rows_end(&rows);
		return status;
	}
	*out = list;
	*count = n;
	return stet_rows_end(&rows);
}

enum stet_status
index_exists(struct stet_call *call, const struct stet_collection *c, bool *out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct index *list;
	size_t count;

	*out = false;
	STET_TRY(index_list(call, c != NULL ? c->slug : NULL, NULL, &list, &count));
	for (size_t i = 0; i < count && !*out; i++) {
		STET_TRY(schema->collection(call, list[i].collection, &c));
		*out = c->search;
	}
	return STET_OK;
}

enum stet_status
index_number(struct stet_call *call, struct stet_tx *tx, int64_t *out)
{
	struct stet_rows rows;

	STET_TRY(stet_exec(
	    call, tx, "UPDATE search_state SET last = last + 1 WHERE one = 1", STET_NO_ARGS));
	STET_TRY(stet_derived_one(
	    call, &rows, STET_FAULT, "SELECT last FROM search_state WHERE one = 1", STET_NO_ARGS));
	*out = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

enum stet_status
index_discard(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *state)
{
	STET_TRY(stet_exec(call, tx,
	    "UPDATE search_index SET state = 'discarded' WHERE collection = ?1 AND (state = ?2 OR "
	    "?2 IS NULL)",
	    STET_ARGS(collection, state)));
	stet_job_wake(call, SEARCH_JOB);
	return STET_OK;
}

enum stet_status
index_begin(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const char *tokenizer, const char *without)
{
	char *columns = json_dumps(columns_of(call, c, without), JSON_COMPACT);
	enum stet_status status;
	int64_t id;

	if (columns == NULL)
		return stet_fault(call, "no memory for columns");
	status = index_discard(call, tx, c->slug, "building");
	if (status == STET_OK)
		status = index_number(call, tx, &id);
	if (status == STET_OK)
		status = stet_exec(call, tx,
		    "INSERT INTO search_index (id, collection, state, tokenizer, columns, cursor, "
		    "total, done) VALUES (?1, ?2, 'building', ?3, ?4, '', -1, 0)",
		    STET_ARGS(id, c->slug, tokenizer, columns));
	free(columns);
	stet_job_wake(call, SEARCH_JOB);
	return status;
}

enum stet_status
index_count(struct stet_call *call, int64_t id, int64_t *out)
{
	struct stet_rows rows;

	STET_TRY(stet_derived_one(call, &rows, STET_FAULT,
	    "SELECT COALESCE(SUM(docs), 0) FROM search_shard WHERE index_id = ?1", STET_ARGS(id)));
	*out = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

enum stet_status
index_add_terms(struct stet_call *call, struct stet_tx *tx)
{
	int64_t id = 0;

	for (;;) {
		struct stet_rows rows;
		bool any;

		STET_TRY(stet_query(call, &rows,
		    "SELECT s.id FROM search_shard s JOIN search_index x ON x.id = s.index_id"
		    " WHERE s.id > ?1 AND x.tokenizer <> 'trigram' ORDER BY s.id LIMIT 1",
		    STET_ARGS(id)));
		any = stet_row(&rows);
		id = any ? stet_col_int(&rows, 0) : 0;
		STET_TRY(stet_rows_end(&rows));
		if (!any)
			return STET_OK;
		STET_TRY(shard_create_terms(call, tx, id));
	}
}

/* The newest index of a collection, after `id`. *id is 0 if there is none. */
static enum stet_status
next_newest(struct stet_call *call, int64_t *id, const char **collection)
{
	struct stet_rows rows;
	bool any;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, collection FROM search_index AS x WHERE id > ?1 AND state <> 'discarded'"
	    " AND NOT EXISTS (SELECT 1 FROM search_index WHERE collection = x.collection"
	    " AND id > x.id AND state <> 'discarded') ORDER BY id LIMIT 1",
	    STET_ARGS(*id)));
	any = stet_row(&rows);
	*id = any ? stet_col_int(&rows, 0) : 0;
	*collection = any ? stet_col_dup(&rows, 1) : NULL;
	return stet_rows_end(&rows);
}

/* Migrations run before the services of other modules start, so the columns are copied from the old
 * index. */
enum stet_status
index_renew_all(struct stet_call *call, struct stet_tx *tx)
{
	int64_t id = 0, from, last = 0, number;
	const char *collection;

	for (;;) {
		STET_TRY(next_newest(call, &id, &collection));
		if (id == 0 || (last != 0 && id > last))
			return STET_OK;
		from = id;
		STET_TRY(index_number(call, tx, &number));
		last = last == 0 ? number - 1 : last; /* indexes with higher numbers are new */
		STET_TRY(stet_exec(call, tx,
		    "INSERT INTO search_index (id, collection, state, tokenizer, columns, cursor, "
		    "total, done) SELECT ?2, collection, 'building', tokenizer, columns, '', -1, 0 "
		    "FROM search_index WHERE id = ?1",
		    STET_ARGS(from, number)));
		STET_TRY(stet_exec(call, tx,
		    "UPDATE search_index SET state = 'discarded' WHERE collection = ?1 AND state = "
		    "'building' AND id <= ?2",
		    STET_ARGS(collection, from)));
	}
}

enum stet_status
index_write(struct stet_call *call,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg)
{
	return stet_derived_apart(call) ? stet_derived_write(call, -1, fn, arg)
					: stet_write_lane(call, fn, arg);
}

/* ---- changes of the schema ---- */

static bool
has_columns(const struct index *x, const json_t *columns)
{
	if (json_array_size(columns) != x->columns)
		return false;
	for (size_t i = 0; i < x->columns; i++) {
		size_t k = 0;

		while (k < x->columns &&
		       strcmp(x->column[i], json_string_value(json_array_get(columns, k))) != 0)
			k++;
		if (k == x->columns)
			return false;
	}
	return true;
}

bool
index_fits(struct stet_call *call, const struct index *x, const struct stet_collection *c)
{
	return has_columns(x, columns_of(call, c, NULL));
}

static enum stet_status
disable(struct stet_call *call, struct stet_tx *tx, const char *collection)
{
	STET_TRY(stet_exec(call, tx, "UPDATE search_config SET enabled = 0 WHERE collection = ?1",
	    STET_ARGS(collection)));
	return index_discard(call, tx, collection, NULL);
}

/* If the newest index of a collection has other columns than the definitions require, begins a
 * new one. Until that is built the old index is used, without fields that are not searchable any
 * more. */
static enum stet_status
follow(struct stet_call *call, struct stet_tx *tx, const char *slug, const char *without)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	struct index *list;
	size_t count;

	STET_TRY(index_list(call, slug, NULL, &list, &count));
	if (count == 0)
		return STET_OK;
	STET_TRY(schema->collection(call, slug, &c));
	if (!is_searchable(c, without))
		return disable(call, tx, slug);
	if (has_columns(&list[count - 1], columns_of(call, c, without)))
		return STET_OK;
	return index_begin(call, tx, c, list[count - 1].tokenizer, without);
}

/* A copy of the site in another database begins without indexes. */
static enum stet_status
begin_lost(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const char *tokenizer)
{
	struct index *list;
	size_t count;

	STET_TRY(index_list(call, c->slug, NULL, &list, &count));
	if (count > 0 || !stet_on_sqlite(call) || !is_searchable(c, NULL))
		return STET_OK;
	return index_begin(call, tx, c, tokenizer, NULL);
}

/* Removing search from `supports` ends the index; only the op search_enable begins one. */
static enum stet_status
collection_changed(struct stet_call *call, struct stet_tx *tx, const char *slug)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	struct stet_rows rows;
	const char *tokenizer;
	bool supported, enabled;

	STET_TRY(stet_query(call, &rows,
	    "SELECT supported, enabled, tokenizer FROM search_config WHERE collection = ?1",
	    STET_ARGS(slug)));
	if (!stet_row(&rows))
		return stet_rows_end(&rows);
	supported = stet_col_int(&rows, 0) != 0;
	enabled = stet_col_int(&rows, 1) != 0;
	tokenizer = stet_col_dup(&rows, 2);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(schema->collection(call, slug, &c));
	if (supported != c->search)
		STET_TRY(stet_exec(call, tx,
		    "UPDATE search_config SET supported = ?2 WHERE collection = ?1",
		    STET_ARGS(slug, c->search)));
	if (supported && enabled && !c->search)
		return disable(call, tx, slug);
	if (enabled)
		STET_TRY(begin_lost(call, tx, c, tokenizer));
	return follow(call, tx, slug, NULL);
}

/* ---- the same for indexes beside the database: they follow by themselves ---- */

static enum stet_status
read_config(struct stet_call *call, const char *slug, bool *there, bool *supported, bool *enabled)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT supported, enabled FROM search_config WHERE collection = ?1", STET_ARGS(slug)));
	*there = stet_row(&rows);
	*supported = *there && stet_col_int(&rows, 0) != 0;
	*enabled = *there && stet_col_int(&rows, 1) != 0;
	return stet_rows_end(&rows);
}

static enum stet_status
settings_changed(
    struct stet_call *call, struct stet_tx *tx, const char *slug, bool gone, const char *without)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	bool there, supported, enabled;

	STET_TRY(read_config(call, slug, &there, &supported, &enabled));
	if (!there)
		return STET_OK;
	if (gone)
		STET_TRY(stet_exec(
		    call, tx, "DELETE FROM search_config WHERE collection = ?1", STET_ARGS(slug)));
	else {
		STET_TRY(schema->collection(call, slug, &c));
		enabled = enabled && is_searchable(c, without) && (c->search || !supported);
		STET_TRY(stet_exec(call, tx,
		    "UPDATE search_config SET supported = ?2, enabled = ?3 WHERE collection = ?1",
		    STET_ARGS(slug, c->search, enabled)));
	}
	return changes_note(call, tx, CHANGE_SETTINGS, slug, "");
}

enum stet_status
search_schema(struct stet_call *call, struct stet_tx *tx, const char *change,
    const char *collection, const char *field)
{
	bool deletes = strcmp(change, "delete") == 0;

	if (stet_derived_apart(call))
		return settings_changed(
		    call, tx, collection, deletes && field == NULL, deletes ? field : NULL);
	if (field != NULL)
		return follow(call, tx, collection, deletes ? field : NULL);
	if (!deletes)
		return collection_changed(call, tx, collection);
	STET_TRY(index_discard(call, tx, collection, NULL));
	STET_TRY(failed_forget(call, tx, collection));
	return stet_exec(
	    call, tx, "DELETE FROM search_config WHERE collection = ?1", STET_ARGS(collection));
}
