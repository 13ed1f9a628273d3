/*
 * wakes.c - asks other daemons of a site to do something, and passes on what they ask for.
 *
 * What is asked for is counted by rows of a table of their own (site_wake), since a transaction of
 * the site must never wait for one that has locked rows of site_lease in another order. The site's
 * thread reads the numbers when something was committed, and from time to time.
 */
#include "work/wakes.h"
#include "base/arena.h"
#include "base/clock.h"
#include "work/watch.h"
#include <stdlib.h>
#include <string.h>

#define BEAT_MS 250 /* until the site's thread hears of something new */
#define EVERY_MS 2000 /* between looks, if nobody was heard of */
#define LOOK_MS 100 /* at least, between looks because somebody has written */

/* How often something was woken, as far as the listeners know. */
struct wake {
	struct wake *next;
	int64_t n;
	char *what;
};

/* Something that is to be woken. */
struct asked {
	struct asked *next;
	char *what;
};

struct wakes {
	pthread_mutex_t lock; /* guards `asked` */
	struct asked *asked;
	/* Of the site's thread. */
	struct wake *first;
	bool looked; /* `first` is what the database had at some time */
	bool news; /* somebody has written since */
	int64_t looked_at; /* clock_monotonic */
};

static struct wakes_listener *listeners;

void
wakes_listen(struct wakes_listener *l)
{
	l->next = listeners;
	listeners = l;
}

/* ---- asking ---- */

enum stet_status
wakes_ask(struct stet_call *call, struct stet_tx *tx, const char *what)
{
	return stet_exec(call, tx,
	    "INSERT INTO site_wake (name, n) VALUES (?1, 1)"
	    " ON CONFLICT (name) DO UPDATE SET n = site_wake.n + 1",
	    STET_ARGS(what));
}

static void
asked_free(struct asked *a)
{
	if (a != NULL)
		free(a->what);
	free(a);
}

/* Adds it to what is to be told; frees it if that is there already. */
static void
ask_later(struct wakes *s, struct asked *a)
{
	struct asked **at = &s->asked;

	a->next = NULL;
	pthread_mutex_lock(&s->lock);
	while (*at != NULL && strcmp((*at)->what, a->what) != 0)
		at = &(*at)->next;
	if (*at == NULL) {
		*at = a;
		a = NULL;
	}
	pthread_mutex_unlock(&s->lock);
	asked_free(a);
}

void
wakes_ask_soon(struct site *site, const char *what)
{
	struct wakes *s = site->wakes;
	struct asked *a;

	if (s == NULL)
		return;
	a = xcalloc(1, sizeof(*a));
	a->what = xstrdup(what);
	ask_later(s, a);
}

static struct asked *
take_asked(struct wakes *s)
{
	struct asked *a;

	pthread_mutex_lock(&s->lock);
	a = s->asked;
	if (a != NULL)
		s->asked = a->next;
	pthread_mutex_unlock(&s->lock);
	return a;
}

/* Wakes what calls have asked for that do not write. */
static enum stet_status
wake_asked(struct stet_call *call)
{
	struct wakes *s = call->site->wakes;
	enum stet_status status = STET_OK;
	struct asked *a;

	while (status == STET_OK && (a = take_asked(s)) != NULL) {
		status = wakes_ask(call, stet_write_tx(call), a->what);
		if (status == STET_OK)
			asked_free(a);
		else
			ask_later(s, a);
	}
	return status;
}

/* ---- the site's thread ---- */

static void
tell_woken(struct site *site, const char *what)
{
	for (const struct wakes_listener *l = listeners; l != NULL; l = l->next)
		l->woken(site, what);
}

/* Tells of what was woken since the last look. */
static void
note_wake(struct site *site, const char *what, int64_t n)
{
	struct wakes *s = site->wakes;
	struct wake *w = s->first;

	while (w != NULL && strcmp(w->what, what) != 0)
		w = w->next;
	if (w == NULL) {
		w = xcalloc(1, sizeof(*w));
		*w = (struct wake){ .next = s->first, .what = xstrdup(what) };
		s->first = w;
	}
	if (w->n != n && s->looked)
		tell_woken(site, what);
	w->n = n;
}

static enum stet_status
look_for_wakes(struct stet_call *call)
{
	struct wakes *s = call->site->wakes;
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, "SELECT name, n FROM site_wake", STET_NO_ARGS));
	while (stet_row(&rows))
		note_wake(call->site, stet_col_str(&rows, 0), stet_col_int(&rows, 1));
	STET_TRY(stet_rows_end(&rows));
	s->looked = true;
	s->news = false;
	s->looked_at = clock_monotonic();
	return STET_OK;
}

static bool
is_asked(struct wakes *s)
{
	bool any;

	pthread_mutex_lock(&s->lock);
	any = s->asked != NULL;
	pthread_mutex_unlock(&s->lock);
	return any;
}

static void
look(struct site *site)
{
	struct stet_call *call = watch_begin(site);

	if (call == NULL)
		return;
	if (wake_asked(call) != STET_OK || look_for_wakes(call) != STET_OK)
		stet_log(call, STET_DEBUG, "what is to be done is looked for later");
	watch_end(call);
}

static void
heard(struct site *site, const struct stamp *state)
{
	struct wakes *s = site->wakes;

	(void)state;
	if (s == NULL)
		return;
	s->news = true;
	if (clock_monotonic() - s->looked_at >= LOOK_MS)
		look(site);
}

static void
beat(struct site *site)
{
	struct wakes *s = site->wakes;

	if (s != NULL && (s->news || is_asked(s) || clock_monotonic() - s->looked_at >= EVERY_MS))
		look(site);
}

static void
end(struct site *site)
{
	struct stet_call *call = site->wakes != NULL ? watch_begin(site) : NULL;

	if (call == NULL)
		return;
	(void)wake_asked(call);
	watch_end(call);
}

static struct watch_beat wakes_beat = {
	.every_ms = BEAT_MS, .beat = beat, .heard = heard, .end = end
};
WATCH_BEAT_ADD(wakes_beat)

/* ---- a site ---- */

void
wakes_open(struct site *site)
{
	if (!site->daemon || !site->shared)
		return;
	site->wakes = xcalloc(1, sizeof(*site->wakes));
	pthread_mutex_init(&site->wakes->lock, NULL);
}

void
wakes_close(struct site *site)
{
	struct wakes *s = site->wakes;
	struct asked *a;

	if (s == NULL)
		return;
	for (struct wake *w = s->first, *after; w != NULL; w = after) {
		after = w->next;
		free(w->what);
		free(w);
	}
	while ((a = take_asked(s)) != NULL)
		asked_free(a);
	pthread_mutex_destroy(&s->lock);
	free(s);
	site->wakes = NULL;
}
