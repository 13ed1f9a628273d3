/*
 * files.c - the JSON files below a directory. Reads them as untrusted input, and writes them so
 * that line-based diffs are small.
 */
#include "transfer.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 8
#define NAME_LONGEST 200 /* bytes of one path component */
#define FILE_LARGEST (256L << 20) /* bytes */
#define INDENTED_LARGEST (16U << 20) /* bytes; a longer file is written on one line */
#define SUFFIX ".json"
#define WRITTEN (O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)

static enum stet_status
refuse(struct stet_call *call, const char *path, const char *why)
{
	return stet_fail(call, STET_INVALID_INPUT, NULL, "%s: %s", path, why);
}

/* ---- names ---- */

static bool
is_plain(unsigned char c)
{
	return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '/';
}

uint64_t
files_hash(const char *text)
{
	uint64_t hash = 14695981039346656037ULL; /* FNV-1a */

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211ULL;
	return hash;
}

/* Shortens a component that is too long; a hash at its end keeps it unique. */
static char *
shorten(struct stet_call *call, const char *part, size_t len)
{
	const char *whole = stet_strndup(call, part, len);
	size_t keep = stet_utf8_cut(part, NAME_LONGEST - 17);

	return stet_printf(
	    call, "%.*s-%016llx", (int)keep, part, (unsigned long long)files_hash(whole));
}

char *
files_name(struct stet_call *call, const char *name)
{
	char *escaped = stet_alloc(call, 3 * strlen(name) + 1), *to = escaped;
	const char *out = "";

	for (const char *p = name; *p != '\0'; p++) {
		bool first = p == name || p[-1] == '/';

		if (is_plain((unsigned char)*p) && !(first && *p == '.'))
			*to++ = *p;
		else {
			*to++ = '%';
			*to++ = "0123456789ABCDEF"[(unsigned char)*p >> 4];
			*to++ = "0123456789ABCDEF"[(unsigned char)*p & 15];
		}
	}
	for (const char *part = escaped; *part != '\0';) {
		size_t len = strcspn(part, "/");
		const char *kept =
		    len > NAME_LONGEST ? shorten(call, part, len) : stet_strndup(call, part, len);

		out = stet_printf(call, "%s%s%s", out, *out != '\0' ? "/" : "", kept);
		part += len;
		part += *part == '/';
	}
	return stet_strdup(call, out);
}

/* ---- listing ---- */

static enum stet_status list(struct stet_call *, struct files *, int fd, const char *below, int);

static enum stet_status
list_entry(
    struct stet_call *call, struct files *f, int dir, const char *path, const char *name, int depth)
{
	size_t len = strlen(path);
	struct stat st;
	int fd;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return refuse(call, path, strerror(errno));
	if (S_ISDIR(st.st_mode)) {
		fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			return refuse(call, path, strerror(errno));
		return list(call, f, fd, path, depth + 1);
	}
	if (!S_ISREG(st.st_mode))
		return refuse(call, path, "is neither a file nor a directory");
	if (strncmp(path, CARRIED, strlen(CARRIED)) == 0) {
		json_object_set_new(f->carried, path, json_false());
		return STET_OK;
	}
	if (len <= strlen(SUFFIX) || strcmp(path + len - strlen(SUFFIX), SUFFIX) != 0)
		return refuse(call, path, "is no file of an export: it does not end in " SUFFIX);
	if (stet_utf8_length(path) < 0)
		return refuse(call, path, "is not UTF-8");
	json_object_set_new(f->names, stet_strndup(call, path, len - strlen(SUFFIX)), json_false());
	return STET_OK;
}

/* Lists a directory and closes its descriptor. Skips names that begin with a dot: they belong to
 * other programs (.git). */
static enum stet_status
list(struct stet_call *call, struct files *f, int fd, const char *below, int depth)
{
	enum stet_status status = STET_OK;
	struct dirent *entry;
	DIR *dir;

	if (depth > DEPTH_MAX || (dir = fdopendir(fd)) == NULL) {
		close(fd);
		return refuse(call, below, "lies too deep");
	}
	while (status == STET_OK && (entry = readdir(dir)) != NULL) {
		const char *path = *below != '\0' ? stet_printf(call, "%s/%s", below, entry->d_name)
						  : stet_strdup(call, entry->d_name);

		if (entry->d_name[0] != '.')
			status = list_entry(call, f, dirfd(dir), path, entry->d_name, depth);
	}
	closedir(dir);
	return status;
}

enum stet_status
files_list(struct stet_call *call, const char *dir, struct files *f)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*f = (struct files){ .dir = dir,
		.names = stet_json_own(call, json_object()),
		.carried = stet_json_own(call, json_object()) };
	if (fd < 0)
		return refuse(call, dir, strerror(errno));
	return list(call, f, fd, "", 0);
}

/* ---- reading ---- */

static char *
read_whole(int fd, size_t size)
{
	char *text = malloc(size + 1);
	size_t got = 0;
	ssize_t n = 1;

	while (text != NULL && got < size && (n = read(fd, text + got, size - got)) > 0)
		got += (size_t)n;
	if (text == NULL || got < size) {
		free(text);
		return NULL;
	}
	text[size] = '\0';
	return text;
}

