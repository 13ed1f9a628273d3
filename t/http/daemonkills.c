/*
 * daemonkills.c - three daemons of one site under load, while one after the other is killed and the
 * database is stopped and crashes. What was acknowledged is there afterwards, on each; no answer is
 * older than one that somebody has had; the feed and the audit log have no gap; and what is due is
 * done by whoever lives. DAEMON_KILLS_SECONDS is how long, DAEMON_KILLS_EACH the seconds between
 * two kills.
 */
#include "daemons.h"
#include "engine.h"
#include "fetch.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS 12
#define EACH 4
#define DAEMONS 3
#define WRITERS 4
#define READERS 4
#define ITEMS_MAX 400000 /* of each writer */
#define RESTARTS 3 /* of the database, in the whole run */
#define DOWN_MS 1500 /* between a kill and the next start */
/* A lease lasts 6 seconds, and whoever waits for one looks every 2. */
#define TAKEN_OVER_MS 10000

static struct daemons ds;
static atomic_bool over;
static atomic_int outages; /* how often the database went away */

/* ---- writers ---- */

static struct writer {
	int number, count;
	char (*id)[32]; /* of items whose creation was acknowledged */
	char counter[32]; /* an item whose title is a number that only grows */
	atomic_int newest; /* the largest number of it that anybody has seen */
	int next;
	int refused, silent, odd; /* answers of 503; none; anything else */
} writers[WRITERS];

/* Returns true if the answer is the one that is hoped for. */
static bool
tally(struct writer *w, int status, int good)
{
	if (status == good)
		return true;
	w->refused += status == 503;
	w->silent += status == 0;
	w->odd += status != 503 && status != 0;
	(void)usleep(20000);
	return false;
}

/* Another thread may have seen a larger one. */
static void
seen(struct writer *w, int value)
{
	int known = atomic_load(&w->newest);

	while (known < value && !atomic_compare_exchange_weak(&w->newest, &known, value))
		continue;
}

static void *
writes(void *arg)
{
	struct writer *w = arg;
	struct fetcher *f = fetch_new(ds.token);
	int daemon = w->number % DAEMONS;
	char body[128], path[64];

	(void)snprintf(path, sizeof(path), "/content/notes/%s", w->counter);
	while (!atomic_load(&over) && w->count < ITEMS_MAX) {
		json_t *json = NULL;
		int status;

		(void)snprintf(
		    body, sizeof(body), "{\"data\":{\"title\":\"%d of %d\"}}", w->count, w->number);
		status = fetch(f, ds.at[daemon], "POST", "/content/notes", body, &json);
		if (tally(w, status, 201))
			(void)snprintf(w->id[w->count++], sizeof(w->id[0]), "%s",
			    json_string_value(json_object_get(fetch_item(json), "id")));
		else
			daemon = (daemon + 1) % DAEMONS;
		json_decref(json);
		(void)snprintf(body, sizeof(body), "{\"data\":{\"title\":\"%d\"}}", ++w->next);
		status = fetch(f, ds.at[daemon], "PUT", path, body, NULL);
		if (tally(w, status, 200))
			seen(w, w->next);
	}
	fetch_free(f);
	return NULL;
}

/* ---- readers ---- */

static struct reader {
	unsigned seed;
	int count, older, odd;
} readers[READERS];

/* What is read now is at least as new as what anybody had seen before. */
static void *
reads(void *arg)
{
	struct reader *r = arg;
	struct fetcher *f = fetch_new(ds.token);

	while (!atomic_load(&over)) {
		struct writer *w = &writers[rand_r(&r->seed) % WRITERS];
		int daemon = rand_r(&r->seed) % DAEMONS, before = atomic_load(&w->newest), status;
		json_t *json;
		char path[64];

		(void)snprintf(path, sizeof(path), "/content/notes/%s", w->counter);
		status = fetch(f, ds.at[daemon], "GET", path, NULL, &json);
		if (status == 200) {
			const char *title = json_string_value(
			    json_object_get(json_object_get(fetch_item(json), "data"), "title"));
			int value = title != NULL ? (int)strtol(title, NULL, 10) : -1;

			r->count++;
			if (value < before) {
				printf(
				    "# daemon %d: %d after %d was seen\n", daemon, value, before);
				r->older++;
			}
			seen(w, value);
		} else {
			r->odd += status != 503 && status != 0;
			(void)usleep(10000);
		}
		json_decref(json);
	}
	fetch_free(f);
	return NULL;
}

