/*
 * build.c - the job that makes indexes which changes of definitions have put off (fieldindex.c),
 * one after the other, while others read and write their tables. What is to be made stands in
 * rows: whoever runs the job begins what was interrupted anew. The definitions change when an index
 * is there, so that nobody relies on it earlier.
 *
 * Rows that a site in SQLite has from another engine are dealt with at once.
 */
#include "schema.h"
#include <stdio.h>
#include <string.h>

#define ASK_MS 500
#define FAILED_MS 5000 /* until the next attempt */
#define SHARED_MS \
	60000 /* until values are looked at again that items share; twice that the next time */
#define SHARED_MOST_MS 960000
#define AWAY_MS 20000 /* the job runs in another daemon, which has begun anew */
#define MAKING                                                                \
	(STET_BUILDING_ORDER | STET_BUILDING_UNIQUE | STET_BUILDING_CREATED | \
	    STET_BUILDING_PUBLISHED)

/* ---- what is to be made ---- */

/* Returns the first index of a field that is to be made; 0: none. What others are waiting for comes
 * before what has failed. */
static uint32_t
first_of(const struct stet_field *f, bool failed)
{
	uint32_t bits = f->building & MAKING;

	if ((f->building & STET_BUILDING_CONFLICT) != 0)
		bits = failed ? STET_BUILDING_UNIQUE : bits & ~STET_BUILDING_UNIQUE;
	else if (failed)
		bits = 0;
	return bits & (~bits + 1);
}

static bool
find_in(struct builder *b, const struct stet_collection *c, bool failed)
{
	(void)snprintf(b->is.collection, sizeof(b->is.collection), "%s", c->slug);
	b->is.field[0] = b->is.order[0] = '\0';
	for (size_t i = 0; i < c->field_count; i++) {
		b->is.bit = first_of(c->fields[i], failed);
		if (b->is.bit == 0)
			continue;
		(void)snprintf(b->is.field, sizeof(b->is.field), "%s", c->fields[i]->slug);
		return true;
	}
	if (json_array_size(c->building) == 0 || failed)
		return false;
	(void)snprintf(b->is.order, sizeof(b->is.order), "%s",
	    json_string_value(json_array_get(c->building, 0)));
	return true;
}

/* Sets *any if there is something to make, and what it is. */
static enum stet_status
find(struct stet_call *call, struct builder *b, bool *any)
{
	const struct stet_collection *const *list;
	const struct snapshot *schema;
	size_t count;

	*any = false;
	STET_TRY(snapshot_get(call, &schema));
	list = snapshot_list(schema, &count);
	for (int failed = 0; failed < 2 && !*any; failed++) {
		b->failed = failed != 0;
		for (size_t i = 0; i < count && !*any; i++)
			*any = find_in(b, list[i], b->failed);
	}
	return STET_OK;
}

/* An index as it is defined now. */
struct wanted {
	const struct stet_collection *c; /* NULL: it is not wanted any more */
	const struct stet_field *f; /* NULL: it is a declared index */
	const json_t *order;
	struct fieldindex at;
};

static enum stet_status
look(struct stet_call *call, const struct built *is, struct wanted *w)
{
	const struct snapshot *schema;
	size_t i;
	json_t *v;

	*w = (struct wanted){ 0 };
	STET_TRY(snapshot_get(call, &schema));
	w->c = snapshot_find(schema, is->collection);
	if (w->c == NULL)
		return STET_OK;
	w->f = is->order[0] == '\0' ? stet_field(w->c, is->field) : NULL;
	if (w->f != NULL)
		w->at = (struct fieldindex){ .collection = w->c->slug,
			.field = w->f->slug,
			.bit = is->bit,
			.text = w->f->type->storage == STET_STORE_TEXT };
	json_array_foreach((json_t *)(uintptr_t)w->c->building, i, v)
	{
		if (strcmp(json_string_value(v), is->order) == 0)
			w->order = v;
	}
	if (w->order == NULL && (w->f == NULL || (w->f->building & is->bit) == 0))
		w->c = NULL;
	return STET_OK;
}

