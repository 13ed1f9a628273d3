/*
 * many.c - finds items by the values of fields that have many values (choices, references). The
 * table value_item has a row for each item outside the trash and each of its values, with the
 * status and the dates that lists are ordered by. An item without values has a row with the empty
 * value. So a list filtered by a value reads its page from an index, however few items have the
 * value.
 *
 * Each write of an item updates its rows in the same transaction. The table value_index names the
 * fields. When a field is added there, a job fills its index, a few items in each transaction; when
 * a field is removed, a job deletes its rows in the same way.
 */
#include "item/item.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILL_ITEMS 200 /* items in one transaction: some ten milliseconds */
#define FILL_AT_ONCE 1000 /* items indexed at once when a field changes; the job does the rest */
#define EMPTY_ROWS 500
#define RUN_STEPS 20 /* steps of the job before it yields its thread to other work */

enum { FILLED, FILLING, GONE }; /* value_index.state */

bool
many_has(const struct stet_field *f)
{
	return f->indexed && f->json_text;
}

/* ---- the values of an item ---- */

struct entry {
	int64_t index;
	const char *value;
};
struct entries {
	struct entry *of;
	size_t count, room;
};

static void
add(struct stet_call *call, struct entries *e, int64_t index, const char *value)
{
	if (e->count == e->room) {
		struct entry *more = stet_alloc(call, (2 * e->room + 8) * sizeof(*more));

		if (e->count > 0)
			memcpy(more, e->of, e->count * sizeof(*more));
		e->of = more;
		e->room = 2 * e->room + 8;
	}
	e->of[e->count++] = (struct entry){ index, value };
}

/* Adds the texts of a value, or one empty text if there are none. */
static void
add_values(struct stet_call *call, struct entries *e, int64_t index, const json_t *v)
{
	const size_t before = e->count, n = json_is_array(v) ? json_array_size(v) : 1;

	for (size_t i = 0; i < n; i++) {
		const char *text = json_string_value(json_is_array(v) ? json_array_get(v, i) : v);

		if (text != NULL && *text != '\0')
			add(call, e, index, text);
	}
	if (e->count == before)
		add(call, e, index, "");
}

static int
compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->index != y->index ? (x->index > y->index) - (x->index < y->index)
				    : strcmp(x->value, y->value);
}

/* Sorts the entries and removes duplicates: a value may be listed twice. */
static void
sort(struct entries *e)
{
	size_t n = 0;

	if (e->count > 0)
		qsort(e->of, e->count, sizeof(e->of[0]), compare);
	for (size_t i = 0; i < e->count; i++)
		if (n == 0 || compare(&e->of[n - 1], &e->of[i]) != 0)
			e->of[n++] = e->of[i];
	e->count = n;
}

/* ---- with each write ---- */

char *
many_row_sql(struct stet_call *call, const struct stet_collection *c)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "SELECT status, created_at, published_at");
	for (size_t i = 0; i < c->field_count; i++)
		if (many_has(c->fields[i])) {
			stet_sql_add(sql, ", ");
			stet_sql_ident(sql, STET_FIELD_COLUMN, c->fields[i]->slug);
		}
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE deleted_at IS NULL AND id = ?1");
	return stet_strdup(call, stet_sql_text(sql));
}

/* Reads the number of each field's index, by its position in the plan; 0: it has none. */
static enum stet_status
read_indexes(struct stet_call *call, const struct plan *plan, int64_t *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, field FROM value_index WHERE collection = ?1 AND state < ?2",
	    STET_ARGS(plan->slug, (int64_t)GONE)));
	while (stet_row(&rows))
		for (size_t i = 0; i < plan->count; i++)
			if (plan->field[i].many &&
			    strcmp(plan->field[i].slug, stet_col_str(&rows, 1)) == 0)
				out[i] = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

/* The columns that all rows of an item share. */
struct dates {
	const char *status, *created, *published;
};

