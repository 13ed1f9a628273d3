/*
 * doc.c - items in an index. A document is an item with one status and one locale. It is stored
 * in a shard for that status and locale, so that a search by the public never meets drafts:
 * neither among the matches, nor in the statistics from which scores are computed.
 */
#include "search.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define DIGEST_SIZE 16
#define NOTES_MAX 64 /* shards whose rows are not written yet */
#define KEY_SIZE 48

/* An item in the form in which an index stores it. */
struct doc {
	bool there; /* the item exists and is not in the trash */
	const char *status, *locale;
	const char **text; /* by column of the index; NULL: no text */
	char digest[2 * DIGEST_SIZE + 1];
};

/* Where a document is stored. */
struct place {
	bool there;
	int64_t shard, n;
	const char *status, *locale, *digest;
};

/* ---- reading ---- */

static void
digest(struct doc *doc, size_t columns)
{
	unsigned char sum[DIGEST_SIZE];
	crypto_generichash_state state;

	crypto_generichash_init(&state, NULL, 0, sizeof(sum));
	for (size_t i = 0; i < columns; i++) {
		const char *text = doc->text[i] != NULL ? doc->text[i] : "";

		crypto_generichash_update(&state, (const unsigned char *)text, strlen(text) + 1);
	}
	crypto_generichash_final(&state, sum, sizeof(sum));
	sodium_bin2hex(doc->digest, sizeof(doc->digest), sum, sizeof(sum));
}

static enum stet_status
read_item(struct stet_call *call, const struct index *x, const struct stet_collection *c,
    const char *id, struct doc *doc)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	int column = 2;

	*doc = (struct doc){ .text = stet_alloc(call, x->columns * sizeof(*doc->text)) };
	stet_sql_add(sql, "SELECT status, locale");
	for (size_t i = 0; i < x->columns; i++) {
		const struct stet_field *f = index_field(c, x, i);

		if (f == NULL)
			continue;
		stet_sql_add(sql, ", ");
		stet_sql_ident(sql, STET_FIELD_COLUMN, f->slug);
	}
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	stet_sql_add(sql, " AND deleted_at IS NULL");
	STET_TRY(stet_sql_query(sql, &rows));
	doc->there = stet_row(&rows);
	if (!doc->there)
		return stet_rows_end(&rows);
	doc->status = stet_col_dup(&rows, 0);
	doc->locale = stet_col_dup(&rows, 1);
	for (size_t i = 0; i < x->columns; i++) {
		const struct stet_field *f = index_field(c, x, i);

		if (f != NULL)
			doc->text[i] = text_of(call, f, &rows, column++);
	}
	digest(doc, x->columns);
	return stet_rows_end(&rows);
}

static enum stet_status
find_place(struct stet_call *call, const struct index *x, const char *id, struct place *place)
{
	struct stet_rows rows;

	STET_TRY(stet_derived_query(call, &rows,
	    "SELECT d.shard, d.n, d.digest, s.status, s.locale FROM search_doc d JOIN search_shard "
	    "s ON s.id = d.shard WHERE d.index_id = ?1 AND d.entry = ?2",
	    STET_ARGS(x->id, id)));
	*place = (struct place){ .there = stet_row(&rows) };
	if (place->there) {
		place->shard = stet_col_int(&rows, 0);
		place->n = stet_col_int(&rows, 1);
		place->digest = stet_col_dup(&rows, 2);
		place->status = stet_col_dup(&rows, 3);
		place->locale = stet_col_dup(&rows, 4);
	}
	return stet_rows_end(&rows);
}

/* ---- shards that change ---- */

/* A shard while documents are written: its row is written once for all of them. */
struct shard_note {
	int64_t id, docs; /* docs: documents added since the row was written */
	int64_t placed; /* the highest number used; 0: no documents are added to it */
	char status[KEY_SIZE], locale[KEY_SIZE];
};

struct writing {
	struct stet_call *call;
	struct stet_tx *tx;
	const struct index *x;
	const struct stet_collection *c;
	bool scoped;
	struct shard_note note[NOTES_MAX];
	size_t notes;
	bool closed; /* a shard became full */
};

static struct shard_note *
note_of(struct writing *w, int64_t shard)
{
	for (size_t i = 0; i < w->notes; i++)
		if (w->note[i].id == shard)
			return &w->note[i];
	w->note[w->notes] = (struct shard_note){ .id = shard };
	return &w->note[w->notes++];
}

