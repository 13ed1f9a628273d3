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
#include <stdlib.h>
#include <string.h>

#define WINDOW 800 /* matches that are ranked together */
#define WINDOW_SOME 2000 /* matches of a window if not all words have to match */
/* A window also ends after so many shards, if it has as many matches as the largest page needs. */
#define SHARDS_MIN 16
#define MATCHES_MIN 128
#define WINDOW_MIN 100 /* documents in a window of each stream, if there are many streams */
#define WORK_MAX \
	4000000 /* documents times the cost of their words; the window ends when it is reached */
#define LISTED_MAX 16 /* streams that a cursor stores */
/* Matches and work of a window whose ends come from a cursor. Saves since the cursor was made may
 * have added some to the window, and clients may send ends of their own. */
#define REREAD_MAX 16000
#define REREAD_WORK_MAX (2 * WORK_MAX)

/* ---- streams ---- */

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
add_streams(struct find *f, const struct stet_collection *c, const struct index *x)
{
	struct stet_call *call = f->call;
	struct stream *s = NULL;
	struct stet_rows rows;
	size_t room = 0;

	STET_TRY(stet_derived_query(call, &rows,
	    "SELECT id, docs, locale FROM search_shard WHERE index_id = ?1 AND status = ?2 AND "
	    "(locale = ?3 OR ?3 IS NULL) ORDER BY locale DESC, id DESC",
	    STET_ARGS(x->id, f->status, f->locale)));
	while (stet_row(&rows)) {
		if (s == NULL || strcmp(s->locale, stet_col_str(&rows, 2)) != 0) {
			s = new_stream(f);
			*s = (struct stream){ .collection = c,
				.index = *x,
				.trigram = strcmp(x->tokenizer, "trigram") == 0,
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
	const struct stet_collection *c;
	struct index *list;
	size_t count;

	STET_TRY(index_list(f->call, NULL, "serving", &list, &count));
	for (size_t i = 0; i < count; i++) {
		if (!is_wanted(want->collections, list[i].collection))
			continue;
		STET_TRY(schema->collection(f->call, list[i].collection, &c));
		if (scope_shows(f->call, c) && (!want->supported || c->search))
			STET_TRY(add_streams(f, c, &list[i]));
	}
	return STET_OK;
}

/* ---- windows ---- */

static bool
same(struct position a, struct position b)
{
	return a.shard == b.shard && a.n == b.n;
}

/* Returns true if the window ends here: it has reached its cost limit, or, if all words have to
 * match, has enough matches of enough shards. */
static bool
is_enough(const struct find *f, size_t shards, size_t matches)
{
	return f->work > WORK_MAX || (!f->some && shards >= SHARDS_MIN && matches >= MATCHES_MIN);
}

/* Returns in *any whether the shard may have matches. FTS5 combines the lists of all words before
 * it finds that one of them is empty. So a word that the sample lacks is looked up alone, until a
 * shard has it. */
static enum stet_status
may_match(struct find *f, const struct stream *s, int64_t shard, bool *any)
{
	struct plan *p = &f->plan[s->trigram];

	*any = true;
	if (s->rare == NULL || p->seen[p->rare])
		return STET_OK;
	STET_TRY(shard_has(f->call, shard, s->rare, any));
	p->seen[p->rare] = *any;
	return STET_OK;
}

/* Returns in *low and *high the range of a shard's documents that is in the window. Returns false
 * if none is. */
static bool
is_in_window(const struct stream *s, int64_t shard, int64_t *low, int64_t *high)
{
	*low = s->bounded && shard == s->end.shard ? s->end.n : 1;
	*high = shard == s->start.shard ? s->start.n - 1 : INT64_MAX;
	return shard <= s->start.shard && (!s->bounded || shard >= s->end.shard);
}

/* Reads the matches of a stream, from its start in this window to its end, or until the quota is
 * reached. */
static enum stet_status
scan(struct find *f, size_t i, size_t quota)
{
	struct stream *s = &f->stream[i];
	size_t first = f->hits.count, shards = 0;

	for (size_t k = 0; k < s->count && f->hits.count - first < quota; k++) {
		int64_t id = s->shard[k].id, low, high;
		size_t before = f->hits.count;
		bool any;

		if (!is_in_window(s, id, &low, &high))
			continue;
		if (s->bounded && f->work > REREAD_WORK_MAX)
			return STET_OK;
		if (!s->bounded && quota < SIZE_MAX &&
		    is_enough(f, shards, f->hits.count - first)) {
			s->end = (struct position){ id, SHARD_DOCS + 1 };
			s->more = true;
			return STET_OK;
		}
		STET_TRY(may_match(f, s, id, &any));
		if (!any)
			continue;
		shards++;
		f->work += s->shard[k].docs * f->cost;
		STET_TRY(shard_scan(
		    f->call, id, &s->ask, low, high, quota - (before - first), &f->hits));
		for (size_t h = before; h < f->hits.count; h++)
			f->hits.hit[h].stream = i;
	}
	if (!s->bounded && f->hits.count - first >= quota) {
		s->end = hit_position(&f->hits.hit[f->hits.count - 1]);
		s->more = true;
	}
	return STET_OK;
}

/* Returns how many matches of a stream the window may have, after `listed` streams that continue. A
 * cursor stores a limited number of ends, so further streams are ranked completely in this window.
 */
static size_t
stream_quota(const struct find *f, const struct stream *s, size_t listed, size_t quota)
{
	if (s->bounded)
		return f->hits.count < REREAD_MAX ? REREAD_MAX - f->hits.count : 0;
	return listed < LISTED_MAX ? quota : SIZE_MAX;
}

static enum stet_status
scan_streams(struct find *f)
{
	size_t active = 0, listed = 0, quota;

	for (size_t i = 0; i < f->count; i++)
		active += f->stream[i].active;
	quota =
	    f->quota > 0 ? f->quota : (f->some ? WINDOW_SOME : WINDOW) / (active > 0 ? active : 1);
	quota = quota < WINDOW_MIN && f->quota == 0 ? WINDOW_MIN : quota;
	f->hits.count = 0;
	for (size_t i = 0; i < f->count; i++) {
		struct stream *s = &f->stream[i];

		if (!s->active || s->ask.match == NULL)
			continue;
		STET_TRY(scan(f, i, stream_quota(f, s, listed, quota)));
		listed += s->more;
	}
	return STET_OK;
}

/* Reads and ranks a window. If no item has the rarest words, commoner words find the items. */
static enum stet_status
scan_window(struct find *f)
{
	STET_TRY(scan_streams(f));
	while (f->some && f->hits.count == 0 && f->work <= WORK_MAX && plan_widen(f))
		STET_TRY(scan_streams(f));
	if (f->hits.count > 1)
		qsort(f->hits.hit, f->hits.count, sizeof(*f->hits.hit), hit_order);
	return f->some ? feedback_rank(f) : STET_OK;
}

/* Goes on to the next window. Returns false if there is none. If not all words have to match, there
 * is one window only, with all candidates. */
static bool
next_window(struct find *f)
{
	bool any = false;

	if (f->some)
		return false;
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
			if (same(hit_position(&f->hits.hit[i]), f->without))
				continue;
			f->page[f->taken++] = f->hits.hit[i];
			if (f->taken == limit)
				STET_TRY(cursor_text(f, false, cursor));
		}
		more = next_window(f);
	}
	if (f->taken > limit)
		f->taken = limit;
	else if (more)
		STET_TRY(cursor_text(f, true, cursor));
	else
		*cursor = NULL;
	return STET_OK;
}

static void
begin(struct find *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct stream *s = &f->stream[i];

		s->active = true;
		s->bounded = s->more = false;
		s->start = (struct position){ INT32_MAX, SHARD_DOCS + 1 };
	}
	f->work = 0;
	f->taken = 0;
	f->hits.best = f->shown ? best_new(f->call) : NULL;
}