static enum stet_status
read_wanted(struct stet_call *call, const struct plan *plan, const char *id, const int64_t *index,
    struct dates *dates, struct entries *out)
{
	struct stet_rows rows;
	int column = 3;

	STET_TRY(stet_query(call, &rows, plan->many_row, STET_ARGS(id)));
	if (stet_row(&rows)) {
		*dates = (struct dates){ stet_col_dup(&rows, 0), stet_col_dup(&rows, 1),
			stet_col_dup(&rows, 2) };
		for (size_t i = 0; i < plan->count; i++) {
			if (!plan->field[i].many)
				continue;
			if (index[i] != 0)
				add_values(
				    call, out, index[i], row_value(call, &rows, column, AS_JSON));
			column++;
		}
	}
	sort(out);
	return stet_rows_end(&rows);
}

static bool
is_same(const char *a, const char *b)
{
	return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

struct indexes {
	const int64_t *id;
	size_t count;
};

static bool
has_index(struct indexes x, int64_t id)
{
	for (size_t i = 0; i < x.count; i++)
		if (x.id[i] == id)
			return true;
	return false;
}

/* Sets *right if the item has the right rows in these indexes; *any if it has rows there. */
static enum stet_status
are_right(struct stet_call *call, const char *id, struct indexes indexes, const struct dates *dates,
    const struct entries *wanted, bool *right, bool *any)
{
	struct stet_rows rows;
	size_t n = 0;

	*right = true;
	STET_TRY(stet_query(call, &rows,
	    "SELECT index_id, value, item_status, created, published FROM value_item"
	    " WHERE item = ?1",
	    STET_ARGS(id)));
	while (*right && stet_row(&rows)) {
		const struct entry e = { stet_col_int(&rows, 0), stet_col_str(&rows, 1) };

		if (!has_index(indexes, e.index))
			continue;
		n++;
		*right = wanted->count > 0 &&
			 bsearch(&e, wanted->of, wanted->count, sizeof(e), compare) != NULL &&
			 is_same(stet_col_str(&rows, 2), dates->status) &&
			 is_same(stet_col_str(&rows, 3), dates->created) &&
			 is_same(stet_col_str(&rows, 4), dates->published);
	}
	*right = *right && n == wanted->count;
	*any = n > 0;
	return stet_rows_end(&rows);
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const char *id, const struct dates *dates,
    const struct entries *e)
{
	for (size_t i = 0; i < e->count; i++) {
		STET_TRY(stet_exec(call, tx,
		    "INSERT INTO value_item (item, index_id, value, item_status, created, published)"
		    " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (item, index_id, value) DO NOTHING",
		    STET_ARGS(id, e->of[i].index, e->of[i].value, dates->status, dates->created,
			dates->published)));
		if (stet_changes(call) > 0)
			STET_TRY(many_count_add(
			    call, tx, e->of[i].index, e->of[i].value, dates->status));
	}
	return STET_OK;
}

enum stet_status
many_forget(struct stet_call *call, struct stet_tx *tx, const char *id)
{
	STET_TRY(many_count_take(call, tx, id));
	return stet_exec(call, tx, "DELETE FROM value_item WHERE item = ?1", STET_ARGS(id));
}

enum stet_status
many_settle(struct stet_call *call, struct stet_tx *tx, const struct plan *plan, const char *id)
{
	int64_t *index;
	struct entries wanted = { 0 };
	struct dates dates = { 0 };
	bool right, any;

	if (plan->many_row == NULL)
		return STET_OK;
	index = stet_alloc(call, plan->count * sizeof(*index));
	STET_TRY(read_indexes(call, plan, index));
	STET_TRY(read_wanted(call, plan, id, index, &dates, &wanted));
	STET_TRY(are_right(
	    call, id, (struct indexes){ index, plan->count }, &dates, &wanted, &right, &any));
	if (right)
		return STET_OK;
	if (any)
		STET_TRY(many_forget(call, tx, id));
	return insert(call, tx, id, &dates, &wanted);
}

/* ---- reading ---- */

static enum stet_status
find_index(
    struct stet_call *call, const char *collection, const char *field, int64_t *id, int64_t *state)
{
	struct stet_rows rows;

	*state = GONE;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, state FROM value_index WHERE collection = ?1 AND field = ?2"
	    " AND state < ?3",
	    STET_ARGS(collection, field, (int64_t)GONE)));
	if (stet_row(&rows)) {
		*id = stet_col_int(&rows, 0);
		*state = stet_col_int(&rows, 1);
	}
	return stet_rows_end(&rows);
}

