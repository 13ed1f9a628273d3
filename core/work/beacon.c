/*
 * beacon.c - beacons (<stet/beacon.h>): a list in memory for each site.
 *
 * If several daemons serve a site, each has a row of site_beacon with its own beacons, which the
 * site's thread writes past the state of the database (watch.h), so that no cache is emptied and
 * nobody waits for the writer. The row has two numbers: n is raised when the texts change, and beat
 * when they are only told again. A row says how long each beacon still lives, so clocks need not
 * agree. If nobody here has a beacon or waits for one, nothing is read.
 *
 * One that is removed may be told by the daemon that has set it, so it stays for a moment without
 * its text: the row has it with no life left, which that daemon follows, and its row is not
 * believed meanwhile.
 */
#include "work/beacon.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "db/driver.h"
#include "db/rows.h"
#include "work/watch.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/beacon.h>
#include <string.h>

#define EVERY_MS 1000
#define GONE_MS 5000 /* how long a removed one stays */
#define AGAIN_MS 10000 /* after which own beacons are written again */
#define DEAD_MS "60000" /* after which the row of a daemon is not read any more */
#define NODES_MAX 64
#define ID_SIZE 17 /* of watch_id, with its NUL */

struct beacon {
	struct beacon *next;
	char *key, *text; /* text NULL: it was removed here */
	char node[ID_SIZE]; /* the daemon that has set it; "": this one */
	int64_t until; /* clock_monotonic */
};

/* What was read of another daemon. */
struct node {
	char id[ID_SIZE];
	int64_t n, beat;
};

struct beacons {
	pthread_mutex_t lock; /* guards first, count, n and is_written */
	struct beacon *first;
	size_t count;
	int64_t n;
	bool is_written; /* the row has the texts of this daemon */
	/* The rest is the thread's of the site. */
	struct node node[NODES_MAX];
	size_t nodes;
	int64_t said, beat, written; /* the n that is written next; written: clock_monotonic */
};

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static struct beacons *
of_site(struct site *site)
{
	struct beacons *b;

	pthread_mutex_lock(&making);
	if (site->beacons == NULL) {
		b = xcalloc(1, sizeof(*b));
		pthread_mutex_init(&b->lock, NULL);
		b->is_written = true;
		site->beacons = b;
	}
	b = site->beacons;
	pthread_mutex_unlock(&making);
	return b;
}

/* ---- the list; all with the lock ---- */

static void
drop(struct beacons *b, struct beacon **at)
{
	struct beacon *old = *at;

	*at = old->next;
	free(old->key);
	free(old->text);
	free(old);
	b->count--;
}

/* Removes beacons that are over, and those of a daemon (NULL: none). */
static void
sweep(struct beacons *b, const char *node)
{
	int64_t now = clock_monotonic();

	for (struct beacon **at = &b->first; *at != NULL;) {
		bool over = (*at)->until <= now;

		if (over || (node != NULL && strcmp((*at)->node, node) == 0))
			drop(b, at);
		else
			at = &(*at)->next;
	}
}

/* Returns the place of the key in the order, which may be another's. */
static struct beacon **
place_of(struct beacons *b, const char *key)
{
	struct beacon **at = &b->first;

	while (*at != NULL && strcmp((*at)->key, key) < 0)
		at = &(*at)->next;
	return at;
}

static bool
is_at(struct beacon *const *at, const char *key)
{
	return *at != NULL && strcmp((*at)->key, key) == 0;
}

/* Removes one. */
static void
bury(struct beacon *at)
{
	free(at->text);
	at->text = NULL;
	*at->node = '\0';
	at->until = clock_monotonic() + GONE_MS;
}

/* Sets one. Returns true if its text is new. */
static bool
set(struct beacons *b, const char *node, const char *key, const char *text, int64_t life)
{
	struct beacon **at = place_of(b, key), *new;
	bool same = is_at(at, key);

	if (same && strcmp((*at)->node, node) == 0 && (*at)->text != NULL &&
	    strcmp((*at)->text, text) == 0) {
		(*at)->until = clock_monotonic() + life;
		return false;
	}
	if (same)
		drop(b, at);
	new = xcalloc(1, sizeof(*new));
	new->key = xstrdup(key);
	new->text = xstrdup(text);
	(void)snprintf(new->node, sizeof(new->node), "%s", node);
	new->until = clock_monotonic() + life;
	new->next = *at;
	*at = new;
	b->count++;
	return true;
}

