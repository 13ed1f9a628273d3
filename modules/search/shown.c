/* shown.c - the items of a page of results, with their snippets. */
#include "find.h"
#include <stdlib.h>
#include <string.h>

/* Finds the hits of the page that are in the shard of hit `first`. */
static size_t
mates(const struct find *f, size_t first, size_t *mate, int64_t *n)
{
	size_t count = 0;

	for (size_t i = first; i < f->taken; i++)
		if (f->page[i].shard == f->page[first].shard) {
			mate[count] = i;
			n[count++] = f->page[i].n;
		}
	return count;
}

static bool
is_done(const struct find *f, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (f->page[k].shard == f->page[i].shard)
			return true;
	return false;
}

/* A document of a shard, and which hit of the page it is. */
struct doc {
	int64_t n;
	size_t hit;
};

static int
by_number(const void *a, const void *b)
{
	const struct doc *x = a, *y = b;

	return (x->n > y->n) - (x->n < y->n);
}

/* Reads only the ids of many hits, without checking the items' current state. */
static enum stet_status
read_ids(struct find *f, const struct stream *s, int64_t shard, const size_t *mate,
    const int64_t *n, size_t count, struct found *out)
{
	struct doc *doc = stet_alloc(f->call, count * sizeof(*doc)), *d;
	struct stet_sql *sql = stet_sql_new(f->call);
	struct stet_rows rows;

	for (size_t i = 0; i < count; i++)
		doc[i] = (struct doc){ n[i], mate[i] };
	qsort(doc, count, sizeof(*doc), by_number);
	stet_sql_add(sql, "SELECT n, entry FROM search_doc WHERE shard = ");
	stet_sql_bind(sql, stet_val_int(shard));
	stet_sql_add(sql, " AND n IN ");
	shard_numbers(sql, n, count);
	STET_TRY(stet_derived_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const struct doc at = { .n = stet_col_int(&rows, 0) };

		d = bsearch(&at, doc, count, sizeof(*doc), by_number);
		if (d != NULL)
			out[d->hit] = (struct found){ .collection = s->collection->slug,
				.id = stet_col_dup(&rows, 1),
				.score = f->page[d->hit].score };
	}
	return stet_rows_end(&rows);
}

static void
put_title(struct stet_sql *sql, const struct stream *s)
{
	const struct stet_field *title = title_of(s->collection);

	if (title != NULL && !title->json_text) {
		stet_sql_add(sql, ", i.");
		stet_sql_ident(sql, STET_FIELD_COLUMN, title->slug);
	} else
		stet_sql_add(sql, ", NULL");
}

static void
put_shown(struct stet_sql *sql, const struct find *f)
{
	stet_sql_add(sql, "i.deleted_at IS NULL AND " STET_UNINDEXED("i.status") " = ");
	stet_sql_bind(sql, stet_val_str(f->status));
}

/* The same as read_items if the documents are beside the database: the items are read in the call's
 * snapshot, whatever the index says of them. */
static enum stet_status
read_items_beside(
    struct find *f, const struct stream *s, const size_t *mate, size_t count, struct found *out)
{
	const char **id = stet_alloc(f->call, (count + 1) * sizeof(*id));
	struct stet_sql *sql = stet_sql_new(f->call);
	struct stet_rows rows;

	for (size_t i = 0; i < count; i++)
		id[i] = out[mate[i]].id != NULL ? out[mate[i]].id : "";
	stet_sql_add(sql, "SELECT i.id, i.slug, i.locale");
	put_title(sql, s);
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, s->collection->slug);
	stet_sql_add(sql, " i WHERE ");
	put_shown(sql, f);
	stet_sql_add(sql, " AND i.id IN ");
	stet_sql_texts(sql, id, count);
	for (size_t i = 0; i < count; i++)
		out[mate[i]] = (struct found){ 0 };
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		for (size_t i = 0; i < count; i++)
			if (strcmp(id[i], stet_col_str(&rows, 0)) == 0)
				out[mate[i]] = (struct found){ .collection = s->collection->slug,
					.id = id[i],
					.slug = stet_col_dup(&rows, 1),
					.locale = stet_col_dup(&rows, 2),
					.title = stet_col_dup(&rows, 3),
					.score = f->page[mate[i]].score };
	return stet_rows_end(&rows);
}

/* Reads the items as they are now: an item in the trash, or with another status than the index
 * says, is not shown. */
static enum stet_status
read_items(struct find *f, const struct stream *s, int64_t shard, const size_t *mate,
    const int64_t *n, size_t count, struct found *out)
{
	struct stet_sql *sql = stet_sql_new(f->call);
	struct stet_rows rows;

	if (stet_derived_apart(f->call)) {
		STET_TRY(read_ids(f, s, shard, mate, n, count, out));
		return read_items_beside(f, s, mate, count, out);
	}
	stet_sql_add(sql, "SELECT d.n, i.id, i.slug, i.locale");
	put_title(sql, s);
	stet_sql_add(sql, " FROM search_doc d CROSS JOIN ");
	stet_sql_ident(sql, STET_ITEM_TABLE, s->collection->slug);
	stet_sql_add(sql, " i WHERE i.id = d.entry AND ");
	put_shown(sql, f);
	stet_sql_add(sql, " AND d.shard = ");
	stet_sql_bind(sql, stet_val_int(shard));
	stet_sql_add(sql, " AND d.n IN ");
	shard_numbers(sql, n, count);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		for (size_t i = 0; i < count; i++)
			if (n[i] == stet_col_int(&rows, 0))
				out[mate[i]] = (struct found){ .collection = s->collection->slug,
					.id = stet_col_dup(&rows, 1),
					.slug = stet_col_dup(&rows, 2),
					.locale = stet_col_dup(&rows, 3),
					.title = stet_col_dup(&rows, 4),
					.score = f->page[mate[i]].score };
	return stet_rows_end(&rows);
}

static enum stet_status
read_shard(struct find *f, size_t first, const struct finding *want, struct found *out)
{
	const struct stream *s = &f->stream[f->page[first].stream];
	size_t *mate = stet_alloc(f->call, f->taken * sizeof(*mate)), count;
	int64_t *n = stet_alloc(f->call, f->taken * sizeof(*n)), shard = f->page[first].shard;
	char **snippet = stet_alloc(f->call, f->taken * sizeof(*snippet));

	count = mates(f, first, mate, n);
	if (want->bare)
		return read_ids(f, s, shard, mate, n, count, out);
	STET_TRY(read_items(f, s, shard, mate, n, count, out));
	if (!want->titles)
		STET_TRY(shard_snippets(f->call, shard, &s->ask, f->hits.best, n, snippet, count));
	for (size_t i = 0; i < count; i++)
		out[mate[i]].snippet = snippet[i];
	return STET_OK;
}

enum stet_status
shown_fill(struct find *f, struct finding *want)
{
	struct found *all = stet_alloc(f->call, (f->taken + 1) * sizeof(*all));

	for (size_t i = 0; i < f->taken; i++)
		if (!is_done(f, i))
			STET_TRY(read_shard(f, i, want, all));
	for (size_t i = 0; i < f->taken; i++)
		if (all[i].id != NULL)
			all[want->count++] = all[i];
	want->item = all;
	return STET_OK;
}
