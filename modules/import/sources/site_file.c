/*
 * site_file.c - finds the pictures and other files of a document. A path from the root is below the
 * directory of files that the program copies as they are.
 */
#include "plan/given.h"
#include "read/text.h"
#include "sources/site.h"
#include <string.h>

/* Returns the name of the file at a path from the root. */
static const char *
from_root(const struct site *site, struct stet_call *call, const char *path)
{
	static const char *const dirs[] = { "", "static/", "public/", "assets/", "src/" };
	size_t len = strcspn(path, "?#");
	const char *plain = text_unescape(call, stet_strndup(call, path, len)), *name;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		name = stet_printf(call, "%s%s%s", site->base, dirs[i], plain);
		if (json_object_get(site->files, name) != NULL)
			return stet_printf(call, "%s%s%s", site->base, dirs[i], path);
	}
	return path;
}

const char *
site_file(const struct site *site, struct stet_call *call, const char *name, const char *path)
{
	const char *out;

	if (strstr(path, "://") != NULL || strncmp(path, "//", 2) == 0 ||
	    strncmp(path, "data:", 5) == 0 || *path == '#')
		return NULL;
	if (*path == '/')
		out = from_root(site, call, path + 1);
	else {
		out = site_resolved(call, name, path);
		while (out == NULL && strncmp(path, "../", 3) == 0)
			path += 3; /* it leads out of the source, where no file is taken from */
		out = out != NULL ? out : path;
	}
	out = stet_printf(call, "%s%s", GIVEN_FILE, out);
	return strlen(out) < 2000 ? out : NULL;
}