/* Removes the shard if it is empty and takes no more documents. */
static enum stet_status
drop_spent(struct writing *w, int64_t shard)
{
	struct stet_rows rows;
	bool spent;

	STET_TRY(stet_derived_one(w->call, &rows, STET_FAULT,
	    "SELECT docs = 0 AND state <> 0 FROM search_shard WHERE id = ?1", STET_ARGS(shard)));
	spent = stet_col_int(&rows, 0) != 0;
	STET_TRY(stet_rows_end(&rows));
	if (!spent)
		return STET_OK;
	STET_TRY(
	    stet_exec(w->call, w->tx, "DELETE FROM search_shard WHERE id = ?1", STET_ARGS(shard)));
	return shard_drop(w->call, w->tx, shard);
}

static enum stet_status
write_notes(struct writing *w)
{
	size_t count = w->notes;

	w->notes = 0;
	for (size_t i = 0; i < count; i++) {
		const struct shard_note *n = &w->note[i];

		STET_TRY(stet_exec(w->call, w->tx,
		    "UPDATE search_shard SET docs = docs + ?2, placed = CASE WHEN ?3 > placed THEN "
		    "?3 ELSE placed END WHERE id = ?1",
		    STET_ARGS(n->id, n->docs, n->placed)));
		if (n->docs < 0)
			STET_TRY(drop_spent(w, n->id));
	}
	return STET_OK;
}

/* A shard that is full takes no more; the job then merges its segments into one. */
static enum stet_status
close_shard(struct writing *w, int64_t shard)
{
	w->closed = true;
	return stet_exec(
	    w->call, w->tx, "UPDATE search_shard SET state = 1 WHERE id = ?1", STET_ARGS(shard));
}

