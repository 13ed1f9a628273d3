/* pgsite.c - see pgsite.h. */
#include "pgsite.h"
#include "engine.h"
#include "psql.h"
#include "template.h"
#include "watcher.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ITEMS_MAX 20000 /* of each writer */
#define BACK_MS 10000 /* until the daemon answers after the server's return; it takes 0.4 s */

struct pgsite pgsite = { .dir = "/tmp/stet-pgsite-XXXXXX" };
struct pgsite_writer pgsite_writers[PGSITE_WRITERS];
static atomic_bool over;

/* ---- the server ---- */

const char *
pgsite_uri(void)
{
	static char uri[256];

	(void)snprintf(uri, sizeof(uri), "postgresql:///postgres?host=%s/pg%s", pgsite.dir,
	    engine_server_user());
	return uri;
}

bool
pgsite_serve(void)
{
	assert_non_null(mkdtemp(pgsite.dir));
	pgsite.server = engine_server(pgsite.dir);
	if (pgsite.server != 0)
		return true;
	template_remove(pgsite.dir);
	printf("1..0 # SKIP no PostgreSQL: apt-get install postgresql\n");
	return false;
}

pid_t
pgsite_postmaster(void)
{
	pid_t pid = engine_postmaster(pgsite.dir);

	assert_true(pid > 0);
	return pid;
}

void
pgsite_signal(int number)
{
	pid_t pid = pgsite_postmaster();
	char path[128];
	int child;
	FILE *f;

	assert_int_equal(kill(pid, number), 0);
	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	assert_non_null(f = fopen(path, "re"));
	while (fscanf(f, "%d", &child) == 1)
		(void)kill(child, number);
	(void)fclose(f);
}

char *
pgsite_ask(const char *sql)
{
	return psql_ask(pgsite_uri(), sql);
}

void
pgsite_sql(const char *sql)
{
	free(pgsite_ask(sql));
}

/* ---- clients ---- */

long long
pgsite_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *
writes(void *arg)
{
	struct pgsite_writer *w = arg;

	while (!atomic_load(&over) && w->count < ITEMS_MAX) {
		struct answer a;
		char body[128];
		long long began;
		int took;

		(void)snprintf(
		    body, sizeof(body), "{\"data\":{\"title\":\"%d of %d\"}}", w->count, w->number);
		began = pgsite_ms();
		remote_ask(&w->remote, &a, "POST", body, "/content/posts");
		took = (int)(pgsite_ms() - began);
		w->slowest = took > w->slowest ? took : w->slowest;
		if (a.status == 201) {
			json_t *item = json_object_get(json_object_get(a.json, "data"), "item");

			(void)snprintf(w->id[w->count++], sizeof(w->id[0]), "%s",
			    json_string_value(json_object_get(item, "id")));
		} else if (a.status == 503) {
			w->refused++;
			(void)usleep(20000);
		} else {
			w->odd++;
		}
		answer_free(&a);
	}
	return NULL;
}

int
pgsite_until_it_answers(void)
{
	long long began = pgsite_ms();
	int status = 0;

	while (status != 200 && pgsite_ms() - began < BACK_MS) {
		struct answer a;

		remote_ask(&pgsite.admin, &a, "GET", NULL, "/content/posts?limit=1");
		status = a.status;
		answer_free(&a);
		if (status != 200) {
			assert_int_equal(status, 503);
			(void)usleep(20000);
		}
	}
	assert_int_equal(status, 200);
	return (int)(pgsite_ms() - began);
}

void
pgsite_writers_start(void)
{
	atomic_store(&over, false);
	for (int i = 0; i < PGSITE_WRITERS; i++) {
		struct pgsite_writer *w = &pgsite_writers[i];

		*w = (struct pgsite_writer){ .number = i };
		w->id = calloc(ITEMS_MAX, sizeof(w->id[0]));
		remote_open(&w->remote, pgsite.daemon, pgsite.token);
		assert_int_equal(pthread_create(&w->thread, NULL, writes, w), 0);
	}
}

int
pgsite_writers_end(void)
{
	int acknowledged = 0;

	atomic_store(&over, true);
	for (int i = 0; i < PGSITE_WRITERS; i++)
		assert_int_equal(pthread_join(pgsite_writers[i].thread, NULL), 0);
	for (int i = 0; i < PGSITE_WRITERS; i++) {
		struct pgsite_writer *w = &pgsite_writers[i];

		assert_int_equal(w->odd, 0);
		acknowledged += w->count;
		for (int k = 0; k < w->count; k++)
			json_decref(remote_must(
			    &pgsite.admin, 200, "GET", NULL, "/content/posts/%s", w->id[k]));
		remote_close(&w->remote);
		free(w->id);
	}
	return acknowledged;
}

/* ---- the daemon ---- */

void
pgsite_start(const char *conf, const char *site)
{
	char keys[1024], files[128];

	(void)snprintf(files, sizeof(files), "%s/files", pgsite.dir);
	assert_int_equal(mkdir(files, 0700), 0);
	(void)snprintf(keys, sizeof(keys), "database = \"%s\"\nfiles-directory = \"%s\"\n%s",
	    pgsite_uri(), files, site);
	pgsite.daemon = remote_new(conf, keys);
	pgsite.token = remote_token(pgsite.daemon, "admin", "admin");
	daemon_run(pgsite.daemon, 0);
	remote_open(&pgsite.admin, pgsite.daemon, pgsite.token);
	json_decref(remote_must(&pgsite.admin, 201, "POST",
	    "{\"slug\":\"posts\",\"label\":\"Posts\"}", "/schema/collections"));
	json_decref(remote_must(&pgsite.admin, 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}",
	    "/schema/collections/posts/fields"));
}

int
pgsite_watched(void **state)
{
	(void)state;
	pgsite_start(WATCHED, "database-timeout = 3s\n");
	return 0;
}

int
pgsite_stop(void **state)
{
	(void)state;
	remote_close(&pgsite.admin);
	daemon_stop(pgsite.daemon);
	free(pgsite.token);
	(void)kill(pgsite.server, SIGTERM);
	(void)waitpid(pgsite.server, NULL, 0);
	template_remove(pgsite.dir);
	return 0;
}