/* ---- for modules ---- */

static void
changed(struct beacons *b)
{
	b->n++;
	b->is_written = false;
}

enum stet_status
stet_beacon_set(struct stet_call *call, const char *key, const char *text, int64_t life_ms)
{
	struct beacons *b = of_site(call->site);
	struct beacon **at;
	bool full = false, news = false;

	stet_assert(strlen(key) <= STET_BEACON_KEY_MAX && life_ms <= STET_BEACON_LIFE_MAX);
	if (strlen(text) > STET_BEACON_TEXT_MAX)
		return stet_fail(call, STET_VALIDATION_ERROR, NULL, "This is too long to be told");
	pthread_mutex_lock(&b->lock);
	sweep(b, NULL);
	at = place_of(b, key);
	if (life_ms > 0) {
		full = b->count >= STET_BEACONS_MAX && !is_at(at, key);
		news = !full && set(b, "", key, text, life_ms);
	} else if (is_at(at, key) && (*at)->text != NULL) {
		bury(*at);
		news = true;
	}
	if (news)
		changed(b);
	pthread_mutex_unlock(&b->lock);
	if (news)
		watch_told(call->site);
	return full ? stet_fail(call, STET_UNAVAILABLE, NULL, "The site has too many of these")
		    : STET_OK;
}

size_t
stet_beacons(struct stet_call *call, const char *prefix, const struct stet_beacon *const **out)
{
	struct beacons *b = of_site(call->site);
	const struct stet_beacon **all;
	struct beacon *at;
	size_t count = 0, len = strlen(prefix);

	pthread_mutex_lock(&b->lock);
	sweep(b, NULL);
	all = stet_alloc(call, (b->count + 1) * sizeof(struct stet_beacon *));
	for (at = *place_of(b, prefix); at != NULL && strncmp(at->key, prefix, len) == 0;
	     at = at->next) {
		struct stet_beacon *one;

		if (at->text == NULL)
			continue;
		one = stet_alloc(call, sizeof(*one));
		one->key = stet_strdup(call, at->key);
		one->text = stet_strdup(call, at->text);
		all[count++] = one;
	}
	pthread_mutex_unlock(&b->lock);
	*out = all;
	return count;
}

void
beacon_free(struct site *site)
{
	if (site->beacons == NULL)
		return;
	while (site->beacons->first != NULL)
		drop(site->beacons, &site->beacons->first);
	pthread_mutex_destroy(&site->beacons->lock);
	free(site->beacons);
	site->beacons = NULL;
}

/* ---- other daemons ---- */

/* Returns own beacons as JSON: [[key, text, milliseconds], ...], and those that were removed here,
 * with 0; NULL: there is no need to write them. *any: there is one that was not removed. */
static char *
own_text(struct beacons *b, bool *any)
{
	int64_t now = clock_monotonic();
	json_t *all = json_array();
	char *text = NULL;

	pthread_mutex_lock(&b->lock);
	sweep(b, NULL);
	*any = false;
	for (const struct beacon *at = b->first; at != NULL; at = at->next) {
		bool gone = at->text == NULL;

		if (*at->node != '\0')
			continue;
		*any |= !gone;
		(void)json_array_append_new(
		    all, json_pack("[s, s, I]", at->key, gone ? "" : at->text,
			     (json_int_t)(gone ? 0 : at->until - now)));
	}
	if (!b->is_written || (*any && b->written + AGAIN_MS <= now)) {
		text = json_dumps(all, JSON_COMPACT);
		b->is_written = true;
		b->written = now;
		b->said = b->n;
		b->beat++;
	}
	pthread_mutex_unlock(&b->lock);
	json_decref(all);
	return text;
}