enum stet_status
files_read(struct stet_call *call, const struct files *f, const char *name, json_t **out)
{
	const char *path = stet_printf(call, "%s/%s" SUFFIX, f->dir, name);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	json_error_t error;
	struct stat st;
	const char *why;
	char *text;
	bool has_nul;

	if (fd < 0)
		return refuse(call, path, strerror(errno));
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > FILE_LARGEST) {
		close(fd);
		return refuse(call, path, "is no file, or larger than 256 MiB");
	}
	text = read_whole(fd, (size_t)st.st_size);
	close(fd);
	if (text == NULL)
		return refuse(call, path, "cannot be read");
	has_nul = memchr(text, '\0', (size_t)st.st_size) != NULL;
	*out = has_nul ? NULL
		       : json_loadb(text, (size_t)st.st_size,
			     JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
	free(text);
	if (*out == NULL)
		return stet_fail(call, STET_INVALID_JSON, NULL, "%s:%d: %s", path,
		    has_nul ? 0 : error.line, has_nul ? "it holds a NUL byte" : error.text);
	if (stet_json_check_nul(call, "", *out))
		return STET_OK;
	json_decref(*out);
	*out = NULL;
	why = stet_issues(call) != STET_OK ? stet_error_text(call) : "";
	stet_error_clear(call);
	return stet_fail(call, STET_INVALID_INPUT, NULL, "%s: %s", path, why);
}

/* ---- writing ---- */

/* Makes all missing directories of a path. */
static enum stet_status
make_directories(struct stet_call *call, const char *path)
{
	for (const char *p = strchr(path, '/'); p != NULL; p = strchr(p + 1, '/')) {
		const char *part = stet_strndup(call, path, (size_t)(p - path));

		if (*part != '\0' && mkdir(part, 0777) != 0 && errno != EEXIST)
			return refuse(call, part, strerror(errno));
	}
	return STET_OK;
}

/* Writes JSON without indentation, which would multiply the length of a long list of numbers. */
static char *
compact(struct stet_call *call, const json_t *value)
{
	struct stet_json *json = stet_json_new(call);
	const char *text;
	char *copy;
	size_t len;

	stet_put_json(json, NULL, value);
	text = stet_json_text(json, &len);
	if (asprintf(&copy, "%s\n", text) < 0)
		stet_out_of_memory();
	return copy;
}

enum stet_status
files_write(struct stet_call *call, const struct files *f, const char *name, const json_t *value)
{
	const char *path = stet_printf(call, "%s/%s" SUFFIX, f->dir, name);
	char *text = stet_json_lines(value);
	size_t len = strlen(text);
	int fd;
	bool done;

	if (len > INDENTED_LARGEST) {
		free(text);
		text = compact(call, value);
		len = strlen(text);
	}
	if (len > FILE_LARGEST) {
		free(text);
		return refuse(call, path, "would be larger than 256 MiB");
	}
	fd = open(path, WRITTEN, 0666);
	if (fd < 0 && errno == ENOENT) {
		STET_TRY(make_directories(call, path));
		fd = open(path, WRITTEN, 0666);
	}
	if (fd < 0) {
		free(text);
		return refuse(call, path, strerror(errno));
	}
	done = write(fd, text, len) == (ssize_t)len;
	done = close(fd) == 0 && done;
	free(text);
	json_object_set_new(f->names, name, json_true());
	return done ? STET_OK : refuse(call, path, "cannot be written");
}

enum stet_status
files_open(struct stet_call *call, const struct files *f, const char *name, int *fd)
{
	const char *path = stet_printf(call, "%s/%s", f->dir, name);
	struct stat st;

	*fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return refuse(call, path, strerror(errno));
	if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
		return STET_OK;
	close(*fd);
	return refuse(call, path, "is no file");
}

/* Returns true if both files have the same content. */
static bool
same_bytes(int a, int b)
{
	char x[16384], y[16384];
	struct stat s, t;
	off_t at = 0;
	ssize_t n;

	if (fstat(a, &s) != 0 || fstat(b, &t) != 0 || s.st_size != t.st_size)
		return false;
	while ((n = pread(a, x, sizeof(x), at)) > 0 && pread(b, y, (size_t)n, at) == n &&
	       memcmp(x, y, (size_t)n) == 0)
		at += n;
	return n == 0;
}

static bool
write_bytes(int from, int to)
{
	char piece[65536];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(from, piece, sizeof(piece), at)) > 0) {
		if (write(to, piece, (size_t)n) != n)
			return false;
		at += n;
	}
	return n == 0;
}

enum stet_status
files_copy(struct stet_call *call, const struct files *f, const char *name, int from)
{
	const char *path = stet_printf(call, "%s/%s", f->dir, name);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	bool same = fd >= 0 && same_bytes(from, fd), done;

	if (fd >= 0)
		close(fd);
	json_object_set_new(f->carried, name, json_true());
	if (same)
		return STET_OK;
	STET_TRY(make_directories(call, path));
	fd = open(path, WRITTEN, 0666);
	if (fd < 0)
		return refuse(call, path, strerror(errno));
	done = write_bytes(from, fd);
	done = close(fd) == 0 && done;
	return done ? STET_OK : refuse(call, path, "cannot be written");
}

/* Removes the directories of a removed file as far as they are empty. */
static void
remove_directories(struct stet_call *call, const struct files *f, const char *name)
{
	const char *end;

	while ((end = strrchr(name, '/')) != NULL) {
		name = stet_strndup(call, name, (size_t)(end - name));
		if (rmdir(stet_printf(call, "%s/%s", f->dir, name)) != 0)
			return;
	}
}

static enum stet_status
sweep(struct stet_call *call, const struct files *f, json_t *names, const char *suffix)
{
	const char *name;
	json_t *taken;

	json_object_foreach(names, name, taken)
	{
		const char *path = stet_printf(call, "%s/%s%s", f->dir, name, suffix);

		if (json_is_true(taken))
			continue;
		if (unlink(path) != 0 && errno != ENOENT)
			return refuse(call, path, strerror(errno));
		remove_directories(call, f, name);
	}
	return STET_OK;
}

enum stet_status
files_sweep(struct stet_call *call, const struct files *f)
{
	STET_TRY(sweep(call, f, f->names, SUFFIX));
	return sweep(call, f, f->carried, "");
}
