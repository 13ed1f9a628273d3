/*
 * verify.c - compares the index with the items, for `stet verify`. Only collections that were
 * scanned are compared: of others the index is not complete. A repair corrects wrong numbers.
 */
#include "media-usage.h"
#include <string.h>

#define PROBLEMS_MAX 20
#define RECOUNT_BATCH 100 /* media items in a transaction */

const struct stet_member verify_out[] = {
	{ "problems", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ 0 },
};

struct check {
	json_t *problems;
	char collection[64], slug[64], last[64]; /* copies, since they outlive a batch */
	const char *suspect; /* an item to compare again */
	bool again;
};

static void
keep(char *to, size_t size, const char *text)
{
	to[stpncpy(to, text, size - 1) - to] = '\0';
}

static void
problem(struct check *k, const char *what, const char *why)
{
	if (json_array_size(k->problems) < PROBLEMS_MAX)
		json_array_append_new(k->problems,
		    holder_is_id(k->slug)
			? json_sprintf("%s: %s %s; stet media-usage repair all mends it",
			      k->slug + 1, what, why)
			: json_sprintf("%s: %s %s; stet media-usage repair collection %s mends it",
			      k->slug, what, why, k->slug));
}

/* ---- items ---- */

static enum stet_status
differs(struct stet_call *call, const struct stet_collection *c, const char *id, const char **why)
{
	struct entry entry;

	if (entry_read(call, c, id, NULL, NULL, &entry) == STET_OK)
		return entry_compare(call, c, id, &entry, why);
	stet_error_clear(call);
	*why = "cannot be read";
	return STET_OK;
}

/* Compares an item again in the write lane, so that no write comes between reading item and
 * index. */
static enum stet_status
look_again(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct check *k = arg;
	const struct stet_collection *c;
	struct coverage at;
	const char *why;

	(void)tx;
	STET_TRY(collection_by_id(call, k->collection, &c));
	if (c == NULL)
		return STET_OK;
	STET_TRY(coverage_read(call, c->id, &at));
	if (at.run != NULL) /* the schema has changed, and a scan follows */
		return STET_OK;
	STET_TRY(differs(call, c, k->suspect, &why));
	if (why != NULL)
		problem(k, k->suspect, why);
	return STET_OK;
}

static enum stet_status
check_batch(struct stet_call *call, void *arg)
{
	struct check *k = arg;
	const char **id = stet_alloc(call, SCAN_BATCH * sizeof(*id)), *why;
	const struct stet_collection *c;
	size_t count;

	k->again = false;
	STET_TRY(collection_by_id(call, k->collection, &c));
	if (c == NULL)
		return STET_OK;
	STET_TRY(scan_ids(call, c, k->last, id, &count));
	for (size_t i = 0; i < count; i++) {
		STET_TRY(differs(call, c, id[i], &why));
		k->suspect = id[i];
		if (why != NULL)
			STET_TRY(stet_write_lane(call, look_again, k));
	}
	k->again = count == SCAN_BATCH && json_array_size(k->problems) < PROBLEMS_MAX;
	if (k->again)
		keep(k->last, sizeof(k->last), id[count - 1]);
	return STET_OK;
}

/* ---- numbers ---- */

/* Selects the media items with wrong numbers. One statement, so that uses and numbers are
 * consistent. */
static enum stet_status
wrong_counts(struct stet_call *call, const char *collection, int most, struct stet_rows *rows)
{
	return stet_query(call, rows,
	    "SELECT media_id FROM (SELECT media_id, active, 1 AS uses FROM media_use WHERE "
	    "collection_id = ?1 UNION ALL SELECT media_id, -active, -uses FROM media_use_count "
	    "WHERE collection_id = ?1) n GROUP BY media_id HAVING sum(active) <> 0 OR sum(uses) "
	    "<> 0 LIMIT ?2",
	    STET_ARGS(collection, most));
}

static enum stet_status
check_counts(struct stet_call *call, void *arg)
{
	struct check *k = arg;
	struct stet_rows rows;

	STET_TRY(wrong_counts(call, k->collection, PROBLEMS_MAX, &rows));
	while (stet_row(&rows))
		problem(k, stet_col_str(&rows, 0), "is counted wrongly");
	return stet_rows_end(&rows);
}

static enum stet_status
recount(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *media)
{
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM media_use_count WHERE media_id = ?1 AND collection_id = ?2",
	    STET_ARGS(media, collection)));
	return stet_exec(call, tx,
	    "INSERT INTO media_use_count (media_id, collection_id, active, uses) SELECT media_id, "
	    "collection_id, sum(active), count(*) FROM media_use WHERE media_id = ?1 AND "
	    "collection_id = ?2 GROUP BY media_id, collection_id",
	    STET_ARGS(media, collection));
}

struct recounting {
	const char *collection, *media[RECOUNT_BATCH];
	size_t count;
};

static enum stet_status
recount_all(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct recounting *r = arg;

	for (size_t i = 0; i < r->count; i++)
		STET_TRY(recount(call, tx, r->collection, r->media[i]));
	return STET_OK;
}

static enum stet_status
recount_batch(struct stet_call *call, void *arg)
{
	struct recounting *r = arg;
	struct stet_rows rows;

	r->count = 0;
	STET_TRY(wrong_counts(call, r->collection, RECOUNT_BATCH, &rows));
	while (r->count < RECOUNT_BATCH && stet_row(&rows))
		r->media[r->count++] = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	return r->count > 0 ? stet_write_lane(call, recount_all, r) : STET_OK;
}

enum stet_status
counts_repair(struct stet_call *call, const char *collection_id)
{
	struct recounting r = { .collection = collection_id };

	do
		STET_TRY(stet_scope(call, recount_batch, &r));
	while (r.count == RECOUNT_BATCH);
	return STET_OK;
}

/* ---- all of it ---- */

static enum stet_status
check_collection(struct stet_call *call, struct check *k, const struct covered *c)
{
	if (c->row.run != NULL ||
	    (strcmp(c->row.state, "complete") != 0 && strcmp(c->row.state, "partial") != 0))
		return STET_OK;
	keep(k->collection, sizeof(k->collection), c->collection->id);
	keep(k->slug, sizeof(k->slug), c->collection->slug);
	k->last[0] = '\0';
	do
		STET_TRY(stet_scope(call, check_batch, k));
	while (k->again);
	return stet_scope(call, check_counts, k);
}

enum stet_status
usage_verify(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct check k = { .problems = stet_json_own(call, json_array()) };
	struct covered_all all;

	STET_TRY(coverage_all(call, &all));
	for (size_t i = 0; i < all.count && !all.missed; i++)
		STET_TRY(check_collection(call, &k, &all.list[i]));
	stet_object(out, NULL);
	stet_put_json(out, "problems", k.problems);
	stet_close(out);
	return STET_OK;
}