static enum stet_status
write_own(struct stet_call *call, struct beacons *b, const char *text)
{
	const char *clock = db_driver_of(call->site->db_place)->clock;

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    stet_printf(call,
		"INSERT INTO site_beacon (id, n, beat, body, seen) VALUES (?1, ?2, ?3, ?4, %s)"
		" ON CONFLICT (id) DO UPDATE SET n = excluded.n, beat = excluded.beat,"
		" body = excluded.body, seen = excluded.seen",
		clock),
	    STET_ARGS(watch_id(), b->said, b->beat, text)));
	return stet_exec(call, stet_write_tx(call),
	    stet_printf(call, "DELETE FROM site_beacon WHERE ABS(seen - %s) > " DEAD_MS, clock),
	    STET_NO_ARGS);
}

static struct node *
node_of(struct beacons *b, const char *id)
{
	for (size_t i = 0; i < b->nodes; i++)
		if (strcmp(b->node[i].id, id) == 0)
			return &b->node[i];
	if (b->nodes == NODES_MAX)
		b->nodes = 0; /* most of them are gone */
	(void)snprintf(b->node[b->nodes].id, ID_SIZE, "%s", id);
	b->node[b->nodes].n = b->node[b->nodes].beat = -1;
	return &b->node[b->nodes++];
}

/* Takes one beacon of another daemon; life 0: it was removed there. */
static void
take_one(struct beacons *b, const char *node, const char *key, const char *text, int64_t life)
{
	struct beacon **at = place_of(b, key);
	bool gone_here = is_at(at, key) && (*at)->text == NULL;

	if (gone_here || life > STET_BEACON_LIFE_MAX)
		return;
	if (life > 0)
		(void)set(b, node, key, text, life);
	else if (is_at(at, key)) {
		if (*(*at)->node == '\0')
			changed(b);
		drop(b, at);
	}
}

/* Takes the beacons of another daemon in place of those that it had. */
static void
take(struct beacons *b, const char *node, const json_t *all)
{
	const char *key, *text;
	json_int_t life;

	pthread_mutex_lock(&b->lock);
	sweep(b, node);
	for (size_t i = 0; i < json_array_size(all) && b->count < 2 * STET_BEACONS_MAX; i++)
		if (json_unpack(json_array_get(all, i), "[s, s, I]", &key, &text, &life) == 0)
			take_one(b, node, key, text, life);
	pthread_mutex_unlock(&b->lock);
}

/* Reads the rows of others. *news: a text has changed. */
static enum stet_status
read_others(struct stet_call *call, struct beacons *b, bool *news)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    stet_printf(call,
		"SELECT id, n, beat, body FROM site_beacon"
		" WHERE id <> ?1 AND ABS(seen - %s) <= " DEAD_MS,
		db_driver_of(call->site->db_place)->clock),
	    STET_ARGS(watch_id())));
	while (stet_row(&rows)) {
		struct node *node = node_of(b, stet_col_str(&rows, 0));
		int64_t n = stet_col_int(&rows, 1), beat = stet_col_int(&rows, 2);
		size_t len;
		const char *body = stet_col_text(&rows, 3, &len);

		if (node->n == n && node->beat == beat)
			continue;
		*news |= node->n != n;
		node->n = n;
		node->beat = beat;
		take(b, node->id, stet_json_stored(call, body, len));
	}
	return stet_rows_end(&rows);
}

static enum stet_status
exchange(struct stet_call *call, struct beacons *b, const char *own, bool read, bool *news)
{
	if (own != NULL)
		STET_TRY(write_own(call, b, own));
	return read ? read_others(call, b, news) : STET_OK;
}

static void
beat(struct site *site)
{
	struct beacons *b = of_site(site);
	bool any, news = false, read = atomic_load(&site->waiting) > 0;
	char *own = own_text(b, &any);
	enum stet_status status = STET_UNAVAILABLE;
	struct stet_call *call = NULL;

	if (own != NULL || any || read)
		call = watch_begin(site);
	if (call != NULL) {
		status = exchange(call, b, own, any || read, &news);
		watch_end(call);
	}
	if (own != NULL && status != STET_OK) {
		pthread_mutex_lock(&b->lock);
		b->is_written = false;
		pthread_mutex_unlock(&b->lock);
	}
	free(own);
	if (news)
		watch_told(site);
}

static struct watch_beat beacons = { .every_ms = EVERY_MS, .beat = beat };

WATCH_BEAT_ADD(beacons)
