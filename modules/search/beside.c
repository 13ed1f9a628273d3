/*
 * beside.c - indexes beside the database: each daemon has its own, and brings it up to date by the
 * rows of search_change (core/adr/0086).
 *
 * search_applied has the last change that the index shows. A search that finds newer ones in its
 * snapshot applies them itself if they are few; the job of each daemon applies the others. An item
 * is indexed as it is when its change is applied, so changes may be applied again, and in any
 * order. If the last change is not there, the changes after it may not be, either, or the site's
 * database is another one (a backup, a standby): then all items are compared (missed.c).
 */
#include "search.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH 256 /* changes that are applied in one transaction */
#define SEARCH_BATCHES 4 /* the same that a search applies itself */
#define WAIT_MS 200 /* how long a search waits for who writes the index */
/* The same in the write lane, where it has to be right; and how long it then applies changes.
 * Meanwhile all other writers of the site wait. */
#define WRITING_MS 500

/* The derived data of a new file has shards of other numbers, so that a cursor of a search, or what
 * learned.c knows, never fits by chance. */
#define FIRST_MAX (1u << 30)

struct batch {
	bool patient; /* the job: it compares and remakes, and applies as much as there is */
	bool one; /* change by change, since some cannot be applied */
	bool more;
	struct change failed; /* the change that cannot be applied; n is 0: none */
};

/* ---- how far the index is ---- */

/* Reads the last change that was applied. *there is false for a new file. */
static enum stet_status
read_applied(struct stet_call *call, struct change *out, bool *there)
{
	struct stet_rows rows;

	*out = (struct change){ 0 };
	STET_TRY(stet_derived_query(
	    call, &rows, "SELECT n, at, entry FROM search_applied WHERE one = 1", STET_NO_ARGS));
	*there = stet_row(&rows);
	if (*there)
		*out = (struct change){ .n = stet_col_int(&rows, 0),
			.at = stet_col_int(&rows, 1),
			.entry = stet_col_dup(&rows, 2) };
	return stet_rows_end(&rows);
}

static enum stet_status
write_applied(struct stet_call *call, struct stet_tx *tx, const struct change *c)
{
	return stet_exec(call, tx,
	    "INSERT INTO search_applied (one, n, at, entry) VALUES (1, ?1, ?2, ?3) ON CONFLICT "
	    "(one) DO UPDATE SET n = excluded.n, at = excluded.at, entry = excluded.entry",
	    STET_ARGS(c->n, c->at, c->entry));
}

/* Returns in *out whether the change is in the site's database, and those after it, too. */
static enum stet_status
is_known(struct stet_call *call, const struct change *c, bool *out)
{
	struct change there;
	int64_t first;

	if (c->n == 0) {
		STET_TRY(changes_first(call, &first));
		*out = first == 1;
		return STET_OK;
	}
	STET_TRY(changes_find(call, c->n, &there));
	*out = there.n == c->n && there.at == c->at && strcmp(there.entry, c->entry) == 0;
	return STET_OK;
}

/* ---- settings ---- */

/* Copies the settings of a collection. *enabled: it is to have an index. */
static enum stet_status
copy_config(struct stet_call *call, struct stet_tx *tx, const char *slug, const char **tokenizer)
{
	const char *weights = NULL;
	struct stet_rows rows;
	bool there, enabled;
	int64_t supported;

	*tokenizer = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT enabled, tokenizer, weights, supported FROM search_config WHERE collection = "
	    "?1",
	    STET_ARGS(slug)));
	there = stet_row(&rows);
	enabled = there && stet_col_int(&rows, 0) != 0;
	supported = there ? stet_col_int(&rows, 3) : 0;
	*tokenizer = there ? stet_col_dup(&rows, 1) : NULL;
	weights = there ? stet_col_dup(&rows, 2) : NULL;
	STET_TRY(stet_rows_end(&rows));
	if (there)
		STET_TRY(stet_exec(call, tx,
		    "INSERT INTO search_config (collection, enabled, tokenizer, weights, "
		    "supported) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (collection) DO UPDATE SET "
		    "enabled = excluded.enabled, tokenizer = excluded.tokenizer, weights = "
		    "excluded.weights, supported = excluded.supported",
		    STET_ARGS(slug, enabled, *tokenizer, weights, supported)));
	else
		STET_TRY(stet_exec(
		    call, tx, "DELETE FROM search_config WHERE collection = ?1", STET_ARGS(slug)));
	if (!enabled)
		*tokenizer = NULL;
	return STET_OK;
}

/* Makes the index of a collection follow its settings and its fields. `anew`: builds another one in
 * any case. */
static enum stet_status
follow(struct stet_call *call, struct stet_tx *tx, const char *slug, bool anew)
{
	const struct stet_collection *c;
	const char *tokenizer;
	struct index *list;
	size_t count;

	STET_TRY(copy_config(call, tx, slug, &tokenizer));
	STET_TRY(find_collection(call, slug, &c));
	if (tokenizer == NULL || c == NULL || !is_searchable(c, NULL)) {
		STET_TRY(index_discard(call, tx, slug, NULL));
		return failed_forget(call, tx, slug);
	}
	STET_TRY(index_list(call, slug, NULL, &list, &count));
	if (count > 0 && !anew && strcmp(list[count - 1].tokenizer, tokenizer) == 0 &&
	    index_fits(call, &list[count - 1], c))
		return STET_OK;
	return index_begin(call, tx, c, tokenizer, NULL);
}

