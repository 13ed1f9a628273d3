/* engine.c - see engine.h. */
#include "engine.h"
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *
wanted(const char *variable)
{
	const char *value = getenv(variable);

	if (value != NULL && *value != '\0')
		return value;
	printf("Bail out! T_ENGINE=postgresql, but there is no %s: run t/engine/run, or make"
	       " check-engine\n",
	    variable);
	exit(1);
}

bool
engine_is_postgresql(void)
{
	const char *engine = getenv("T_ENGINE");

	if (engine == NULL || *engine == '\0' || strcmp(engine, "sqlite") == 0)
		return false;
	if (strcmp(engine, "postgresql") == 0)
		return true;
	printf("Bail out! T_ENGINE is sqlite or postgresql, not %s\n", engine);
	exit(1);
}

static void
make(const char *directory)
{
	if (mkdir(directory, 0700) != 0 && errno != EEXIST)
		perror(directory);
}

/* ---- databases ---- */

#define NAME_SIZE 64

/* The name of the database of the site in this directory: that of T_ENGINE_URI, and a number from
 * the path (FNV-1a), the same in every process of the test. */
static void
name_database(const char *data, char name[NAME_SIZE])
{
	const char *uri = wanted("T_ENGINE_URI") + strlen("postgresql:///");
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *data != '\0'; data++)
		h = (h ^ (unsigned char)*data) * UINT64_C(1099511628211);
	(void)snprintf(
	    name, NAME_SIZE, "%.*s_%016llx", (int)strcspn(uri, "?"), uri, (unsigned long long)h);
}

/* Runs a program of t/engine with one or two arguments. */
static bool
run(const char *name, const char *first, const char *second)
{
	char program[4096];
	pid_t child;
	int status;

	(void)wanted("T_ENGINE_DIR");
	(void)snprintf(program, sizeof(program), "%s/t/engine/%s", wanted("STET_SOURCE"), name);
	(void)fflush(NULL);
	if ((child = fork()) == 0) {
		execl(program, program, first, second, (char *)NULL);
		_exit(127);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* Makes a database as a copy of another, unless it is there already. */
static void
make_database(const char *name, const char *template)
{
	if (!run("copy", template, name))
		printf("# the database %s cannot be made\n", name);
}

void
engine_analyze(const char *data)
{
	char name[NAME_SIZE];

	if (!engine_is_postgresql())
		return;
	name_database(data, name);
	if (!run("analyze", name, NULL))
		printf("# the database %s cannot be analysed\n", name);
}

void
engine_make(const char *data)
{
	char name[NAME_SIZE];

	if (!engine_is_postgresql())
		return;
	name_database(data, name);
	make_database(name, "t_base");
}

void
engine_keys(FILE *conf, const char *data)
{
	char name[NAME_SIZE], files[4096], link[4096];
	const char *uri;

	if (!engine_is_postgresql())
		return;
	name_database(data, name);
	(void)snprintf(files, sizeof(files), "%s/files", data);
	(void)snprintf(link, sizeof(link), "%s/files/%s", wanted("T_ENGINE_DIR"), name);
	make(data);
	make(files);
	if (symlink(files, link) != 0 && errno != EEXIST)
		perror(link);
	uri = wanted("T_ENGINE_URI");
	(void)fprintf(conf,
	    "database = \"postgresql:///%s%s\"\ndatabase-schema = \"site\"\n"
	    "database-timeout = 60s\nfiles-directory = \"%s\"\n",
	    name, strchr(uri, '?') != NULL ? strchr(uri, '?') : "", link);
}

void
engine_copy(const char *from, const char *to)
{
	char original[NAME_SIZE], copy[NAME_SIZE];

	if (!engine_is_postgresql())
		return;
	name_database(from, original);
	name_database(to, copy);
	make_database(copy, original);
}

const char *
engine_modules(const char *path)
{
	static char both[8192];

	(void)snprintf(both, sizeof(both), "%s", path);
	if (engine_is_postgresql())
		(void)snprintf(both, sizeof(both), "%s:%s/modules", path, wanted("T_ENGINE_DIR"));
	return both;
}

/* ---- a server ---- */

#define READY_MS 60000

pid_t
engine_postmaster(const char *dir)
{
	char path[4096];
	int pid = 0;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/pg/data/postmaster.pid", dir);
	if ((f = fopen(path, "re")) == NULL)
		return 0;
	if (fscanf(f, "%d", &pid) != 1)
		pid = 0;
	(void)fclose(f);
	return pid;
}

pid_t
engine_server(const char *dir)
{
	char program[4096], ready[4096];
	pid_t child;
	int status;

	(void)snprintf(program, sizeof(program), "%s/t/engine/server", getenv("STET_SOURCE"));
	(void)snprintf(ready, sizeof(ready), "%s/ready", dir);
	(void)unlink(ready);
	(void)fflush(NULL);
	if ((child = fork()) == 0) {
		/* If the test dies, so does the server. */
		(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
		execl(program, program, dir, (char *)NULL);
		_exit(127);
	}
	for (int i = 0; child > 0 && i < READY_MS / 50 && access(ready, F_OK) != 0; i++) {
		if (waitpid(child, &status, WNOHANG) == child) {
			if (!WIFEXITED(status) || WEXITSTATUS(status) != 77)
				printf("# the server ended with status %d\n", status);
			return 0;
		}
		(void)usleep(50000);
	}
	return child > 0 ? child : 0;
}

const char *
engine_server_user(void)
{
	return geteuid() == 0 ? "&user=nobody" : "";
}
