/*
 * ranked.c - lists by relevance (the argument search). The search module returns the best matches;
 * the list shows those that pass its filters, in that order. So such a list has at most RANKED_MAX
 * items; `partial` is true if the search found more.
 */
#include "read/read.h"
#include <stdlib.h>
#include <stet/search.h>
#include <string.h>

#define RANKED_MAX 1000
#define CHUNK 64 /* ids of the first statement that tests the filters; a power of two */

static const char *
listing(const struct walk *w)
{
	return stet_printf(w->call, "%s/search", w->plan->slug);
}

/* Restricts the list to `count` of the ids, from `at` on. The statement always has `room` ids, some
 * of them repeated, so that only a few different statements are prepared. */
static void
look_at(struct walk *w, size_t at, size_t count, size_t room)
{
	w->among->count = room;
	for (size_t i = 0; i < room; i++)
		w->among->value[i] = stet_val_str(w->ranked[at + (i < count ? i : 0)]);
}

enum stet_status
ranked_read(struct walk *w)
{
	const struct stet_search_1 *service = stet_service(w->call, STET_SEARCH_1);
	struct filter *f = &w->filter;
	const char *query = stet_arg(w->call, "search");

	w->is_ranked = query != NULL;
	if (query == NULL)
		return STET_OK;
	if (service == NULL) {
		stet_issue(w->call, "search", "needs the module search, which is not enabled");
		return stet_issues(w->call);
	}
	STET_TRY(stet_issues(w->call));
	STET_TRY(stet_costly(w->call));
	STET_TRY(service->best(w->call, "search", w->plan->slug, query, f->status->value[0].u.s,
	    f->locale != NULL ? f->locale->value[0].u.s : NULL, RANKED_MAX, &w->ranked,
	    &w->ranked_count, &w->ranked_more));
	w->among = filter_new(w->call, f, "", "id", COND_IN, w->ranked_count + CHUNK);
	w->among->shown = true;
	look_at(w, 0, w->ranked_count, w->ranked_count);
	return STET_OK;
}

/* Finds where the previous page ended: after its last item, at its present rank, or at its old rank
 * if the item is no longer among the matches. */
static enum stet_status
resume(struct walk *w, const char *cursor, size_t *at)
{
	const json_t *key;
	const char *id;

	STET_TRY(stet_cursor_read(w->call, cursor, listing(w), &key, &id));
	if (!json_is_integer(key) || json_integer_value(key) < 0 ||
	    json_integer_value(key) > RANKED_MAX)
		return stet_fail(w->call, STET_INVALID_CURSOR, "cursor", "Invalid cursor");
	*at = (size_t)json_integer_value(key);
	for (size_t i = 0; id != NULL && i < w->ranked_count; i++)
		if (strcmp(w->ranked[i], id) == 0)
			*at = i + 1;
	return STET_OK;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Selects those of the list's current ids that pass the filters, sorted by id. */
static enum stet_status
find_passing(struct walk *w, const char **id, size_t *count)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;

	*count = 0;
	stet_sql_add(sql, "SELECT id");
	path_matches(sql, w);
	STET_TRY(stet_sql_query(sql, &rows));
	while (*count < w->among->count && stet_row(&rows))
		id[(*count)++] = stet_col_dup(&rows, 0);
	if (*count > 1)
		qsort(id, *count, sizeof(*id), by_name);
	return stet_rows_end(&rows);
}

/* Adds an item to the page, if there is room. */
static enum stet_status
put_item(struct walk *w, size_t at)
{
	json_t *key;

	w->more = w->count == w->limit;
	if (w->more)
		return STET_OK;
	STET_TRY(page_one(w, w->ranked[at]));
	if (w->count < w->limit)
		return STET_OK;
	key = json_integer((json_int_t)at + 1);
	w->next = stet_cursor_make(w->call, listing(w), key, w->ranked[at]);
	json_decref(key);
	return STET_OK;
}

/* Tests a few ids first, since they may fill the page, then more each time. */
enum stet_status
ranked_walk(struct walk *w, const char *cursor)
{
	const char **passing = stet_alloc(w->call, (w->ranked_count + CHUNK) * sizeof(*passing));
	size_t at = 0, count, passed;

	if (cursor != NULL)
		STET_TRY(resume(w, cursor, &at));
	for (size_t room = CHUNK; at < w->ranked_count && !w->more; room *= 2) {
		count = w->ranked_count - at < room ? w->ranked_count - at : room;
		while (room / 2 >= count && room > CHUNK)
			room /= 2;
		look_at(w, at, count, room);
		STET_TRY(find_passing(w, passing, &passed));
		for (size_t end = at + count; at < end && !w->more; at++)
			if (bsearch(&w->ranked[at], passing, passed, sizeof(*passing), by_name) !=
			    NULL)
				STET_TRY(put_item(w, at));
	}
	look_at(w, 0, w->ranked_count, w->ranked_count);
	return STET_OK;
}
