/*
 * find.c - finds a page of results. core/adr/0013-search-in-shards.md explains the design.
 *
 * The documents of one index and locale form a stream, newest first, which is divided into
 * shards. A window is the newest matches of each stream, few enough to be ranked quickly; it is
 * ranked as a whole. When all pages of a window were read, the next window has older matches. A
 * stream with fewer matches than a window has only one, so its results are ordered by score
 * alone.
 *
 * A cursor stores where the window ends in each stream that continues, and the last document of
 * the page. The score of that document is computed again for the next page, since scores change
 * with each save, all in the same direction.
 */
#include "find.h"
#include "query.h"
#include <stdlib.h>
#include <string.h>

#define WINDOW 800 /* matches that are ranked together */
#define WINDOW_MIN 100 /* of each stream, if there are many streams */
#define WORK_MAX \
	4000000 /* documents times the cost of their words; the window ends when it is reached */
#define BROAD_WORK 8 /* the cost of a word of two letters, in words */
#define LISTED_MAX 16 /* streams that a cursor stores */

/* ---- streams ---- */

static const char *
filter(struct stet_call *call, const struct stet_collection *c, const struct index *x, bool titles,
    const char *match)
{
	const struct stet_field *title = title_of(c);
	char *out = stet_printf(call, "{");
	size_t n = 0;

	for (size_t i = 0; i < x->columns; i++) {
		const struct stet_field *f = index_field(c, x, i);

		if (f == NULL || !(titles ? f == title : f->searchable))
			continue;
		out = stet_printf(call, "%s%sc%zu", out, n > 0 ? " " : "", i);
		n++;
	}
	if (n == 0)
		return NULL;
	return n == x->columns ? match : stet_printf(call, "%s} : (%s)", out, match);
}

static const double *
weights(struct stet_call *call, const struct stet_collection *c, const struct index *x)
{
	double *out = stet_alloc(call, x->columns * sizeof(*out));

	for (size_t i = 0; i < x->columns; i++) {
		const struct stet_field *f = index_field(c, x, i);
		const json_t *w = f != NULL ? json_object_get(x->weights, f->slug) : NULL;

		out[i] = json_is_number(w)  ? json_number_value(w)
			 : f == title_of(c) ? TITLE_WEIGHT
					    : 1;
	}
	return out;
}

static struct stream *
new_stream(struct find *f)
{
	if (f->count == f->room) {
		size_t room = 2 * f->room + 8;
		struct stream *more = stet_alloc(f->call, room * sizeof(*more));

		if (f->count > 0)
			memcpy(more, f->stream, f->count * sizeof(*more));
		f->stream = more;
		f->room = room;
	}
	return &f->stream[f->count++];
}

/* Adds a stream for each locale, with its shards, newest first. */
static enum stet_status
add_streams(
    struct find *f, const struct stet_collection *c, const struct index *x, const struct ask *ask)
{
	struct stet_call *call = f->call;
	struct stream *s = NULL;
	struct stet_rows rows;
	size_t room = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, docs, locale FROM search_shard WHERE index_id = ?1 AND status = ?2 AND "
	    "(locale = ?3 OR ?3 IS NULL) ORDER BY locale DESC, id DESC",
	    STET_ARGS(x->id, f->status, f->locale)));
	while (stet_row(&rows)) {
		if (s == NULL || strcmp(s->locale, stet_col_str(&rows, 2)) != 0) {
			s = new_stream(f);
			*s = (struct stream){ .collection = c,
				.index = x->id,
				.ask = *ask,
				.locale = stet_col_dup(&rows, 2) };
			room = 0;
		}
		if (s->count == room) {
			struct shard *more;

			room = 2 * room + 8;
			more = stet_alloc(call, room * sizeof(*more));
			if (s->count > 0)
				memcpy(more, s->shard, s->count * sizeof(*more));
			s->shard = more;
		}
		s->shard[s->count++] =
		    (struct shard){ stet_col_int(&rows, 0), stet_col_int(&rows, 1) };
	}
	return stet_rows_end(&rows);
}

static bool
is_wanted(const json_t *collections, const char *slug)
{
	const json_t *v;
	size_t i;

	if (json_array_size(collections) == 0)
		return true;
	json_array_foreach(
	    collections, i, v) if (strcmp(json_string_value(v), slug) == 0) return true;
	return false;
}

static enum stet_status
open_streams(struct find *f, const struct finding *want)
{
	const struct stet_schema_1 *schema = stet_service(f->call, STET_SCHEMA_1);
	size_t len = strlen(want->q), count;
	const struct stet_collection *c;
	struct index *list;

	STET_TRY(index_list(f->call, NULL, "serving", &list, &count));
	for (size_t i = 0; i < count; i++) {
		struct ask ask = { .columns = list[i].columns,
			.trigram = strcmp(list[i].tokenizer, "trigram") == 0 };
		char *match = stet_alloc(f->call, QUERY_SIZE(len));
		struct query q;

		if (!is_wanted(want->collections, list[i].collection))
			continue;
		query_parse(want->q, len, ask.trigram, match, &q);
		if (q.len == 0)
			continue;
		STET_TRY(schema->collection(f->call, list[i].collection, &c));
		if (want->supported && !c->search)
			continue;
		ask.match = filter(f->call, c, &list[i], want->titles, match);
		ask.weight = weights(f->call, c, &list[i]);
		f->cost = 1 + BROAD_WORK * q.broad;
		if (ask.match != NULL)
			STET_TRY(add_streams(f, c, &list[i], &ask));
	}
	return STET_OK;
}

