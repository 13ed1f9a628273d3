/* daemons.c - see daemons.h. */
#include "daemons.h"
#include "engine.h"
#include "psql.h"
#include "template.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

long long
daemons_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the database ---- */

char *
daemons_sql(const struct daemons *ds, const char *sql)
{
	return psql_ask(ds->uri, sql);
}

/* ---- one daemon ---- */

void
daemons_run(struct daemons *ds, int i)
{
	assert_int_equal(ds->at[i]->pid, 0);
	daemon_run(ds->at[i], 0);
	remote_open(&ds->admin[i], ds->at[i], ds->token);
}

void
daemons_end(struct daemons *ds, int i)
{
	remote_close(&ds->admin[i]);
	daemon_signal(ds->at[i], SIGTERM);
	assert_int_equal(daemon_ended(ds->at[i]), 0);
}

void
daemons_kill(struct daemons *ds, int i)
{
	remote_close(&ds->admin[i]);
	daemon_signal(ds->at[i], SIGKILL);
	assert_int_equal(daemon_ended(ds->at[i]), 128 + SIGKILL);
}

void
daemons_freeze(struct daemons *ds, int i)
{
	assert_int_not_equal(ds->at[i]->pid, 0);
	daemon_signal(ds->at[i], SIGSTOP);
}

void
daemons_thaw(struct daemons *ds, int i)
{
	daemon_signal(ds->at[i], SIGCONT);
}

/* ---- all ---- */

/* The lines of a daemon's site. To be freed. */
static char *
lines(const struct daemons *ds, const char *site)
{
	char *text;

	assert_true(asprintf(&text,
			"database = \"%s\"\ndatabase-timeout = 6s\nkey-file = \"%s/key\"\n"
			"files-directory = \"%s/files\"\n%s",
			ds->uri, ds->dir, ds->dir, site != NULL ? site : "") > 0);
	return text;
}

bool
daemons_start(struct daemons *ds, int count, const char *conf, const char *site, int *status)
{
	char path[128], *all, *named;

	*ds = (struct daemons){ .count = count };
	(void)snprintf(ds->dir, sizeof(ds->dir), "/tmp/stet-daemons-XXXXXX");
	assert_non_null(mkdtemp(ds->dir));
	ds->server = engine_server(ds->dir);
	if (ds->server == 0) {
		template_remove(ds->dir);
		printf("1..0 # SKIP no PostgreSQL: apt-get install postgresql\n");
		*status = getenv("CI") != NULL;
		return false;
	}
	(void)snprintf(path, sizeof(path), "%s/files", ds->dir);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(ds->uri, sizeof(ds->uri), "postgresql:///postgres?host=%s/pg%s", ds->dir,
	    engine_server_user());
	all = lines(ds, site);
	for (int i = 0; i < count; i++) {
		assert_true(asprintf(&named, "%s\ndaemon-name = \"%c\"\n", conf != NULL ? conf : "",
				'a' + i) > 0);
		ds->at[i] = i == 0 ? remote_new(named, all) : daemon_new(named, all);
		free(named);
	}
	ds->token = remote_token(ds->at[0], "admin", "admin");
	for (int i = 0; i < count; i++)
		daemons_run(ds, i);
	free(all);
	return true;
}

void
daemons_stop(struct daemons *ds)
{
	for (int i = 0; i < ds->count; i++) {
		if (ds->at[i]->pid != 0)
			daemons_end(ds, i);
		daemon_stop(ds->at[i]);
	}
	free(ds->token);
	(void)kill(ds->server, SIGTERM);
	(void)waitpid(ds->server, NULL, 0);
	template_remove(ds->dir);
}

void
daemons_collection(struct daemons *ds, const char *slug)
{
	char body[256];

	(void)snprintf(body, sizeof(body), "{\"slug\":\"%s\",\"label\":\"%s\"}", slug, slug);
	json_decref(remote_must(&ds->admin[0], 201, "POST", body, "/schema/collections"));
	json_decref(remote_must(&ds->admin[0], 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}",
	    "/schema/collections/%s/fields", slug));
}