static bool
is_found(const struct find *f, const char *cursor)
{
	return f->taken > 0 || cursor != NULL;
}

/* Searches items with all words of q, except if it is a question. */
static enum stet_status
run_all(struct find *f, const struct finding *want, const char *q, const char **cursor)
{
	f->some = f->later = false;
	STET_TRY(plan_make(f, q));
	begin(f);
	if (plan_is_question(f)) {
		f->plan[0].rare = f->plan[0].query.count;
		return STET_OK;
	}
	return collect(f, want->limit, cursor);
}

/* Searches items with some of the words. */
static enum stet_status
run_some(struct find *f, const struct finding *want, const char **cursor)
{
	if (f->titles || f->words < 2)
		return STET_OK;
	f->some = true;
	plan_ask(f);
	begin(f);
	return collect(f, want->limit, cursor);
}

/* Searches with the words that no item has replaced by words of the index. If nothing is found,
 * restores the plan of the original query. */
static enum stet_status
run_corrected(struct find *f, struct finding *want, const char **cursor)
{
	const char *q;

	STET_TRY(spell_correct(f, want->q, &q));
	if (q == NULL)
		return STET_OK;
	STET_TRY(run_all(f, want, q, cursor));
	if (!is_found(f, *cursor))
		STET_TRY(run_some(f, want, cursor));
	if (!is_found(f, *cursor))
		return plan_make(f, want->q);
	want->corrected = q;
	return STET_OK;
}

/* Searches from the start. If no item has all words, searches items with some of them. */
static enum stet_status
run_first(struct find *f, struct finding *want, const char **cursor)
{
	if (want->like != NULL) {
		f->some = true;
		STET_TRY(plan_make(f, want->q));
		begin(f);
		return collect(f, want->limit, cursor);
	}
	STET_TRY(run_all(f, want, want->q, cursor));
	if (!is_found(f, *cursor))
		STET_TRY(run_corrected(f, want, cursor));
	return is_found(f, *cursor) ? STET_OK : run_some(f, want, cursor);
}

static enum stet_status
run_next(struct find *f, struct finding *want, const char *listing, const char **cursor)
{
	json_t *read = NULL;

	STET_TRY(cursor_read(f, listing, want->cursor, &read, &want->corrected));
	STET_TRY(plan_make(f, want->corrected != NULL ? want->corrected : want->q));
	begin(f);
	STET_TRY(cursor_open(f, read));
	return collect(f, want->limit, cursor);
}

enum stet_status
find_run(struct stet_call *call, struct finding *want)
{
	struct find f = { .call = call,
		.status = want->status,
		.locale = want->locale,
		.titles = want->titles,
		.shown = !want->bare && !want->titles,
		.quota = want->titles ? WINDOW_MIN
			 : want->bare ? want->limit + 1 /* to know whether there are more */
				      : 0 };
	const char *cursor = NULL, *listing = cursor_listing(call, want);

	if (stet_writing(call))
		STET_TRY(pending_index(call));
	STET_TRY(open_streams(&f, want));
	if (want->like != NULL)
		STET_TRY(typical_ask(&f, want));
	f.page = stet_alloc(call, (want->limit + 1) * sizeof(*f.page));
	STET_TRY(want->cursor != NULL ? run_next(&f, want, listing, &cursor)
				      : run_first(&f, want, &cursor));
	for (size_t i = 0; f.some && i < f.taken; i++)
		want->partial = want->partial || !f.page[i].complete;
	if (cursor != NULL && want->like == NULL)
		want->next = cursor_close(call, listing, cursor, want->corrected);
	return shown_fill(&f, want);
}