/* ---- what is due ---- */

static struct {
	int count;
	long long slowest; /* milliseconds from the scheduled time on */
} scheduled;

/* Asks whoever answers. NULL: it is too late for what is asked, or the test is over. */
static json_t *
ask_any(struct fetcher *f, const char *method, const char *path, const char *body, int good)
{
	for (int i = 0; !atomic_load(&over); i++) {
		json_t *json;
		int status = fetch(f, ds.at[i % DAEMONS], method, path, body, &json);

		if (status == good)
			return json;
		json_decref(json);
		if (status == 400)
			return NULL;
		(void)usleep(20000);
	}
	return NULL;
}

static bool
is_published(struct fetcher *f, const char *path)
{
	json_t *json = ask_any(f, "GET", path, NULL, 200);
	const char *status = json_string_value(json_object_get(fetch_item(json), "status"));
	bool is = json == NULL || (status != NULL && strcmp(status, "published") == 0);

	json_decref(json);
	return is;
}

/* One item after the other is published at a time of a second later. */
static void *
schedules(void *arg)
{
	struct fetcher *f = fetch_new(ds.token);

	while (!atomic_load(&over)) {
		json_t *json =
		    ask_any(f, "POST", "/content/notes", "{\"data\":{\"title\":\"later\"}}", 201);
		const char *id = json_string_value(json_object_get(fetch_item(json), "id"));
		char path[96], body[96], at[32];
		time_t when = time(NULL) + 2;
		struct tm tm;
		long long begun;
		int away;

		if (id == NULL)
			break;
		(void)strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &tm));
		(void)snprintf(body, sizeof(body), "{\"scheduledAt\":\"%s\"}", at);
		(void)snprintf(path, sizeof(path), "/content/notes/%s/schedule", id);
		json_decref(json);
		/* Its time came before anybody could be told. */
		if ((json = ask_any(f, "POST", path, body, 200)) == NULL)
			continue;
		json_decref(json);
		while (time(NULL) < when)
			(void)usleep(50000);
		*strrchr(path, '/') = '\0';
		away = atomic_load(&outages);
		begun = daemons_ms();
		while (!is_published(f, path))
			(void)usleep(50000);
		/* While the database is away nobody can publish. */
		if (!atomic_load(&over) && atomic_load(&outages) == away) {
			scheduled.count++;
			if (daemons_ms() - begun > scheduled.slowest)
				scheduled.slowest = daemons_ms() - begun;
		}
	}
	fetch_free(f);
	return arg;
}

/* ---- blows ---- */

static void
stop_the_database(int signal)
{
	pid_t pid = engine_postmaster(ds.dir);

	assert_true(pid > 0);
	atomic_fetch_add(&outages, 1);
	assert_int_equal(kill(pid, signal), 0);
	assert_int_equal(waitpid(ds.server, NULL, 0), ds.server);
	ds.server = engine_server(ds.dir);
	assert_true(ds.server > 0);
	atomic_fetch_add(&outages, 1);
}

static long
number(const char *name, long usual)
{
	const char *said = getenv(name);

	return said != NULL ? strtol(said, NULL, 10) : usual;
}

