/* engine.c - see engine.h. */
#include "engine.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* FNV-1a: the same name for the same path in every process of the test. */
static void
name_schema(const char *data, char name[32])
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *data != '\0'; data++)
		h = (h ^ (unsigned char)*data) * UINT64_C(1099511628211);
	(void)snprintf(name, 32, "t_%016llx", (unsigned long long)h);
}

void
engine_keys(FILE *conf, const char *data)
{
	char schema[32], files[4096], link[4096];

	if (!engine_is_postgresql())
		return;
	name_schema(data, schema);
	(void)snprintf(files, sizeof(files), "%s/files", data);
	(void)snprintf(link, sizeof(link), "%s/files/%s", wanted("T_ENGINE_DIR"), schema);
	make(data);
	make(files);
	if (symlink(files, link) != 0 && errno != EEXIST)
		perror(link);
	(void)fprintf(conf,
	    "database = \"%s\"\ndatabase-schema = \"%s\"\nfiles-directory = \"%s\"\n",
	    wanted("T_ENGINE_URI"), schema, link);
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