static struct stet_sql *
statement(struct stet_call *call, const struct wanted *w, const char *how)
{
	return w->f != NULL ? fieldindex_create(call, &w->at, how)
			    : indexes_create(call, w->c, w->order, how);
}

/* ---- the end of one ---- */

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const struct wanted *w, uint32_t building)
{
	json_t *rest = stet_json_own(call, json_array()), *v;
	size_t i;

	if (w->f != NULL) {
		STET_TRY(stet_exec(call, tx, "UPDATE field SET building = ?2 WHERE id = ?1",
		    STET_ARGS(w->f->id, (long long)building)));
		return snapshot_bump(call, tx);
	}
	json_array_foreach((json_t *)(uintptr_t)w->c->building, i, v)
	{
		if (v != w->order)
			json_array_append(rest, v);
	}
	STET_TRY(indexes_store_building(call, tx, w->c->id, rest));
	return snapshot_bump(call, tx);
}

/* The index is there, or, with SQLite, is made now. The statement is the one from which a copy of
 * the site makes it. */
static enum stet_status
made(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct builder *b = arg;
	struct stet_sql *sql = stet_sql_new(call);
	struct wanted w;

	STET_TRY(look(call, &b->is, &w));
	if (w.c == NULL) {
		stet_sql_add(sql, "DROP INDEX IF EXISTS ");
		stet_sql_add(sql, b->is.name);
		return stet_sql_exec(sql, tx);
	}
	STET_TRY(stet_sql_exec(statement(call, &w, FIELDINDEX_ONCE), tx));
	return store(call, tx, &w,
	    w.f == NULL ? 0
			: w.f->building & ~(b->is.bit | (b->is.bit == STET_BUILDING_UNIQUE
								? STET_BUILDING_CONFLICT
								: 0)));
}

/* Returns true if the definitions have this index, be it noted or not. */
static bool
is_defined(const struct stet_collection *c, const struct built *is)
{
	const struct stet_field *f = c != NULL ? stet_field(c, is->field) : NULL;
	size_t i;
	json_t *v;

	if (is->order[0] == '\0')
		return fieldindex_wanted(is->bit, c, f);
	json_array_foreach(c != NULL ? (json_t *)(uintptr_t)c->indexes : NULL, i, v)
	{
		if (strcmp(json_string_value(v), is->order) == 0)
			return true;
	}
	return false;
}

/* What was begun goes, if nobody wants it any more. Another daemon may have made it meanwhile. */
static enum stet_status
drop_begun(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct built *is = arg;
	const struct snapshot *schema;
	struct stet_sql *sql = stet_sql_new(call);

	STET_TRY(snapshot_get(call, &schema));
	if (is_defined(snapshot_find(schema, is->collection), is))
		return STET_OK;
	stet_sql_add(sql, "DROP INDEX IF EXISTS ");
	stet_sql_add(sql, is->name);
	return stet_sql_exec(sql, tx);
}

/* Items share a value: it is told, and tried again, since somebody may change them. */
static enum stet_status
refused(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct builder *b = arg;
	struct wanted w;

	STET_TRY(look(call, &b->is, &w));
	if (w.c == NULL || w.f == NULL || (w.f->building & STET_BUILDING_CONFLICT) != 0)
		return STET_OK;
	stet_log(call, STET_WARN,
	    "field %s of collection %s is not unique yet: items share a value of it; its index is "
	    "made when they do not",
	    w.f->slug, w.c->slug);
	return store(call, tx, &w, w.f->building | STET_BUILDING_CONFLICT);
}

static void
wait_longer(struct stet_call *call, struct builder *b)
{
	b->shared_wait = b->failed && b->shared_wait > 0 ? 2 * b->shared_wait : SHARED_MS;
	if (b->shared_wait > SHARED_MOST_MS)
		b->shared_wait = SHARED_MOST_MS;
	b->shared_again = stet_now(call) + b->shared_wait;
}

