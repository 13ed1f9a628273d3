/* pgdaemon.c - a daemon whose site is in a PostgreSQL server of the test's own. */
#include "pgdaemon.h"
#include "engine.h"
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
#define ANSWER_MAX 4095 /* bytes that psql prints */
#define BACK_MS 10000 /* until the daemon answers after the server's return; it takes 0.4 s */

struct pgdaemon pgdaemon = { .dir = "/tmp/stet-pgdaemon-XXXXXX" };
struct pgdaemon_writer pgdaemon_writers[PGDAEMON_WRITERS];
static atomic_bool over;

/* ---- the server ---- */

bool
pgdaemon_server(void)
{
	assert_non_null(mkdtemp(pgdaemon.dir));
	pgdaemon.server = engine_server(pgdaemon.dir);
	if (pgdaemon.server != 0)
		return true;
	template_remove(pgdaemon.dir);
	printf("1..0 # SKIP no PostgreSQL: apt-get install postgresql\n");
	return false;
}

pid_t
pgdaemon_postmaster(void)
{
	pid_t pid = engine_postmaster(pgdaemon.dir);

	assert_true(pid > 0);
	return pid;
}

char *
pgdaemon_ask(const char *sql)
{
	char uri[256], *out = calloc(1, ANSWER_MAX + 1);
	int ends[2], status = -1;
	size_t len = 0;
	ssize_t n;
	pid_t child;

	assert_non_null(out);
	(void)snprintf(uri, sizeof(uri), "postgresql:///postgres?host=%s/pg%s", pgdaemon.dir,
	    engine_server_user());
	assert_int_equal(pipe(ends), 0);
	if ((child = fork()) == 0) {
		(void)dup2(ends[1], STDOUT_FILENO);
		execlp("psql", "psql", "-X", "-q", "-A", "-t", "-d", uri, "-c", sql, (char *)NULL);
		_exit(127);
	}
	(void)close(ends[1]);
	while (len < ANSWER_MAX && (n = read(ends[0], out + len, ANSWER_MAX - len)) > 0)
		len += (size_t)n;
	(void)close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	return out;
}

void
pgdaemon_sql(const char *sql)
{
	free(pgdaemon_ask(sql));
}

/* ---- clients ---- */

static long long
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *
writes(void *arg)
{
	struct pgdaemon_writer *w = arg;

	while (!atomic_load(&over) && w->count < ITEMS_MAX) {
		struct answer a;
		char body[128];
		long long began;
		int took;

		(void)snprintf(
		    body, sizeof(body), "{\"data\":{\"title\":\"%d of %d\"}}", w->count, w->number);
		began = now_ms();
		remote_ask(&w->remote, &a, "POST", body, "/content/posts");
		took = (int)(now_ms() - began);
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
pgdaemon_until_it_answers(void)
{
	long long began = now_ms();
	int status = 0;

	while (status != 200 && now_ms() - began < BACK_MS) {
		struct answer a;

		remote_ask(&pgdaemon.admin, &a, "GET", NULL, "/content/posts?limit=1");
		status = a.status;
		answer_free(&a);
		if (status != 200) {
			assert_int_equal(status, 503);
			(void)usleep(20000);
		}
	}
	assert_int_equal(status, 200);
	return (int)(now_ms() - began);
}

void
pgdaemon_writers_start(void)
{
	atomic_store(&over, false);
	for (int i = 0; i < PGDAEMON_WRITERS; i++) {
		struct pgdaemon_writer *w = &pgdaemon_writers[i];

		*w = (struct pgdaemon_writer){ .number = i };
		w->id = calloc(ITEMS_MAX, sizeof(w->id[0]));
		remote_open(&w->remote, pgdaemon.d, pgdaemon.token);
		assert_int_equal(pthread_create(&w->thread, NULL, writes, w), 0);
	}
}

int
pgdaemon_writers_end(void)
{
	int acknowledged = 0;

	atomic_store(&over, true);
	for (int i = 0; i < PGDAEMON_WRITERS; i++)
		assert_int_equal(pthread_join(pgdaemon_writers[i].thread, NULL), 0);
	for (int i = 0; i < PGDAEMON_WRITERS; i++) {
		struct pgdaemon_writer *w = &pgdaemon_writers[i];

		assert_int_equal(w->odd, 0);
		acknowledged += w->count;
		for (int k = 0; k < w->count; k++)
			json_decref(remote_must(
			    &pgdaemon.admin, 200, "GET", NULL, "/content/posts/%s", w->id[k]));
		remote_close(&w->remote);
		free(w->id);
	}
	return acknowledged;
}

/* ---- the daemon ---- */

int
pgdaemon_start(void **state)
{
	char site[512], files[128];

	(void)state;
	(void)snprintf(files, sizeof(files), "%s/files", pgdaemon.dir);
	assert_int_equal(mkdir(files, 0700), 0);
	(void)snprintf(site, sizeof(site),
	    "database = \"postgresql:///postgres?host=%s/pg%s\"\ndatabase-timeout = 3s\n"
	    "files-directory = \"%s\"\n",
	    pgdaemon.dir, engine_server_user(), files);
	pgdaemon.d = remote_new(WATCHED, site);
	pgdaemon.token = remote_token(pgdaemon.d, "admin", "admin");
	daemon_run(pgdaemon.d, 0);
	remote_open(&pgdaemon.admin, pgdaemon.d, pgdaemon.token);
	json_decref(remote_must(&pgdaemon.admin, 201, "POST",
	    "{\"slug\":\"posts\",\"label\":\"Posts\"}", "/schema/collections"));
	json_decref(remote_must(&pgdaemon.admin, 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}",
	    "/schema/collections/posts/fields"));
	return 0;
}

int
pgdaemon_stop(void **state)
{
	(void)state;
	remote_close(&pgdaemon.admin);
	daemon_stop(pgdaemon.d);
	free(pgdaemon.token);
	(void)kill(pgdaemon.server, SIGINT);
	(void)waitpid(pgdaemon.server, NULL, 0);
	template_remove(pgdaemon.dir);
	return 0;
}