enum stet_status
many_index(struct stet_call *call, const char *collection, const char *field, int64_t *out)
{
	int64_t state;

	STET_TRY(find_index(call, collection, field, out, &state));
	if (state != FILLED)
		return stet_fail(call, STET_UNAVAILABLE, "fieldFilters",
		    "The index of field \"%s\" is being made: ask again in a moment", field);
	return STET_OK;
}

/* ---- filling and emptying, in steps ---- */

struct index {
	int64_t id;
	const char *collection, *field, *after; /* after: the last item whose rows are complete */
};

static enum stet_status
next_index(struct stet_call *call, int state, struct index *out, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, collection, field, filled FROM value_index WHERE state = ?1"
	    " ORDER BY id LIMIT 1",
	    STET_ARGS((int64_t)state)));
	*found = stet_row(&rows);
	if (*found)
		*out = (struct index){ stet_col_int(&rows, 0), stet_col_dup(&rows, 1),
			stet_col_dup(&rows, 2), stet_col_dup(&rows, 3) };
	return stet_rows_end(&rows);
}

struct filled {
	const char *id;
	struct dates dates;
	struct entries entries;
};

/* Reads the next items in the order of their ids. */
static enum stet_status
read_items(struct stet_call *call, struct index *x, struct filled *out, size_t *count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id, deleted_at, status, created_at, published_at, ");
	stet_sql_ident(sql, STET_FIELD_COLUMN, x->field);
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, x->collection);
	stet_sql_add(sql, " WHERE id > ");
	stet_sql_bind(sql, stet_val_str(x->after));
	stet_sql_add(sql, " ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int(FILL_ITEMS));
	STET_TRY(stet_sql_query(sql, &rows));
	for (*count = 0; stet_row(&rows); (*count)++) {
		struct filled *f = &out[*count];

		*f = (struct filled){ .id = stet_col_dup(&rows, 0),
			.dates = { stet_col_dup(&rows, 2), stet_col_dup(&rows, 3),
			    stet_col_dup(&rows, 4) } };
		x->after = f->id;
		if (!stet_col_null(&rows, 1))
			continue;
		add_values(call, &f->entries, x->id, row_value(call, &rows, 5, AS_JSON));
		sort(&f->entries);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
fill(struct stet_call *call, struct stet_tx *tx, struct index *x, bool *done)
{
	struct filled *items = stet_alloc(call, FILL_ITEMS * sizeof(*items));
	size_t n;

	STET_TRY(read_items(call, x, items, &n));
	for (size_t i = 0; i < n; i++)
		STET_TRY(insert(call, tx, items[i].id, &items[i].dates, &items[i].entries));
	*done = n < FILL_ITEMS;
	return stet_exec(call, tx, "UPDATE value_index SET filled = ?2, state = ?3 WHERE id = ?1",
	    STET_ARGS(x->id, x->after, (int64_t)(*done ? FILLED : FILLING)));
}

static enum stet_status
empty(struct stet_call *call, struct stet_tx *tx, const struct index *x)
{
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM value_item WHERE (item, index_id, value) IN"
	    " (SELECT item, index_id, value FROM value_item WHERE index_id = ?1 LIMIT ?2)",
	    STET_ARGS(x->id, (int64_t)EMPTY_ROWS)));
	if (stet_changes(call) == EMPTY_ROWS)
		return STET_OK;
	STET_TRY(many_count_forget(call, tx, x->id));
	return stet_exec(call, tx, "DELETE FROM value_index WHERE id = ?1", STET_ARGS(x->id));
}

