/*
 * bundle.c - the files that `make web` has made: where they are, and which of a file's siblings a
 * browser accepts.
 */
#include "admin.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_MAX_BYTES 100

/* ---- Accept-Encoding (RFC 9110, 12.5.3) ---- */

/* Returns true unless the parameters behind a coding say that its quality is 0. */
static bool
is_wanted(const char *s, const char *end)
{
	s += strspn(s, " \t");
	if (s >= end || *s != ';')
		return true;
	s++;
	s += strspn(s, " \t");
	if (end - s < 3 || strncasecmp(s, "q=", 2) != 0 || s[2] != '0')
		return true;
	s += 3;
	if (s < end && *s == '.')
		s++;
	return strspn(s, "0") < strcspn(s, ", \t"); /* 0.001 is wanted */
}

static bool
accepts(const char *s, const char *coding)
{
	bool any = false;

	while (*(s += strspn(s, " \t,")) != '\0') {
		const char *end = s + strcspn(s, ",");
		size_t len = strcspn(s, " \t;,");

		if (len == strlen(coding) && strncasecmp(s, coding, len) == 0)
			return is_wanted(s + len, end);
		if (len == 1 && *s == '*')
			any = is_wanted(s + len, end);
		s = end;
	}
	return any;
}

void
codings_accepted(const char *accept, struct coding out[CODINGS])
{
	static const struct coding known[] = { { "zstd", ".zst" }, { "gzip", ".gz" } };
	size_t count = 0;

	for (size_t i = 0; accept != NULL && i < sizeof(known) / sizeof(known[0]); i++)
		if (accepts(accept, known[i].name))
			out[count++] = known[i];
	out[count] = (struct coding){ NULL, "" };
}

/* ---- files ---- */

const char *
type_of_file(const char *name)
{
	static const struct {
		const char *ending, *type;
	} types[] = { { ".html", "text/html; charset=utf-8" },
		{ ".js", "text/javascript; charset=utf-8" },
		{ ".mjs", "text/javascript; charset=utf-8" }, { ".css", "text/css; charset=utf-8" },
		{ ".svg", "image/svg+xml" }, { ".png", "image/png" }, { ".jpg", "image/jpeg" },
		{ ".jpeg", "image/jpeg" }, { ".webp", "image/webp" }, { ".gif", "image/gif" },
		{ ".avif", "image/avif" }, { ".json", "application/json" },
		{ ".map", "application/json" }, { ".woff2", "font/woff2" },
		{ ".wasm", "application/wasm" } };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot != NULL && i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(dot, types[i].ending) == 0)
			return types[i].type;
	return NULL;
}

/* Names as esbuild makes them. A dot at the beginning is a hidden file, or a way out. */
static bool
is_name(const char *name)
{
	size_t len =
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

	return len > 0 && len <= NAME_MAX_BYTES && name[len] == '\0' && name[0] != '.';
}

enum stet_status
bundle_open(struct stet_call *call, const char *dir, const char *name, const char *ending, int *fd)
{
	const char *root = secure_getenv("STET_ADMIN_PATH"), *path;
	struct stat st;

	*fd = -1;
	if (!is_name(name))
		return STET_OK;
	path = stet_printf(call, "%s/%s%s%s", root != NULL ? root : ADMIN_PATH, dir, name, ending);
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (*fd == -1)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP
			   ? STET_OK
			   : stet_fault(call, "%s: %s", path, strerror(errno));
	if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
		return STET_OK;
	close(*fd);
	*fd = -1;
	return STET_OK;
}