/* ---- windows ---- */

static struct position
position_of(const struct hit *h)
{
	return (struct position){ h->shard, h->n };
}

/* Returns true if a is newer than b. */
static bool
newer(struct position a, struct position b)
{
	return a.shard != b.shard ? a.shard > b.shard : a.n > b.n;
}

/* Reads the matches of a stream, from its start in this window to its end, or until the quota is
 * reached. */
static enum stet_status
scan(struct find *f, size_t i, size_t quota)
{
	struct stream *s = &f->stream[i];
	size_t first = f->hits.count;

	for (size_t k = 0; k < s->count && f->hits.count - first < quota; k++) {
		int64_t id = s->shard[k].id, low = 1, high = INT64_MAX;
		size_t before = f->hits.count;

		if (id > s->start.shard || (s->bounded && id < s->end.shard))
			continue;
		if (id == s->start.shard)
			high = s->start.n - 1;
		if (s->bounded && id == s->end.shard)
			low = s->end.n;
		if (quota < SIZE_MAX && f->work > WORK_MAX) {
			s->end = (struct position){ id, SHARD_DOCS + 1 };
			s->more = true;
			return STET_OK;
		}
		f->work += s->shard[k].docs * f->cost;
		STET_TRY(shard_scan(
		    f->call, id, &s->ask, low, high, quota - (before - first), &f->hits));
		for (size_t h = before; h < f->hits.count; h++)
			f->hits.hit[h].stream = i;
	}
	if (!s->bounded && f->hits.count - first >= quota) {
		s->end = position_of(&f->hits.hit[f->hits.count - 1]);
		s->more = true;
	}
	return STET_OK;
}

static int
by_score(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return newer(position_of(x), position_of(y)) ? -1 : 1;
}

static enum stet_status
scan_window(struct find *f)
{
	size_t active = 0, listed = 0, quota;

	for (size_t i = 0; i < f->count; i++)
		active += f->stream[i].active;
	quota = f->quota > 0 ? f->quota : WINDOW / (active > 0 ? active : 1);
	quota = quota < WINDOW_MIN && f->quota == 0 ? WINDOW_MIN : quota;
	f->hits.count = 0;
	for (size_t i = 0; i < f->count; i++) {
		struct stream *s = &f->stream[i];

		if (!s->active)
			continue;
		/* A cursor stores a limited number of ends; further streams are ranked
		 * completely in this window. */
		STET_TRY(scan(f, i, s->bounded || listed >= LISTED_MAX ? SIZE_MAX : quota));
		listed += s->more;
	}
	if (f->hits.count > 1)
		qsort(f->hits.hit, f->hits.count, sizeof(*f->hits.hit), by_score);
	return STET_OK;
}

/* Goes on to the next window. Returns false if there is none. */
static bool
next_window(struct find *f)
{
	bool any = false;

	for (size_t i = 0; i < f->count; i++) {
		struct stream *s = &f->stream[i];

		s->active = s->active && s->more;
		if (!s->active)
			continue;
		s->start = s->end;
		s->bounded = s->more = false;
		any = true;
	}
	f->later = true;
	f->anchors = 0;
	return any;
}

/* The first hit of the window after those that the client has seen. */
static size_t
first_new(const struct find *f)
{
	size_t i;

	if (f->anchors == 0)
		return 0;
	for (size_t k = 0; k < f->anchors; k++)
		for (i = 0; i < f->hits.count; i++)
			if (f->hits.hit[i].shard == f->anchor[k].shard &&
			    f->hits.hit[i].n == f->anchor[k].n)
				return i + 1;
	for (i = 0; i < f->hits.count && f->hits.hit[i].score >= f->score; i++)
		continue;
	return i;
}

/* Collects one hit more than the page, to know whether there are more. A page is shorter, or
 * empty, if the search costs too much for one request; the cursor continues from there. */
static enum stet_status
collect(struct find *f, size_t limit, const char **cursor)
{
	bool more = true;

	while (more && f->taken <= limit && f->work <= WORK_MAX) {
		STET_TRY(scan_window(f));
		for (size_t i = first_new(f); i < f->hits.count && f->taken <= limit; i++) {
			f->page[f->taken++] = f->hits.hit[i];
			if (f->taken == limit)
				*cursor = cursor_text(f, false);
		}
		more = next_window(f);
	}
	if (f->taken > limit)
		f->taken = limit;
	else if (more)
		*cursor = cursor_text(f, true);
	else
		*cursor = NULL;
	return STET_OK;
}

enum stet_status
find_run(struct stet_call *call, struct finding *want)
{
	struct find f = { .call = call,
		.status = want->status,
		.locale = want->locale,
		.quota = want->titles ? WINDOW_MIN : 0 };
	const char *cursor = NULL, *listing;

	STET_TRY(open_streams(&f, want));
	for (size_t i = 0; i < f.count; i++) {
		f.stream[i].active = true;
		f.stream[i].start = (struct position){ INT32_MAX, SHARD_DOCS + 1 };
	}
	listing = cursor_listing(call, want);
	if (want->cursor != NULL)
		STET_TRY(cursor_open(&f, listing, want->cursor));
	f.page = stet_alloc(call, (want->limit + 1) * sizeof(*f.page));
	STET_TRY(collect(&f, want->limit, &cursor));
	if (cursor != NULL)
		want->next = cursor_close(call, listing, cursor);
	return shown_fill(&f, want);
}