static enum stet_status
step(struct stet_call *call, struct stet_tx *tx, void *again)
{
	struct index x;
	bool found, done;

	STET_TRY(next_index(call, FILLING, &x, &found));
	*(bool *)again = true;
	if (found)
		return fill(call, tx, &x, &done);
	STET_TRY(next_index(call, GONE, &x, &found));
	*(bool *)again = found;
	return found ? empty(call, tx, &x) : STET_OK;
}

int64_t
many_due(struct stet_call *call)
{
	struct stet_rows rows;
	bool found = false;

	if (stet_query(call, &rows, "SELECT 1 FROM value_index WHERE state > ?1 LIMIT 1",
		STET_ARGS((int64_t)FILLED)) == STET_OK) {
		found = stet_row(&rows);
		if (stet_rows_end(&rows) == STET_OK)
			return found ? stet_now(call) : -1;
	}
	stet_log(call, STET_ERROR, "content: %s", stet_error_text(call));
	return -1;
}

enum stet_status
many_run(struct stet_call *call)
{
	bool again = true;

	for (int i = 0; again && i < RUN_STEPS && !stet_job_ends(call); i++)
		STET_TRY(stet_write_lane(call, step, &again));
	return STET_OK;
}

/* ---- when definitions change ---- */

/* Begins an index, and fills it as far as the writer may be held up. */
static enum stet_status
begin(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *field)
{
	struct index x = { 0, collection, field, "" };
	struct stet_rows rows;
	bool done = false;

	/* The number of a removed index is not reused before its rows are deleted. */
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT COALESCE(MAX(id), 0) + 1 FROM value_index", STET_NO_ARGS));
	x.id = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO value_index (id, collection, field, filled, state)"
	    " VALUES (?1, ?2, ?3, '', ?4)",
	    STET_ARGS(x.id, collection, field, (int64_t)FILLING)));
	for (int i = 0; i < FILL_AT_ONCE / FILL_ITEMS && !done; i++)
		STET_TRY(fill(call, tx, &x, &done));
	if (!done)
		stet_job_wake(call, MANY_JOB);
	return STET_OK;
}

/* Marks the indexes of a field, or of a collection (field NULL), for deletion. */
static enum stet_status
end(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *field)
{
	STET_TRY(stet_exec(call, tx,
	    "UPDATE value_index SET state = ?3 WHERE collection = ?1"
	    " AND field = COALESCE(?2, field) AND state < ?3",
	    STET_ARGS(collection, field, (int64_t)GONE)));
	if (stet_changes(call) > 0)
		stet_job_wake(call, MANY_JOB);
	return STET_OK;
}

enum stet_status
many_schema(struct stet_call *call, struct stet_tx *tx, const char *change, const char *collection,
    const char *field)
{
	const bool deleted = strcmp(change, "delete") == 0;
	struct stet_rows rows;
	bool wanted;
	int64_t id, state;

	if (field == NULL)
		return deleted ? end(call, tx, collection, NULL) : STET_OK;
	STET_TRY(find_index(call, collection, field, &id, &state));
	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM field AS f JOIN collection AS c ON c.id = f.collection_id"
	    " WHERE c.slug = ?1 AND f.slug = ?2 AND f.indexed = 1 AND f.json_text = 1",
	    STET_ARGS(collection, field)));
	wanted = stet_row(&rows) && !deleted;
	STET_TRY(stet_rows_end(&rows));
	if (wanted == (state != GONE))
		return STET_OK;
	return wanted ? begin(call, tx, collection, field) : end(call, tx, collection, field);
}

