/*
 * pending.c - items that have changed are indexed once for all calls that share a transaction,
 * before its commit (stet_before_commit), because FTS5 flushes its buffer at each savepoint, and
 * whenever documents do not come in the order of their numbers. Until then the items are rows of
 * search_pending, which a rollback removes. Readers never see such a row, except when indexing has
 * failed: then the rows are committed, and the job tries again.
 */
#include "search.h"
#include <stdlib.h>
#include <string.h>

#define PENDING_BATCH 256 /* items that one call indexes */

struct changed {
	int64_t n;
	const char *collection, *id;
};

struct changes {
	struct changed *item;
	size_t count;
	int64_t last; /* number of the last row; 0: there is none */
	bool more; /* more rows follow */
};

/* ---- reading rows ---- */

static int
by_item(const void *a, const void *b)
{
	const struct changed *x = a, *y = b;
	int order = strcmp(x->collection, y->collection);

	return order != 0 ? order : strcmp(x->id, y->id);
}

/* Reads the oldest rows. The condition is true of all rows: it makes SQLite use the key, not a
 * scan. */
static enum stet_status
read_rows(struct stet_call *call, struct changes *out)
{
	struct stet_rows rows;

	*out = (struct changes){ .item = stet_alloc(call, PENDING_BATCH * sizeof(*out->item)) };
	STET_TRY(stet_query(call, &rows,
	    "SELECT n, collection, entry FROM search_pending WHERE n > 0 ORDER BY n LIMIT ?1",
	    STET_ARGS((int64_t)PENDING_BATCH + 1)));
	while (out->count < PENDING_BATCH && stet_row(&rows)) {
		out->last = stet_col_int(&rows, 0);
		out->item[out->count++] =
		    (struct changed){ out->last, stet_col_dup(&rows, 1), stet_col_dup(&rows, 2) };
	}
	out->more = out->count == PENDING_BATCH && stet_row(&rows);
	return stet_rows_end(&rows);
}

/* Sorts by collection and item, and removes duplicates. */
static void
keep_once(struct changes *all)
{
	size_t n = 0;

	if (all->count > 0)
		qsort(all->item, all->count, sizeof(*all->item), by_item);
	for (size_t i = 0; i < all->count; i++)
		if (n == 0 || by_item(&all->item[n - 1], &all->item[i]) != 0)
			all->item[n++] = all->item[i];
	all->count = n;
}

/* ---- indexing ---- */

static enum stet_status
index_some(struct stet_call *call, struct stet_tx *tx, bool scoped, bool *more)
{
	struct changes all;
	const char **id;

	STET_TRY(read_rows(call, &all));
	keep_once(&all);
	id = stet_alloc(call, (all.count + 1) * sizeof(*id));
	for (size_t i = 0; i < all.count; i++)
		id[i] = all.item[i].id;
	for (size_t from = 0, to; from < all.count; from = to) {
		const char *slug = all.item[from].collection;

		for (to = from; to < all.count && strcmp(all.item[to].collection, slug) == 0;)
			to++;
		STET_TRY(doc_index(call, tx, slug, id + from, to - from, scoped));
	}
	*more = all.more;
	return all.last == 0 ? STET_OK
			     : stet_exec(call, tx, "DELETE FROM search_pending WHERE n <= ?1",
				   STET_ARGS(all.last));
}

