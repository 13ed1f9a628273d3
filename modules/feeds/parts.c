/*
 * parts.c - where the parts of a large sitemap begin.
 *
 * A part is a range of (created_at, id), so it is read from an index without an OFFSET. Ranges are
 * found by one walk over the published items, which takes about a second for a million, and are
 * cached for an hour, or until there are 5,000 more items. A new part has room for these, so that
 * no item is left out of a part that has grown meanwhile.
 */
#include "feeds.h"
#include <stdlib.h>
#include <string.h>

#define GROWTH 5000
#define PART (URLS_MAX - GROWTH)
#define STEP 2000 /* rows read by one statement */
#define LASTS (INT64_C(3600) * 1000) /* lifetime of the cached parts, in milliseconds */

struct kept {
	struct kept *next;
	char *collection;
	int64_t total, made;
	struct parts parts; /* on the heap */
};

static void
free_kept(struct kept *k)
{
	free(k->collection);
	free(k->parts.from);
	free(k->parts.modified);
	free(k);
}

enum stet_status
feeds_open(struct stet_call *call, void *arg)
{
	struct feeds_state *state = arg;

	(void)call;
	pthread_mutex_init(&state->lock, NULL);
	return STET_OK;
}

void
feeds_close(void *arg)
{
	struct feeds_state *state = arg;

	while (state->kept != NULL) {
		struct kept *k = state->kept;

		state->kept = k->next;
		free_kept(k);
	}
	pthread_mutex_destroy(&state->lock);
}

/* ---- the walk ---- */

struct walk {
	struct stet_call *call;
	const struct stet_collection *collection;
	struct place at;
	int64_t seen;
	struct parts parts; /* in the call's memory */
	size_t room;
};

static void
begin_part(struct walk *w)
{
	struct parts *p = &w->parts;

	if (p->count == w->room) {
		size_t room = w->room == 0 ? 16 : 2 * w->room;
		struct place *from = stet_alloc(w->call, room * sizeof(*from));
		char(*modified)[32] = stet_alloc(w->call, room * sizeof(*modified));

		if (p->count > 0) {
			memcpy(from, p->from, p->count * sizeof(*from));
			memcpy(modified, p->modified, p->count * sizeof(*modified));
		}
		p->from = from;
		p->modified = modified;
		w->room = room;
	}
	p->from[p->count] = w->at;
	memset(p->modified[p->count], 0, sizeof(p->modified[0]));
	p->count++;
}

static void
copy(char to[32], const char *text)
{
	size_t len = strnlen(text, 31);

	memcpy(to, text, len);
	to[len] = '\0';
}

/* Reads the next rows after `at`. Returns their number in *count. */
static enum stet_status
step(struct walk *w, int64_t *count)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT created_at, id, updated_at FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, w->collection->slug);
	stet_sql_add(
	    sql, " WHERE status = 'published' AND deleted_at IS NULL AND (created_at, id) > (");
	stet_sql_bind(sql, stet_val_str(w->at.created));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(w->at.id));
	stet_sql_add(sql, ") ORDER BY created_at, id LIMIT ");
	stet_sql_bind(sql, stet_val_int(STEP));
	STET_TRY(stet_sql_query(sql, &rows));
	for (*count = 0; stet_row(&rows); ++*count) {
		char *newest;

		if (w->seen++ % PART == 0)
			begin_part(w);
		newest = w->parts.modified[w->parts.count - 1];
		if (strcmp(stet_col_str(&rows, 2), newest) > 0)
			copy(newest, stet_col_str(&rows, 2));
		copy(w->at.created, stet_col_str(&rows, 0));
		copy(w->at.id, stet_col_str(&rows, 1));
	}
	return stet_rows_end(&rows);
}

static enum stet_status
walk(struct stet_call *call, const struct stet_collection *collection, struct parts *out)
{
	struct walk w = { .call = call, .collection = collection };
	int64_t count;

	do
		STET_TRY(step(&w, &count));
	while (count == STEP);
	*out = w.parts;
	return STET_OK;
}

/* ---- the cache ---- */

static void *
duplicate(const void *from, size_t size)
{
	void *to = malloc(size > 0 ? size : 1);

	if (to != NULL && size > 0)
		memcpy(to, from, size);
	return to;
}

static bool
lasts(const struct kept *k, int64_t total, int64_t now)
{
	int64_t grown = total - k->total;

	return grown < GROWTH && grown > -PART && now >= k->made && now - k->made < LASTS;
}

static struct kept **
find(struct feeds_state *state, const char *collection)
{
	struct kept **link = &state->kept;

	while (*link != NULL && strcmp((*link)->collection, collection) != 0)
		link = &(*link)->next;
	return link;
}

static bool
recall(struct stet_call *call, const char *collection, int64_t total, struct parts *out)
{
	struct feeds_state *state = stet_state(call);
	const struct kept *k;
	bool good;

	pthread_mutex_lock(&state->lock);
	k = *find(state, collection);
	good = k != NULL && lasts(k, total, stet_now(call));
	if (good) {
		*out = (struct parts){ k->parts.count,
			stet_alloc(call, (k->parts.count + 1) * sizeof(*out->from)),
			stet_alloc(call, (k->parts.count + 1) * sizeof(*out->modified)) };
		memcpy(out->from, k->parts.from, k->parts.count * sizeof(*out->from));
		memcpy(out->modified, k->parts.modified, k->parts.count * sizeof(*out->modified));
	}
	pthread_mutex_unlock(&state->lock);
	return good;
}

/* Caches the parts, unless memory is short. */
static void
keep(struct stet_call *call, const char *collection, int64_t total, const struct parts *p)
{
	struct feeds_state *state = stet_state(call);
	struct kept *k = calloc(1, sizeof(*k)), **link, *old;

	if (k == NULL)
		return;
	k->collection = duplicate(collection, strlen(collection) + 1);
	k->total = total;
	k->made = stet_now(call);
	k->parts = (struct parts){ p->count, duplicate(p->from, p->count * sizeof(*p->from)),
		duplicate(p->modified, p->count * sizeof(*p->modified)) };
	if (k->collection == NULL || k->parts.from == NULL || k->parts.modified == NULL) {
		free_kept(k);
		return;
	}
	pthread_mutex_lock(&state->lock);
	link = find(state, collection);
	old = *link;
	k->next = old != NULL ? old->next : NULL;
	*link = k;
	pthread_mutex_unlock(&state->lock);
	if (old != NULL)
		free_kept(old);
}

enum stet_status
parts_get(struct stet_call *call, const struct stet_collection *collection, int64_t total,
    struct parts *out)
{
	if (recall(call, collection->slug, total, out))
		return STET_OK;
	STET_TRY(walk(call, collection, out));
	keep(call, collection->slug, total, out);
	return STET_OK;
}
