/*
 * missed.c - updates indexes after the module was off, when it did not see changes of the schema
 * and of items.
 *
 * The schema comes first: an index with wrong columns is built again. Then every other index is
 * compared with the items of its collection, in the read lane, some in each transaction; only
 * differences are written. The table search_missed stores the progress for one absence; a later
 * absence begins anew. Items that change meanwhile are indexed as usual, which does no harm:
 * doc_sync makes a document equal to its item, however often it is called.
 */
#include "search.h"
#include <stdio.h>
#include <string.h>

#define COMPARE_BATCH 128 /* items in one read transaction, and differences in one write */
#define NOTE_EVERY 32 /* batches without a difference before the progress is stored */
#define ENTRY_SIZE 64 /* bytes of the id of an item */

struct progress {
	int64_t absence; /* its number (stet_absence); 0: nothing to do */
	bool begun;
	int64_t newest; /* indexes with a higher number were made after the absence */
	int64_t index; /* the index that is being compared; those before it are done */
	char entry[ENTRY_SIZE]; /* the last item that was compared */
};

/* Compares batches until one has a difference. */
struct batch {
	struct progress p;
	int64_t index; /* the index with the differences */
	char differs[COMPARE_BATCH][ENTRY_SIZE];
	size_t count;
	bool done; /* all indexes are done */
};

/* ---- progress ---- */

static void
keep_id(char to[ENTRY_SIZE], const char *id)
{
	(void)snprintf(to, ENTRY_SIZE, "%s", id);
}

static enum stet_status
read_progress(
    struct stet_call *call, const char *sql, const struct stet_val *v, size_t n, struct progress *p)
{
	struct stet_rows rows;