static enum stet_status
ended(struct stet_call *call, struct builder *b, enum stet_status status)
{
	if (status == STET_OK) {
		b->there = true;
		status = stet_write_lane(call, made, b);
	}
	if (status == STET_CONFLICT) {
		wait_longer(call, b);
		stet_error_clear(call);
		return stet_write_lane(call, refused, b);
	}
	if (status == STET_OK) {
		b->begun.name[0] = '\0';
		stet_log(call, STET_INFO, "index %s was made", b->is.name);
		return STET_OK;
	}
	b->again = stet_now(call) + FAILED_MS;
	/* A change of the table, or the end of the daemon that had begun it, interrupts it. */
	if (status == STET_UNAVAILABLE || status == STET_REQUEST_TIMEOUT) {
		stet_log(
		    call, STET_INFO, "index %s is begun again: it was interrupted", b->is.name);
		stet_error_clear(call);
		return STET_OK;
	}
	return status;
}

/* ---- the job ---- */

/* What an earlier run has begun is over, unless it is the same. */
static enum stet_status
end_begun(struct stet_call *call, struct builder *b, const char *name)
{
	if (b->begun.name[0] == '\0' || strcmp(b->begun.name, name) == 0)
		return STET_OK;
	STET_TRY(stet_write_lane(call, drop_begun, &b->begun));
	b->begun.name[0] = '\0';
	return STET_OK;
}

/* Makes it. To look at values that items shared costs less. */
static enum stet_status
make(struct stet_call *call, struct builder *b, const struct wanted *w)
{
	enum stet_status status;
	bool shared = false;

	if (b->failed)
		STET_TRY(fieldindex_shared(call, &w->at, &shared));
	if (shared) {
		wait_longer(call, b);
		return STET_OK;
	}
	if (!stet_index_apart(call))
		return ended(call, b, STET_OK);
	stet_log(call, STET_INFO, "index %s is being made", b->is.name);
	b->begun = b->is;
	b->there = false;
	status = stet_index_begin(
	    call, b->is.name, stet_sql_text(statement(call, w, FIELDINDEX_APART)), &b->at);
	return status == STET_OK ? STET_OK : ended(call, b, status);
}

static enum stet_status
start(struct stet_call *call, struct builder *b)
{
	struct wanted w = { 0 };
	bool any;

	STET_TRY(find(call, b, &any));
	if (any)
		STET_TRY(look(call, &b->is, &w));
	if (w.c == NULL)
		return end_begun(call, b, "");
	(void)snprintf(b->is.name, sizeof(b->is.name), "%s",
	    w.f != NULL ? fieldindex_name(call, &w.at) : indexes_name(call, w.c, w.order));
	STET_TRY(end_begun(call, b, b->is.name));
	if (b->begun.name[0] != '\0' && b->there)
		return ended(call, b, STET_OK);
	return make(call, b, &w);
}

/* When what was found is to be begun. */
static int64_t
begins_at(const struct builder *b)
{
	return b->failed && b->shared_again > b->again ? b->shared_again : b->again;
}

int64_t
build_due(struct stet_call *call)
{
	struct builder *b = snapshot_builder(stet_state(call));
	bool any;

	if (b->at != NULL)
		return stet_now(call) + ASK_MS;
	/* A site in SQLite has nothing to make, unless somebody has read so. */
	if (!atomic_load(&b->found) && !stet_index_apart(call))
		return -1;
	if (find(call, b, &any) != STET_OK)
		return -1;
	atomic_store(&b->found, any);
	if (!any)
		return b->begun.name[0] == '\0' ? -1 : stet_now(call);
	return begins_at(b) > stet_now(call) ? begins_at(b) : stet_now(call);
}

enum stet_status
build_run(struct stet_call *call)
{
	struct builder *b = snapshot_builder(stet_state(call));
	bool away = stet_now(call) - b->asked > AWAY_MS;
	enum stet_status status;

	b->asked = stet_now(call);
	if (away) {
		stet_index_drop(b->at);
		b->at = NULL;
		b->there = false;
	}
	if (b->at == NULL)
		return start(call, b);
	status = stet_index_end(call, &b->at);
	return status == STET_DECLINED ? STET_OK : ended(call, b, status);
}