enum stet_status
many_all(struct stet_call *call, struct stet_tx *tx)
{
	json_t *fields = stet_json_own(call, json_array()), *f;
	struct stet_rows rows;
	size_t i;

	STET_TRY(stet_query(call, &rows,
	    "SELECT c.slug, f.slug FROM field AS f JOIN collection AS c ON c.id = f.collection_id"
	    " WHERE f.indexed = 1 AND f.json_text = 1 AND NOT EXISTS (SELECT 1 FROM value_index AS v"
	    " WHERE v.collection = c.slug AND v.field = f.slug AND v.state < ?1)",
	    STET_ARGS((int64_t)GONE)));
	while (stet_row(&rows))
		json_array_append_new(
		    fields, json_pack("[ss]", stet_col_str(&rows, 0), stet_col_str(&rows, 1)));
	STET_TRY(stet_rows_end(&rows));
	json_array_foreach(fields, i, f)
	{
		STET_TRY(begin(call, tx, json_string_value(json_array_get(f, 0)),
		    json_string_value(json_array_get(f, 1))));
	}
	return STET_OK;
}

enum stet_status
many_recount(struct stet_call *call, struct stet_tx *tx)
{
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO value_count (index_id, value, status, n)"
	    " SELECT index_id, value, item_status, COUNT(*) FROM value_item"
	    " GROUP BY index_id, value, item_status",
	    STET_NO_ARGS));
	return many_all(call, tx);
}

/* ---- checking ---- */

#define TOLD_MAX 5 /* problems that are listed for an index */
#define ID_MAX 64

struct check {
	struct index index;
	json_t *problems;
	char after[ID_MAX];
	int told;
	bool again;
};

static void
tell(struct check *k, const char *item, const char *what)
{
	json_array_append_new(k->problems, json_sprintf("%s %s: the index of %s %s",
					       k->index.collection, item, k->index.field, what));
	k->told++;
}

static enum stet_status
check_items(struct stet_call *call, void *arg)
{
	struct check *k = arg;
	struct filled *items = stet_alloc(call, FILL_ITEMS * sizeof(*items));
	size_t n;

	k->index.after = k->after;
	STET_TRY(read_items(call, &k->index, items, &n));
	for (size_t i = 0; i < n && k->told < TOLD_MAX; i++) {
		bool right, any;

		STET_TRY(are_right(call, items[i].id, (struct indexes){ &k->index.id, 1 },
		    &items[i].dates, &items[i].entries, &right, &any));
		if (!right)
			tell(k, items[i].id, "has not its values");
	}
	snprintf(k->after, sizeof(k->after), "%s", k->index.after);
	k->again = n == FILL_ITEMS && k->told < TOLD_MAX;
	return STET_OK;
}

/* Reports rows whose items do not exist. */
static enum stet_status
check_rows(struct stet_call *call, struct check *k)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT v.item FROM value_item AS v WHERE v.index_id = ");
	stet_sql_bind(sql, stet_val_int(k->index.id));
	stet_sql_add(sql, " AND NOT EXISTS (SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, k->index.collection);
	stet_sql_add(sql, " AS i WHERE i.id = v.item) LIMIT ");
	stet_sql_bind(sql, stet_val_int(TOLD_MAX));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		tell(k, stet_col_str(&rows, 0), "has it, and it is not there");
	return stet_rows_end(&rows);
}

enum stet_status
many_verify(struct stet_call *call, const struct stet_collection *c, json_t *problems)
{
	for (size_t i = 0; i < c->field_count; i++) {
		struct check k = { .index = { .collection = c->slug, .field = c->fields[i]->slug },
			.problems = problems };
		int64_t state;

		if (!many_has(c->fields[i]))
			continue;
		STET_TRY(find_index(call, c->slug, k.index.field, &k.index.id, &state));
		if (state == GONE)
			json_array_append_new(
			    problems, json_sprintf("%s: the index of %s is not there", c->slug,
					  k.index.field));
		if (state != FILLED)
			continue;
		do
			STET_TRY(stet_scope(call, check_items, &k));
		while (k.again);
		STET_TRY(check_rows(call, &k));
		STET_TRY(many_count_verify(call, c->slug, k.index.field, k.index.id, problems));
	}
	return STET_OK;
}