	STET_TRY(stet_derived_query(call, &rows, sql, v, n));
	if (stet_row(&rows)) {
		p->begun = true;
		p->newest = stet_col_int(&rows, 0);
		p->index = stet_col_int(&rows, 1);
		keep_id(p->entry, stet_col_str(&rows, 2));
		p->absence = stet_col_int(&rows, 3);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
load(struct stet_call *call, struct progress *p)
{
	struct stet_absence absence;

	*p = (struct progress){ 0 };
	if (stet_derived_apart(call))
		return read_progress(call,
		    "SELECT newest, index_id, entry, absence FROM search_missed", STET_NO_ARGS, p);
	STET_TRY(stet_absence(call, &absence));
	if (!absence.open)
		return STET_OK;
	p->absence = absence.number;
	return read_progress(call,
	    "SELECT newest, index_id, entry, absence FROM search_missed WHERE absence = ?1",
	    STET_ARGS(p->absence), p);
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const struct progress *p)
{
	return stet_exec(call, tx,
	    "INSERT INTO search_missed (one, absence, newest, index_id, entry)"
	    " VALUES (1, ?1, ?2, ?3, ?4) ON CONFLICT (one) DO UPDATE SET absence = ?1, newest = ?2,"
	    " index_id = ?3, entry = ?4",
	    STET_ARGS(p->absence, p->newest, p->index, (const char *)p->entry));
}

enum stet_status
missed_any(struct stet_call *call, bool *out)
{
	struct stet_absence absence;
	struct progress p;

	STET_TRY(load(call, &p));
	*out = p.absence != 0;
	if (!stet_derived_apart(call) || *out)
		return STET_OK;
	STET_TRY(stet_absence(call, &absence));
	*out = absence.open;
	return STET_OK;
}

/* ---- the schema ---- */

/* Restarts an index that was being built: items before its cursor may have changed. */
static enum stet_status
restart(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c)
{
	struct index *list;
	size_t count;

	STET_TRY(index_list(call, c->slug, "building", &list, &count));
	return count > 0 ? index_begin(call, tx, c, list[count - 1].tokenizer, NULL) : STET_OK;
}

static enum stet_status
follow_schema(struct stet_call *call, struct stet_tx *tx, const char *slug)
{
	const struct stet_collection *c;

	STET_TRY(find_collection(call, slug, &c));
	if (c == NULL)
		return search_schema(call, tx, "delete", slug, NULL);
	STET_TRY(search_schema(call, tx, "update", slug, NULL));
	return stet_derived_apart(call) ? STET_OK : restart(call, tx, c);
}

static enum stet_status
follow_all(struct stet_call *call, struct stet_tx *tx)
{
	const char **slug;
	struct stet_rows rows;
	size_t count = 0;

	STET_TRY(
	    stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM search_config", STET_NO_ARGS));
	slug = stet_alloc(call, ((size_t)stet_col_int(&rows, 0) + 1) * sizeof(*slug));
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_query(
	    call, &rows, "SELECT collection FROM search_config ORDER BY collection", STET_NO_ARGS));
	while (stet_row(&rows))
		slug[count++] = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < count; i++)
		STET_TRY(follow_schema(call, tx, slug[i]));
	return STET_OK;
}

/* Indexes with higher numbers will be made later. */
static enum stet_status
read_newest(struct stet_call *call, struct progress *p)
{
	struct stet_rows rows;

	STET_TRY(stet_derived_one(
	    call, &rows, STET_FAULT, "SELECT last FROM search_state WHERE one = 1", STET_NO_ARGS));
	p->newest = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
begin(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct progress p;

	(void)arg;
	STET_TRY(load(call, &p));
	if (p.absence == 0 || p.begun)
		return STET_OK;
	STET_TRY(read_newest(call, &p));
	STET_TRY(follow_all(call, tx));
	return store(call, tx, &p);
}

/* ---- an index beside the database ---- */

/* Tells all daemons to compare, if the absence is still to be made up for. */
static enum stet_status
tell(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct stet_absence absence;

	(void)arg;
	STET_TRY(stet_absence(call, &absence));
	if (!absence.open)
		return STET_OK;
	STET_TRY(follow_all(call, tx));
	STET_TRY(changes_note(call, tx, CHANGE_ALL, "", ""));
	return stet_absence_over(call, tx, absence.number);
}

enum stet_status
missed_begin(struct stet_call *call, struct stet_tx *tx, int64_t number)
{
	struct progress p = { .absence = number };
	const struct stet_collection *c;
	struct index *list;
	size_t count;

	STET_TRY(read_newest(call, &p));
	STET_TRY(index_list(call, NULL, "building", &list, &count));
	for (size_t i = 0; i < count; i++) {
		STET_TRY(find_collection(call, list[i].collection, &c));
		if (c != NULL)
			STET_TRY(restart(call, tx, c));
	}
	return store(call, tx, &p);
}

/* ---- items ---- */

/* The index to compare next: one in use, which no other index will replace. NULL: none is left. */
static enum stet_status
current(struct stet_call *call, const struct progress *p, const struct index **out)
{
	struct index *list;
	size_t count;

	*out = NULL;
	STET_TRY(index_list(call, NULL, NULL, &list, &count));
	for (size_t i = 0; i < count && *out == NULL; i++) {
		bool last = list[i].id >= p->index && list[i].id <= p->newest &&
			    strcmp(list[i].state, "serving") == 0;

		for (size_t k = 0; k < count && last; k++)
			last = k == i || strcmp(list[k].collection, list[i].collection) != 0;
		if (last)
			*out = &list[i];
	}
	return STET_OK;
}

static enum stet_status
choose(struct stet_call *call, struct progress *p, const struct index **x,
    const struct stet_collection **c)
{
	*c = NULL;
	STET_TRY(current(call, p, x));
	if (*x == NULL)
		return STET_OK;
	if ((*x)->id != p->index) {
		p->index = (*x)->id;
		p->entry[0] = '\0';
	}
	return find_collection(call, (*x)->collection, c);
}

/* Compares a batch. Runs in a scope (stet_scope), since items may be large. */
static enum stet_status
compare(struct stet_call *call, void *arg)
{
	const char **id = stet_alloc(call, COMPARE_BATCH * sizeof(*id)), *why;
	const struct stet_collection *c;
	const struct index *x;
	struct batch *b = arg;
	size_t count = 0;

	STET_TRY(choose(call, &b->p, &x, &c));
	b->done = x == NULL;
	b->index = b->p.index;
	if (c != NULL)
		STET_TRY(doc_entries(call, x, b->p.entry, id, COMPARE_BATCH, &count));
	for (size_t i = 0; i < count; i++) {
		STET_TRY(doc_compare(call, x, c, id[i], &why));
		if (why != NULL)
			keep_id(b->differs[b->count++], id[i]);
	}
	if (count > 0)
		keep_id(b->p.entry, id[count - 1]);
	if (count < COMPARE_BATCH) {
		b->p.index++;
		b->p.entry[0] = '\0';
	}
	return STET_OK;
}

/* Checks the state first: the index may have been replaced since it was compared. */
static enum stet_status
sync_all(struct stet_call *call, struct stet_tx *tx, const struct batch *b)
{
	const struct progress at = { .index = b->index, .newest = b->index };
	const char **id = stet_alloc(call, COMPARE_BATCH * sizeof(*id));
	const struct stet_collection *c = NULL;
	const struct index *x;

	STET_TRY(current(call, &at, &x));
	if (x != NULL)
		STET_TRY(find_collection(call, x->collection, &c));
	if (c == NULL)
		return STET_OK;
	for (size_t i = 0; i < b->count; i++)
		id[i] = b->differs[i];
	return doc_sync(call, tx, x, c, id, b->count, true);
}

/* Writes the differences, unless a new absence has begun since they were found. */
static enum stet_status
write_batch(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct batch *b = arg;
	struct progress now;

	STET_TRY(load(call, &now));
	if (now.absence != b->p.absence)
		return STET_OK;
	if (b->count > 0)
		STET_TRY(sync_all(call, tx, b));
	if (!b->done)
		return store(call, tx, &b->p);
	STET_TRY(stet_exec(call, tx, "DELETE FROM search_missed", STET_NO_ARGS));
	return stet_derived_apart(call) ? STET_OK : stet_absence_over(call, tx, b->p.absence);
}

enum stet_status
missed_step(struct stet_call *call)
{
	struct batch *b = stet_alloc(call, sizeof(*b));

	STET_TRY(load(call, &b->p));
	if (!b->p.begun)
		return stet_write_lane(call, stet_derived_apart(call) ? tell : begin, NULL);
	for (int i = 0; i < NOTE_EVERY && b->count == 0 && !b->done; i++)
		STET_TRY(stet_scope(call, compare, b));
	return index_write(call, write_batch, b);
}