/* The collections that the site or the index has settings of. */
static enum stet_status
follow_all(struct stet_call *call, struct stet_tx *tx)
{
	json_t *all = stet_json_own(call, json_object());
	struct stet_rows rows;
	const char *slug;
	json_t *v;

	STET_TRY(stet_query(call, &rows, "SELECT collection FROM search_config", STET_NO_ARGS));
	while (stet_row(&rows))
		json_object_set_new(all, stet_col_str(&rows, 0), json_true());
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(
	    stet_derived_query(call, &rows, "SELECT collection FROM search_config", STET_NO_ARGS));
	while (stet_row(&rows))
		json_object_set_new(all, stet_col_str(&rows, 0), json_true());
	STET_TRY(stet_rows_end(&rows));
	json_object_foreach(all, slug, v) STET_TRY(follow(call, tx, slug, false));
	return STET_OK;
}

/* ---- applying changes ---- */

static bool
is_item(const struct change *c)
{
	return strcmp(c->kind, CHANGE_ITEM) == 0;
}

/* Applies a change of anything but an item. */
static enum stet_status
apply_other(struct stet_call *call, struct stet_tx *tx, const struct change *c)
{
	if (strcmp(c->kind, CHANGE_ALL) != 0)
		return follow(call, tx, c->collection, strcmp(c->kind, CHANGE_REBUILD) == 0);
	STET_TRY(follow_all(call, tx));
	return missed_begin(call, tx, c->n + 1);
}

static int
by_item(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	int order = strcmp(x->collection, y->collection);

	return order != 0 ? order : strcmp(x->entry, y->entry);
}

/* Indexes the items, each once. Sorts the changes. */
static enum stet_status
apply_items(struct stet_call *call, struct stet_tx *tx, struct change *c, size_t count, bool scoped)
{
	const char **id = stet_alloc(call, (count + 1) * sizeof(*id));
	size_t n = 0;

	if (count > 1)
		qsort(c, count, sizeof(*c), by_item);
	for (size_t i = 0; i < count; i++) {
		const bool last =
		    i + 1 == count || strcmp(c[i].collection, c[i + 1].collection) != 0;

		if (n == 0 || strcmp(id[n - 1], c[i].entry) != 0)
			id[n++] = c[i].entry;
		if (!last)
			continue;
		STET_TRY(doc_index(call, tx, c[i].collection, id, n, scoped));
		n = 0;
	}
	return STET_OK;
}

static enum stet_status
apply_after(struct stet_call *call, struct stet_tx *tx, struct batch *b, int64_t n)
{
	struct change *c = stet_alloc(call, BATCH * sizeof(*c)), last;
	size_t count, items = 0;

	STET_TRY(changes_after(call, n, c, b->one ? 1 : BATCH, &count, &b->more));
	if (count == 0)
		return STET_OK;
	last = c[count - 1];
	b->failed = last;
	for (size_t i = 0; i < count; i++) {
		if (is_item(&c[i]))
			c[items++] = c[i];
		else
			STET_TRY(apply_other(call, tx, &c[i]));
	}
	STET_TRY(apply_items(call, tx, c, items, b->patient));
	b->failed = (struct change){ 0 };
	return write_applied(call, tx, &last);
}

/* A new file: everything is built from the items. */
static enum stet_status
start(struct stet_call *call, struct stet_tx *tx, const struct change *last)
{
	STET_TRY(stet_exec(call, tx, "UPDATE search_state SET last = ?1 WHERE one = 1",
	    STET_ARGS((int64_t)randombytes_uniform(FIRST_MAX))));
	STET_TRY(follow_all(call, tx));
	return write_applied(call, tx, last);
}

/* Nobody knows what has changed since. */
static enum stet_status
compare_all(struct stet_call *call, struct stet_tx *tx, const struct change *last)
{
	stet_log(call, STET_INFO, "search: the index is compared with all items");
	STET_TRY(follow_all(call, tx));
	STET_TRY(missed_begin(call, tx, last->n + 1));
	return write_applied(call, tx, last);
}

static enum stet_status
apply(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct batch *b = arg;
	struct change applied, last;
	bool there, known;

	b->more = false;
	STET_TRY(read_applied(call, &applied, &there));
	STET_TRY(changes_last(call, &last));
	if (!there)
		return start(call, tx, &last);
	/* The snapshot of another call may be older than what was applied. */
	if (!b->patient && last.n <= applied.n)
		return STET_OK;
	STET_TRY(is_known(call, &applied, &known));
	if (known)
		return apply_after(call, tx, b, applied.n);
	return b->patient ? compare_all(call, tx, &last) : STET_OK;
}

static enum stet_status
apply_all(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct batch *b = arg;

	do
		STET_TRY(apply(call, tx, b));
	while (b->more);
	return STET_OK;
}