static void
strike_for_a_while(void)
{
	const long seconds = number("DAEMON_KILLS_SECONDS", SECONDS);
	const long each = number("DAEMON_KILLS_EACH", EACH);
	const long long begun = daemons_ms(), end = begun + seconds * 1000;
	long long kill_at = begun + each * 1000 / 2;
	int kills = 0, restarts = 0;

	while (daemons_ms() < end) {
		(void)usleep(20000);
		if (daemons_ms() >= kill_at) {
			int i = kills++ % DAEMONS;

			daemons_kill(&ds, i);
			(void)usleep(DOWN_MS * 1000);
			daemons_run(&ds, i);
			kill_at += each * 1000;
		}
		if (restarts < RESTARTS &&
		    daemons_ms() >= begun + (2 * restarts + 1) * seconds * 1000 / (2 * RESTARTS)) {
			stop_the_database(restarts++ % 2 == 0 ? SIGINT : SIGQUIT);
			(void)usleep(500000);
		}
	}
	printf("# %ld seconds: %d daemons were killed, the database stopped %d times\n", seconds,
	    kills, restarts);
}

/* ---- the test ---- */

static void
check_writer(const struct writer *w)
{
	for (int k = 0; k < w->count; k++)
		json_decref(remote_must(
		    &ds.admin[k % DAEMONS], 200, "GET", NULL, "/content/notes/%s", w->id[k]));
}

static void
nothing_is_lost_and_nothing_is_older(void **state)
{
	pthread_t writing[WRITERS], reading[READERS], later;
	int acknowledged = 0, refused = 0, silent = 0, asked = 0;
	char *said;

	(void)state;
	for (int i = 0; i < WRITERS; i++) {
		struct writer *w = &writers[i];
		json_t *made = remote_must(
		    &ds.admin[0], 201, "POST", "{\"data\":{\"title\":\"0\"}}", "/content/notes");

		w->number = i;
		w->id = calloc(ITEMS_MAX, sizeof(w->id[0]));
		assert_non_null(w->id);
		(void)snprintf(w->counter, sizeof(w->counter), "%s",
		    json_string_value(json_object_get(json_object_get(made, "item"), "id")));
		json_decref(made);
		assert_int_equal(pthread_create(&writing[i], NULL, writes, w), 0);
	}
	for (int i = 0; i < READERS; i++) {
		readers[i].seed = (unsigned)i + 1;
		assert_int_equal(pthread_create(&reading[i], NULL, reads, &readers[i]), 0);
	}
	assert_int_equal(pthread_create(&later, NULL, schedules, NULL), 0);
	strike_for_a_while();
	atomic_store(&over, true);
	for (int i = 0; i < WRITERS; i++)
		assert_int_equal(pthread_join(writing[i], NULL), 0);
	for (int i = 0; i < READERS; i++)
		assert_int_equal(pthread_join(reading[i], NULL), 0);
	assert_int_equal(pthread_join(later, NULL), 0);
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(writers[i].odd, 0);
		acknowledged += writers[i].count;
		refused += writers[i].refused;
		silent += writers[i].silent;
	}
	for (int i = 0; i < READERS; i++) {
		assert_int_equal(readers[i].odd, 0);
		assert_int_equal(readers[i].older, 0);
		asked += readers[i].count;
	}
	printf("# %d items acknowledged, %d reads; writers were refused %d times with 503, and not"
	       " answered %d times; %d schedules, the latest %lld ms late\n",
	    acknowledged, asked, refused, silent, scheduled.count, scheduled.slowest);
	assert_true(acknowledged > 0);
	assert_true(asked > 0);
	assert_true(scheduled.slowest <= TAKEN_OVER_MS);
	for (int i = 0; i < WRITERS; i++) {
		check_writer(&writers[i]);
		free(writers[i].id);
	}
	said = daemons_sql(&ds, "SELECT count(*) = max(number) - min(number) + 1 FROM change_feed");
	assert_string_equal(said, "t");
	free(said);
	said = COMMAND(ds.at[0], "audit", "verify");
	assert_non_null(strstr(said, "problems  -"));
	free(said);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost_and_nothing_is_older),
	};
	int status;

	if (!daemons_start(&ds, DAEMONS, NULL, NULL, &status))
		return status;
	daemons_collection(&ds, "notes");
	status = cmocka_run_group_tests(tests, NULL, NULL);
	daemons_stop(&ds);
	return status;
}
