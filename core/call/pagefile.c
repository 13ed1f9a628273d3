/*
 * pagefile.c - files of the pages that modules add to the admin pages: NAME.pages beside the
 * module's shared object. Each step of a path is opened by itself and follows no link, so no name
 * leads out of that directory.
 */
#include "base/dir.h"
#include "call/call.h"
#include "call/loaded.h"
#include "call/site.h"
#include <errno.h>
#include <fcntl.h>
#include <stet/pages.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEGMENT_MAX 100 /* bytes */
#define SEGMENT "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

/* The length of the name at the start of a path, or 0. */
static size_t
segment(const char *path)
{
	size_t len = strspn(path, SEGMENT);

	return len <= SEGMENT_MAX && strchr("._-", path[0]) == NULL ? len : 0;
}

bool
stet_page_file_named(const char *path)
{
	size_t len = segment(path), more = 0;

	if (len > 0 && path[len] == '/' && (more = segment(path + len + 1)) > 0)
		len += 1 + more;
	return len > 0 && path[len] == '\0';
}

/* Returns the module if it is enabled on the site and has admin pages or widgets, else NULL. */
static const struct loaded *
shown(const struct stet_call *call, const char *name)
{
	const struct generation *gen = call->gen;

	for (size_t i = 0; i < gen->module_count; i++)
		if (strcmp(gen->module[i]->m.name, name) == 0)
			return gen->module[i]->m.admin_pages.count +
					   gen->module[i]->m.field_widgets.count >
				       0
				   ? gen->module[i]
				   : NULL;
	return NULL;
}

/* Logs why a file is not used, and fails with NOT_FOUND. */
static enum stet_status
unusable(struct stet_call *call, const char *module, const char *path, const char *why)
{
	stet_log(call, STET_WARN, "pages of %s: %s %s", module, path, why);
	return stet_fail(call, STET_NOT_FOUND, NULL, "File not found");
}

/* Opens one step of a path: a directory or, as the last step, the file. Returns NULL, or the reason
 * why it cannot be used; "" if it does not exist. */
static const char *
step(int dir, const char *name, bool last, int *fd)
{
	const char *why;
	struct stat st;

	*fd = openat(
	    dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (last ? 0 : O_DIRECTORY));
	if (*fd == -1)
		return errno == ENOENT || errno == ENOTDIR ? ""
		       : errno == ELOOP || errno == EACCES ? strerror(errno)
							   : "cannot be opened";
	if (fstat(*fd, &st) != 0)
		why = strerror(errno);
	else if ((why = dir_owner_flaw(&st)) == NULL && last)
		why = !S_ISREG(st.st_mode)              ? "is not a regular file"
		      : st.st_size > STET_PAGE_FILE_MAX ? "is too large"
							: NULL;
	if (why != NULL) {
		close(*fd);
		*fd = -1;
	}
	return why;
}

enum stet_status
stet_page_file(struct stet_call *call, const char *module, const char *path, int *fd)
{
	const struct loaded *l = shown(call, module);
	const char *why = "";
	char *rest, *name;
	int dir = AT_FDCWD;

	*fd = -1;
	if (l == NULL || !stet_page_file_named(path))
		return stet_fail(call, STET_NOT_FOUND, NULL, "File not found");
	name = stet_printf(
	    call, "%.*s/%s.pages", (int)(strrchr(l->path, '/') - l->path), l->path, l->m.name);
	rest = stet_strdup(call, path);
	for (;;) {
		why = step(dir, name, rest == NULL, fd);
		if (dir != AT_FDCWD)
			close(dir);
		if (why != NULL || rest == NULL)
			break;
		dir = *fd;
		name = strsep(&rest, "/");
	}
	if (why == NULL)
		return STET_OK;
	*fd = -1;
	return *why != '\0' ? unusable(call, module, path, why)
			    : stet_fail(call, STET_NOT_FOUND, NULL, "File not found");
}