/* ---- changes that cannot be applied ---- */

static enum stet_status
give_up(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct change *c = arg;

	if (is_item(c))
		STET_TRY(failed_add(call, tx, c->collection, c->entry));
	return write_applied(call, tx, c);
}

/* Applies change by change, so that one that fails does not block all others. */
static enum stet_status
one_by_one(struct stet_call *call, bool *more)
{
	struct batch b = { .patient = true, .one = true, .more = true };

	for (int i = 0; b.more && i < BATCH; i++) {
		enum stet_status status = stet_derived_write(call, -1, apply, &b);

		if (status == STET_OK || status != STET_FAULT || b.failed.n == 0) {
			STET_TRY(status);
			continue;
		}
		stet_log(call, STET_ERROR, "search: %s %s is not indexed: %s", b.failed.collection,
		    b.failed.entry, stet_error_text(call));
		stet_error_clear(call);
		STET_TRY(stet_derived_write(call, -1, give_up, &b.failed));
		b.more = true;
	}
	*more = b.more;
	return STET_OK;
}

enum stet_status
beside_step(struct stet_call *call, bool *more)
{
	struct batch b = { .patient = true };
	enum stet_status status;

	*more = false;
	if (!stet_derived_apart(call))
		return STET_OK;
	STET_TRY(beside_behind(call, more));
	if (!*more)
		return STET_OK;
	status = stet_derived_write(call, -1, apply, &b);
	*more = b.more;
	if (status != STET_FAULT)
		return status;
	stet_error_clear(call);
	return one_by_one(call, more);
}

enum stet_status
beside_apply(struct stet_call *call, struct stet_tx *tx)
{
	struct batch b = { .patient = true };

	return stet_derived_apart(call) ? apply_all(call, tx, &b) : STET_OK;
}

/* ---- searches ---- */

static enum stet_status
compare_mark(struct stet_call *call, bool *older, bool *newer)
{
	struct change applied, last;
	bool there;

	STET_TRY(read_applied(call, &applied, &there));
	STET_TRY(changes_last(call, &last));
	*older = !there || applied.n < last.n ||
		 (applied.n == last.n && last.n > 0 &&
		     (applied.at != last.at || strcmp(applied.entry, last.entry) != 0));
	*newer = applied.n > last.n;
	if (!stet_writing(call)) /* its own changes may be undone */
		stet_derived_lag(call, *older && last.n > applied.n ? last.n - applied.n : *older);
	return STET_OK;
}

enum stet_status
beside_behind(struct stet_call *call, bool *out)
{
	bool older, newer;

	*out = false;
	if (!stet_derived_apart(call))
		return STET_OK;
	STET_TRY(compare_mark(call, &older, &newer));
	*out = older || newer;
	return STET_OK;
}

enum stet_status
beside_older(struct stet_call *call, bool *out)
{
	bool newer;

	STET_TRY(beside_ready(call));
	return compare_mark(call, out, &newer);
}

static int64_t
monotonic_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What a write sees is one transaction, which is rolled back with the call. */
static enum stet_status
apply_some(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct batch *b = arg;
	int64_t until = monotonic_ms() + WRITING_MS;

	for (int i = 0; b->more && i < SEARCH_BATCHES && monotonic_ms() < until; i++)
		STET_TRY(apply(call, tx, b));
	return STET_OK;
}

static enum stet_status
catch_up(struct stet_call *call)
{
	struct batch b = { .more = true };
	enum stet_status status = STET_OK;

	if (stet_writing(call))
		return stet_derived_write(call, WRITING_MS, apply_some, &b);
	for (int i = 0; status == STET_OK && b.more && i < SEARCH_BATCHES; i++)
		status = stet_derived_write(call, i == 0 ? WAIT_MS : 0, apply, &b);
	return status;
}

/* Returns in *out whether something is built, or compared. */
static enum stet_status
is_unfinished(struct stet_call *call, bool *out)
{
	struct stet_rows rows;

	STET_TRY(stet_derived_query(call, &rows,
	    "SELECT 1 FROM search_index WHERE state = 'building' UNION ALL SELECT 1 FROM "
	    "search_missed LIMIT 1",
	    STET_NO_ARGS));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

enum stet_status
beside_ready(struct stet_call *call)
{
	bool older, newer, unfinished;
	enum stet_status status;

	if (!stet_derived_apart(call))
		return STET_OK;
	STET_TRY(compare_mark(call, &older, &newer));
	if (older || stet_writing(call)) {
		status = catch_up(call);
		if (status != STET_OK && status != STET_DECLINED)
			stet_log(call, STET_WARN, "search: the index is behind: %s",
			    stet_error_text(call));
		stet_error_clear(call);
		STET_TRY(compare_mark(call, &older, &newer));
	}
	if (older && stet_writing(call))
		return stet_fail(call, STET_UNAVAILABLE, NULL,
		    "The search index is being brought up to date: ask again in a moment");
	STET_TRY(is_unfinished(call, &unfinished));
	if (older || newer || unfinished)
		stet_derived_behind(call);
	return STET_OK;
}