enum stet_status
pending_any(struct stet_call *call, bool *out)
{
	struct stet_rows rows;

	if (stet_derived_apart(call))
		return beside_behind(call, out);
	STET_TRY(stet_query(
	    call, &rows, "SELECT n FROM search_pending WHERE n > 0 LIMIT 1", STET_NO_ARGS));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

enum stet_status
pending_index(struct stet_call *call)
{
	bool more = !stet_derived_apart(call);

	while (more)
		STET_TRY(index_some(call, stet_write_tx(call), false, &more));
	return STET_OK;
}

static enum stet_status
before_commit(struct stet_call *call, struct stet_tx *tx)
{
	bool more = false;

	STET_TRY(index_some(call, tx, true, &more));
	return more ? stet_before_commit(call, tx, "index", before_commit) : STET_OK;
}

/* ---- rows that could not be indexed before their commit ---- */

static enum stet_status
write_some(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	return index_some(call, tx, true, arg);
}

static enum stet_status
forget(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct changed *item = arg;

	return stet_exec(call, tx, "DELETE FROM search_pending WHERE n = ?1", STET_ARGS(item->n));
}

static enum stet_status
give_up(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct changed *item = arg;

	STET_TRY(failed_add(call, tx, item->collection, item->id));
	return forget(call, tx, arg);
}

static enum stet_status
write_one(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct changed *item = arg;

	STET_TRY(doc_index(call, tx, item->collection, &item->id, 1, true));
	return forget(call, tx, arg);
}

/* Indexes item by item, so that one that fails does not block all others. A failed item is left out
 * of the index: `stet search verify` reports it, its next save or a rebuild tries again, and until
 * then filters by words fail in its collection (contains.c). */
static enum stet_status
one_by_one(struct stet_call *call)
{
	struct changes all;

	STET_TRY(read_rows(call, &all));
	for (size_t i = 0; i < all.count; i++) {
		struct changed *item = &all.item[i];
		enum stet_status status = stet_write_lane(call, write_one, item);

		if (status != STET_OK && status != STET_FAULT)
			return status;
		if (status == STET_OK)
			continue;
		stet_log(call, STET_ERROR, "search: %s %s is not indexed: %s", item->collection,
		    item->id, stet_error_text(call));
		stet_error_clear(call);
		STET_TRY(stet_write_lane(call, give_up, item));
	}
	return STET_OK;
}

/* A full disk or a busy database fails the step; the job tries again later. */
enum stet_status
pending_step(struct stet_call *call)
{
	bool more;
	enum stet_status status = stet_write_lane(call, write_some, &more);

	if (status != STET_FAULT)
		return status;
	stet_error_clear(call);
	return one_by_one(call);
}

/* ---- the hook ---- */

/* Whether a collection has an index, in a write transaction. */
struct known {
	struct known *next;
	bool indexed;
	char collection[];
};

static enum stet_status
is_indexed(struct stet_call *call, const char *collection, bool *out)
{
	static const char key;
	const bool apart = stet_derived_apart(call);
	void **slot = stet_tx_slot(call, &key, apart ? "search_config" : "search_index");
	struct stet_rows rows;
	struct known *k = slot != NULL ? *slot : NULL;

	while (k != NULL && strcmp(k->collection, collection) != 0)
		k = k->next;
	if (k != NULL) {
		*out = k->indexed;
		return STET_OK;
	}
	STET_TRY(stet_query(call, &rows,
	    apart ? "SELECT 1 FROM search_config WHERE collection = ?1 AND enabled <> 0"
		  : "SELECT 1 FROM search_index WHERE collection = ?1 AND state <> 'discarded' "
		    "LIMIT 1",
	    STET_ARGS(collection)));
	*out = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (slot == NULL)
		return STET_OK;
	k = stet_tx_alloc(call, sizeof(*k) + strlen(collection) + 1);
	k->next = *slot;
	k->indexed = *out;
	memcpy(k->collection, collection, strlen(collection) + 1);
	*slot = k;
	return STET_OK;
}

/* Notes the item for indexing. A staged draft is not indexed: the columns of the item have not
 * changed. */
enum stet_status
search_entry(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const char *id, const char *change, int64_t version)
{
	bool indexed;

	(void)version;
	if (strcmp(change, "stage") == 0 || strcmp(change, "discard") == 0)
		return STET_OK;
	STET_TRY(is_indexed(call, c->slug, &indexed));
	if (!indexed)
		return STET_OK;
	if (stet_derived_apart(call))
		return changes_note(call, tx, CHANGE_ITEM, c->slug, id);
	STET_TRY(
	    stet_exec(call, tx, "INSERT INTO search_pending (collection, entry) VALUES (?1, ?2)",
		STET_ARGS(c->slug, id)));
	return stet_before_commit(call, tx, "index", before_commit);
}