/* Returns the newest shard of this status and locale, and the highest number in it; 0: none. */
static enum stet_status
find_newest(const struct writing *w, const struct doc *doc, int64_t *shard, int64_t *placed)
{
	struct stet_rows rows;

	*shard = *placed = 0;
	STET_TRY(stet_derived_query(w->call, &rows,
	    "SELECT id, placed FROM search_shard WHERE index_id = ?1 AND status = ?2 AND locale = "
	    "?3 ORDER BY id DESC LIMIT 1",
	    STET_ARGS(w->x->id, doc->status, doc->locale)));
	if (stet_row(&rows)) {
		*shard = stet_col_int(&rows, 0);
		*placed = stet_col_int(&rows, 1);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
new_shard(struct writing *w, const struct doc *doc, int64_t *shard)
{
	STET_TRY(index_number(w->call, w->tx, shard));
	STET_TRY(stet_exec(w->call, w->tx,
	    "INSERT INTO search_shard (id, index_id, status, locale, docs, placed, state) VALUES "
	    "(?1, ?2, ?3, ?4, 0, 0, 0)",
	    STET_ARGS(*shard, w->x->id, doc->status, doc->locale)));
	return shard_create(w->call, w->tx, *shard, w->x->columns, w->x->tokenizer);
}

static struct shard_note *
known(struct writing *w, const struct doc *doc)
{
	for (size_t i = w->notes; i-- > 0;) {
		struct shard_note *n = &w->note[i];

		if (n->placed > 0 && strcmp(n->status, doc->status) == 0 &&
		    strcmp(n->locale, doc->locale) == 0)
			return n;
	}
	return NULL;
}

/* Returns the shard to which the document is added; its `placed` is the document's number. */
static enum stet_status
take_place(struct writing *w, const struct doc *doc, struct shard_note **out)
{
	struct shard_note *n = known(w, doc);
	int64_t shard, placed;

	if (n != NULL) {
		shard = n->id;
		placed = n->placed;
	} else
		STET_TRY(find_newest(w, doc, &shard, &placed));
	if (placed >= SHARD_DOCS) {
		STET_TRY(close_shard(w, shard));
		shard = placed = 0;
	}
	if (shard == 0)
		STET_TRY(new_shard(w, doc, &shard));
	n = note_of(w, shard);
	n->placed = placed + 1;
	n->docs++;
	/* A longer name is looked up again. */
	if (strlen(doc->status) < KEY_SIZE && strlen(doc->locale) < KEY_SIZE) {
		stpcpy(n->status, doc->status);
		stpcpy(n->locale, doc->locale);
	}
	*out = n;
	return STET_OK;
}

/* ---- writing ---- */

/* An item that has changed, and its document so far. */
struct item {
	const char *id;
	struct place place;
	bool add; /* it needs a new place */
};

struct step {
	struct writing *w;
	struct item *item;
};

static bool
same_shard(const struct doc *doc, const struct place *place)
{
	return place->there && strcmp(doc->status, place->status) == 0 &&
	       strcmp(doc->locale, place->locale) == 0;
}

static enum stet_status
take_out(struct writing *w, const struct item *it)
{
	STET_TRY(shard_remove(w->call, w->tx, it->place.shard, it->place.n));
	note_of(w, it->place.shard)->docs--;
	return stet_exec(w->call, w->tx,
	    "DELETE FROM search_doc WHERE index_id = ?1 AND entry = ?2",
	    STET_ARGS(w->x->id, it->id));
}

static enum stet_status
rewrite(struct writing *w, const struct doc *doc, const struct item *it)
{
	if (strcmp(doc->digest, it->place.digest) == 0)
		return STET_OK;
	STET_TRY(shard_remove(w->call, w->tx, it->place.shard, it->place.n));
	STET_TRY(shard_put(w->call, w->tx, it->place.shard, it->place.n, doc->text, w->x->columns));
	return stet_exec(w->call, w->tx,
	    "UPDATE search_doc SET digest = ?3 WHERE index_id = ?1 AND entry = ?2",
	    STET_ARGS(w->x->id, it->id, doc->digest));
}

/* Handles an item that has a document: rewrites the document, or removes it. */
static enum stet_status
change(struct stet_call *call, void *arg)
{
	const struct step *s = arg;
	struct doc doc;

	STET_TRY(read_item(call, s->w->x, s->w->c, s->item->id, &doc));
	if (doc.there && same_shard(&doc, &s->item->place))
		return rewrite(s->w, &doc, s->item);
	s->item->add = doc.there;
	return take_out(s->w, s->item);
}

static enum stet_status
add(struct stet_call *call, void *arg)
{
	const struct step *s = arg;
	struct shard_note *n;
	struct doc doc;

	STET_TRY(read_item(call, s->w->x, s->w->c, s->item->id, &doc));
	if (!doc.there)
		return STET_OK;
	STET_TRY(take_place(s->w, &doc, &n));
	STET_TRY(shard_put(call, s->w->tx, n->id, n->placed, doc.text, s->w->x->columns));
	return stet_exec(call, s->w->tx,
	    "INSERT INTO search_doc (index_id, entry, shard, n, digest) VALUES (?1, ?2, ?3, ?4, "
	    "?5)",
	    STET_ARGS(s->w->x->id, s->item->id, n->id, n->placed, doc.digest));
}

/* A step adds at most two notes. */
static enum stet_status
take_step(struct writing *w, struct item *item, enum stet_status (*fn)(struct stet_call *, void *))
{
	struct step step = { w, item };

	if (w->notes + 2 > NOTES_MAX)
		STET_TRY(write_notes(w));
	return w->scoped ? stet_scope(w->call, fn, &step) : fn(w->call, &step);
}

static int
by_place(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->place.shard != y->place.shard)
		return x->place.shard < y->place.shard ? -1 : 1;
	return (x->place.n > y->place.n) - (x->place.n < y->place.n);
}

/* Writes documents in the order of their numbers in each shard, new ones last: FTS5 buffers rows in
 * this order, and flushes its buffer at any other. */
enum stet_status
doc_sync(struct stet_call *call, struct stet_tx *tx, const struct index *x,
    const struct stet_collection *c, const char *const *id, size_t count, bool scoped)
{
	struct item *item = stet_alloc(call, (count + 1) * sizeof(*item));
	struct writing *w = stet_alloc(call, sizeof(*w));

	*w = (struct writing){ .call = call, .tx = tx, .x = x, .c = c, .scoped = scoped };
	for (size_t i = 0; i < count; i++) {
		item[i] = (struct item){ .id = id[i] };
		STET_TRY(find_place(call, x, id[i], &item[i].place));
		item[i].add = !item[i].place.there;
	}
	qsort(item, count, sizeof(*item), by_place);
	for (size_t i = 0; i < count; i++)
		if (!item[i].add)
			STET_TRY(take_step(w, &item[i], change));
	for (size_t i = 0; i < count; i++)
		if (item[i].add)
			STET_TRY(take_step(w, &item[i], add));
	STET_TRY(write_notes(w));
	if (w->closed)
		stet_job_wake(call, SEARCH_JOB);
	return STET_OK;
}

/* Indexes items of one collection. The collection may have been deleted, or have no index any more.
 */
enum stet_status
doc_index(struct stet_call *call, struct stet_tx *tx, const char *slug, const char *const *id,
    size_t count, bool scoped)
{
	const struct stet_collection *c;
	struct index *list;
	size_t indexes;

	STET_TRY(index_list(call, slug, NULL, &list, &indexes));
	if (indexes == 0)
		return STET_OK;
	STET_TRY(find_collection(call, slug, &c));
	for (size_t i = 0; c != NULL && i < indexes; i++)
		STET_TRY(doc_sync(call, tx, &list[i], c, id, count, scoped));
	return failed_clear(call, tx, slug, id, count);
}

enum stet_status
doc_compare(struct stet_call *call, const struct index *x, const struct stet_collection *c,
    const char *id, const char **out)
{
	struct doc doc;
	struct place place;

	*out = NULL;
	STET_TRY(read_item(call, x, c, id, &doc));
	STET_TRY(find_place(call, x, id, &place));
	if (doc.there && !place.there)
		*out = "is not in the index";
	else if (!doc.there && place.there)
		*out = "is in the index, but not there";
	else if (doc.there && !same_shard(&doc, &place))
		*out = "has another status or locale in the index";
	else if (doc.there && strcmp(doc.digest, place.digest) != 0)
		*out = "has another text in the index";
	return STET_OK;
}

/* ---- lists of items and documents ---- */

static enum stet_status
take_ids(struct stet_rows *rows, const char **id, size_t *count)
{
	*count = 0;
	while (stet_row(rows))
		id[(*count)++] = stet_col_dup(rows, 0);
	return stet_rows_end(rows);
}

/* Appends the query for up to `max` ids of items. */
static void
put_items(struct stet_sql *sql, const struct index *x, const char *after, size_t max)
{
	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, x->collection);
	stet_sql_add(sql, " WHERE id > ");
	stet_sql_bind(sql, stet_val_str(after));
	stet_sql_add(sql, " ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int((int64_t)max));
}

/* The same of documents. */
static void
put_documents(struct stet_sql *sql, const struct index *x, const char *after, size_t max)
{
	stet_sql_add(sql, "SELECT entry FROM search_doc WHERE index_id = ");
	stet_sql_bind(sql, stet_val_int(x->id));
	stet_sql_add(sql, " AND entry > ");
	stet_sql_bind(sql, stet_val_str(after));
	stet_sql_add(sql, " ORDER BY entry LIMIT ");
	stet_sql_bind(sql, stet_val_int((int64_t)max));
}

/* The documents are beside the database: two lists, which are merged. */
static enum stet_status
entries_beside(struct stet_call *call, const struct index *x, const char *after, const char **id,
    size_t max, size_t *count)
{
	const char **a = stet_alloc(call, max * sizeof(*a)),
		   **b = stet_alloc(call, max * sizeof(*b));
	struct stet_sql *items = stet_sql_new(call), *documents = stet_sql_new(call);
	struct stet_rows rows;
	size_t as, bs;

	put_items(items, x, after, max);
	STET_TRY(stet_sql_query(items, &rows));
	STET_TRY(take_ids(&rows, a, &as));
	put_documents(documents, x, after, max);
	STET_TRY(stet_derived_sql_query(documents, &rows));
	STET_TRY(take_ids(&rows, b, &bs));
	for (size_t i = 0, k = 0; *count < max && (i < as || k < bs);) {
		int order = i == as ? 1 : k == bs ? -1 : strcmp(a[i], b[k]);

		id[(*count)++] = order <= 0 ? a[i] : b[k];
		i += order <= 0;
		k += order >= 0;
	}
	return STET_OK;
}

enum stet_status
doc_entries(struct stet_call *call, const struct index *x, const char *after, const char **id,
    size_t max, size_t *count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	*count = 0;
	if (stet_derived_apart(call))
		return entries_beside(call, x, after, id, max, count);
	stet_sql_add(sql, "SELECT id FROM (SELECT id FROM (");
	put_items(sql, x, after, max);
	stet_sql_add(sql, ") a UNION SELECT entry FROM (");
	put_documents(sql, x, after, max);
	stet_sql_add(sql, ") b) c ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int((int64_t)max));
	STET_TRY(stet_sql_query(sql, &rows));
	return take_ids(&rows, id, count);
}
