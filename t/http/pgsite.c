/* pgsite.c - a daemon whose site is in PostgreSQL. */
#include "pgsite.h"
#include "engine.h"
#include "template.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

const char *
pgsite_uri(const struct pgsite *p)
{
	static char uri[256];

	(void)snprintf(
	    uri, sizeof(uri), "postgresql:///postgres?host=%s/pg%s", p->dir, engine_server_user());
	return uri;
}

pid_t
pgsite_postmaster(const struct pgsite *p)
{
	pid_t pid = engine_postmaster(p->dir);

	assert_true(pid > 0);
	return pid;
}

bool
pgsite_serve(struct pgsite *p)
{
	(void)snprintf(p->dir, sizeof(p->dir), "/tmp/stet-pgsite-XXXXXX");
	if (mkdtemp(p->dir) == NULL)
		return false;
	p->server = engine_server(p->dir);
	if (p->server != 0)
		return true;
	template_remove(p->dir);
	printf("1..0 # SKIP no PostgreSQL: apt-get install postgresql\n");
	return false;
}

void
pgsite_start(struct pgsite *p, const char *conf, const char *site)
{
	char keys[1024], files[128];

	(void)snprintf(files, sizeof(files), "%s/files", p->dir);
	assert_int_equal(mkdir(files, 0700), 0);
	(void)snprintf(keys, sizeof(keys), "database = \"%s\"\nfiles-directory = \"%s\"\n%s",
	    pgsite_uri(p), files, site);
	p->daemon = remote_new(conf, keys);
	p->token = remote_token(p->daemon, "admin", "admin");
	daemon_run(p->daemon, 0);
	remote_open(&p->admin, p->daemon, p->token);
	json_decref(remote_must(&p->admin, 201, "POST", "{\"slug\":\"posts\",\"label\":\"Posts\"}",
	    "/schema/collections"));
	json_decref(remote_must(&p->admin, 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}",
	    "/schema/collections/posts/fields"));
}

void
pgsite_stop(struct pgsite *p)
{
	remote_close(&p->admin);
	daemon_stop(p->daemon);
	free(p->token);
	(void)kill(p->server, SIGINT);
	(void)waitpid(p->server, NULL, 0);
	template_remove(p->dir);
}
