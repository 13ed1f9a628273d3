/*
 * doc.c - items in an index. A document is an item with one status and one locale. It is stored
 * in a shard for that status and locale, so that a search by the public never meets drafts:
 * neither among the matches, nor in the statistics from which scores are computed.
 */
#include "search.h"
#include <sodium.h>
#include <string.h>

#define DIGEST_SIZE 16

/* An item as an index has it. */
struct doc {
	bool there; /* the item exists and is not in the trash */
	const char *status, *locale;
	const char **text; /* by column of the index; may be NULL */
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

	STET_TRY(stet_query(call, &rows,
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

/* ---- writing ---- */

/* The shard that takes new documents of this status and locale, and the number of the next
 * document. Closes a shard that is full; the job then optimises it. */
static enum stet_status
open_shard(struct stet_call *call, struct stet_tx *tx, const struct index *x, const struct doc *doc,
    int64_t *shard, int64_t *n)
{
	struct stet_rows rows;
	int64_t full = 0;

	*n = 1;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, placed FROM search_shard WHERE index_id = ?1 AND status = ?2 AND locale = "
	    "?3 ORDER BY id DESC LIMIT 1",
	    STET_ARGS(x->id, doc->status, doc->locale)));
	if (stet_row(&rows)) {
		*shard = stet_col_int(&rows, 0);
		*n = stet_col_int(&rows, 1) + 1;
		full = *n > SHARD_DOCS ? *shard : 0;
	} else
		full = -1;
	STET_TRY(stet_rows_end(&rows));
	if (full == 0)
		return STET_OK;
	if (full > 0) {
		STET_TRY(stet_exec(
		    call, tx, "UPDATE search_shard SET state = 1 WHERE id = ?1", STET_ARGS(full)));
		stet_job_wake(call, SEARCH_JOB);
	}
	*n = 1;
	STET_TRY(index_number(call, tx, shard));
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO search_shard (id, index_id, status, locale, docs, placed, state) VALUES "
	    "(?1, ?2, ?3, ?4, 0, 0, 0)",
	    STET_ARGS(*shard, x->id, doc->status, doc->locale)));
	return shard_create(call, tx, *shard, x->columns, x->tokenizer);
}

static enum stet_status
add(struct stet_call *call, struct stet_tx *tx, const struct index *x, const struct doc *doc,
    const char *id)
{
	int64_t shard = 0, n = 0;

	STET_TRY(open_shard(call, tx, x, doc, &shard, &n));
	STET_TRY(shard_put(call, tx, shard, n, doc->text, x->columns));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE search_shard SET docs = docs + 1, placed = ?2 WHERE id = ?1",
	    STET_ARGS(shard, n)));
	return stet_exec(call, tx,
	    "INSERT INTO search_doc (index_id, entry, shard, n, digest) VALUES (?1, ?2, ?3, ?4, "
	    "?5)",
	    STET_ARGS(x->id, id, shard, n, doc->digest));
}

static enum stet_status
take_out(struct stet_call *call, struct stet_tx *tx, const struct index *x,
    const struct place *place, const char *id)
{
	struct stet_rows rows;
	bool spent;

	STET_TRY(shard_remove(call, tx, place->shard, place->n));
	STET_TRY(stet_exec(call, tx, "DELETE FROM search_doc WHERE index_id = ?1 AND entry = ?2",
	    STET_ARGS(x->id, id)));
	STET_TRY(stet_exec(call, tx, "UPDATE search_shard SET docs = docs - 1 WHERE id = ?1",
	    STET_ARGS(place->shard)));
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT docs = 0 AND state <> 0 FROM search_shard WHERE id = ?1",
	    STET_ARGS(place->shard)));
	spent = stet_col_int(&rows, 0) != 0;
	STET_TRY(stet_rows_end(&rows));
	if (!spent)
		return STET_OK;
	STET_TRY(
	    stet_exec(call, tx, "DELETE FROM search_shard WHERE id = ?1", STET_ARGS(place->shard)));
	return shard_drop(call, tx, place->shard);
}

static enum stet_status
rewrite(struct stet_call *call, struct stet_tx *tx, const struct index *x, const struct doc *doc,
    const struct place *place, const char *id)
{
	STET_TRY(shard_remove(call, tx, place->shard, place->n));
	STET_TRY(shard_put(call, tx, place->shard, place->n, doc->text, x->columns));
	return stet_exec(call, tx,
	    "UPDATE search_doc SET digest = ?3 WHERE index_id = ?1 AND entry = ?2",
	    STET_ARGS(x->id, id, doc->digest));
}

static bool
same_shard(const struct doc *doc, const struct place *place)
{
	return place->there && strcmp(doc->status, place->status) == 0 &&
	       strcmp(doc->locale, place->locale) == 0;
}

enum stet_status
doc_sync(struct stet_call *call, struct stet_tx *tx, const struct index *x,
    const struct stet_collection *c, const char *id)
{
	struct doc doc;
	struct place place;

	STET_TRY(read_item(call, x, c, id, &doc));
	STET_TRY(find_place(call, x, id, &place));
	if (!doc.there)
		return place.there ? take_out(call, tx, x, &place, id) : STET_OK;
	if (same_shard(&doc, &place)) {
		if (strcmp(doc.digest, place.digest) == 0)
			return STET_OK;
		return rewrite(call, tx, x, &doc, &place, id);
	}
	if (place.there)
		STET_TRY(take_out(call, tx, x, &place, id));
	return add(call, tx, x, &doc, id);
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

enum stet_status
doc_entries(struct stet_call *call, const struct index *x, const char *after, const char **id,
    size_t max, size_t *count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	*count = 0;
	stet_sql_add(sql, "SELECT id FROM (SELECT id FROM (SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, x->collection);
	stet_sql_add(sql, " WHERE id > ");
	stet_sql_bind(sql, stet_val_str(after));
	stet_sql_add(sql, " ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int((int64_t)max));
	stet_sql_add(
	    sql, ") a UNION SELECT entry FROM (SELECT entry FROM search_doc WHERE index_id = ");
	stet_sql_bind(sql, stet_val_int(x->id));
	stet_sql_add(sql, " AND entry > ");
	stet_sql_bind(sql, stet_val_str(after));
	stet_sql_add(sql, " ORDER BY entry LIMIT ");
	stet_sql_bind(sql, stet_val_int((int64_t)max));
	stet_sql_add(sql, ") b) c ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int((int64_t)max));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		id[(*count)++] = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

/* A staged draft is not indexed: the columns of the item have not changed. */
enum stet_status
search_entry(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const char *id, const char *change, int64_t version)
{
	struct index *list;
	size_t count;

	(void)version;
	if (strcmp(change, "stage") == 0 || strcmp(change, "discard") == 0)
		return STET_OK;
	STET_TRY(index_list(call, c->slug, NULL, &list, &count));
	for (size_t i = 0; i < count; i++)
		STET_TRY(doc_sync(call, tx, &list[i], c, id));
	return STET_OK;
}
