/* pgserver.h - for tests of the driver of PostgreSQL: a server, and a site in a schema of it. */
#ifndef T_UNIT_PGSERVER_H
#define T_UNIT_PGSERVER_H

#include "engine.h"
#include "module/driver.h"
#include "store.h"
#include <signal.h>
#include <sys/wait.h>

static struct {
	const char *user; /* a server that root starts belongs to nobody */
	char dir[64], place[256];
	pid_t server;
} pgserver;

/* Returns why there is no server; NULL: there is one. */
__attribute__((unused)) static const char *
pgserver_begin(void)
{
	char *why = NULL, path[512];

	db_global_init();
	snprintf(path, sizeof(path), "%s/modules/.libs", getenv("STET_BUILD"));
	if (driver_find(path, "", "database-postgresql", &why) == NULL)
		return "built without PostgreSQL";
	snprintf(pgserver.dir, sizeof(pgserver.dir), "%s", "/tmp/stet-pg-XXXXXX");
	assert_non_null(mkdtemp(pgserver.dir));
	pgserver.user = engine_server_user();
	pgserver.server = engine_server(pgserver.dir);
	return pgserver.server != 0 ? NULL : "no PostgreSQL: apt-get install postgresql";
}

__attribute__((unused)) static int
pgserver_end(void **state)
{
	(void)state;
	kill(pgserver.server, SIGINT);
	waitpid(pgserver.server, NULL, 0);
	(void)nftw(pgserver.dir, store_remove, 8, FTW_DEPTH | FTW_PHYS);
	return 0;
}

/* A site in a schema of its own. */
__attribute__((unused)) static int
pgserver_site(void **state)
{
	static int last;
	struct store *s;

	s = xcalloc(1, sizeof(*s));
	snprintf(s->dir, sizeof(s->dir), "%s", "/tmp/stet-store-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	snprintf(pgserver.place, sizeof(pgserver.place),
	    "postgresql:///postgres?host=%s/pg%s&stet_schema=s%d&stet_timeout=2000", pgserver.dir,
	    pgserver.user, ++last);
	snprintf(s->path, sizeof(s->path), "%s", pgserver.place);
	snprintf(s->log, sizeof(s->log), "%s/log", s->dir);
	assert_int_equal(log_open(s->log, STET_DEBUG), 0);
	store_open(s);
	*state = s;
	return 0;
}

__attribute__((unused)) static int
pgserver_site_end(void **state)
{
	store_free(*state);
	return 0;
}

#endif
