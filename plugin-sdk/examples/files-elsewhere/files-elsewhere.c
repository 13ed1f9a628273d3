/*
 * files-elsewhere.c - a driver of files: keeps the files of a site in another directory, say of a
 * larger disk: DIRECTORY/MODULE/KEY.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/module.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNFINISHED ".new-" /* names of files that are being put begin with it; no key does */

/* ---- paths ---- */

/* The caller frees what these return: a file may be removed without a call. */
static char *
directory_of(const struct stet_conf *conf, const char *module)
{
	return stet_format_dup("%s/%s", stet_conf_text(conf, "elsewhere-directory"), module);
}

static char *
path_of(const struct stet_file_place *p)
{
	return stet_format_dup(
	    "%s/%s/%s", stet_conf_text(p->conf, "elsewhere-directory"), p->module, p->key);
}

static bool
flush_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return good;
}

/* ---- storing ---- */

static bool
copy_bytes(int from, int to)
{
	char piece[65536];
	ssize_t n, done, one;

	while ((n = read(from, piece, sizeof(piece))) > 0)
		for (done = 0; done < n; done += one)
			if ((one = write(to, piece + done, (size_t)(n - done))) < 0)
				return false;
	return n == 0 && fsync(to) == 0;
}

/* The file has its name once it is whole: link fails if the name is taken. */
static bool
put_named(const char *from, const char *unfinished, const char *path, const char *directory)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out, error;
	bool good;

	if (in < 0)
		return false;
	out = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	good = out >= 0 && copy_bytes(in, out) && link(unfinished, path) == 0;
	if (good && !flush_directory(directory)) {
		(void)unlink(path);
		good = false;
	}
	error = errno;
	if (out >= 0) {
		close(out);
		(void)unlink(unfinished);
	}
	close(in);
	errno = error;
	return good;
}

static enum stet_status
put(struct stet_call *call, const struct stet_file_place *p, const char *from)
{
	char *directory = directory_of(p->conf, p->module), *path = path_of(p);
	char *unfinished =
	    stet_format_dup("%s/" UNFINISHED "%s-%s", directory, p->key, stet_id(call));
	enum stet_status status = STET_OK;

	if (mkdir(directory, 0700) != 0 && errno != EEXIST)
		status = stet_file_failed(call, directory);
	else if (!put_named(from, unfinished, path, directory))
		status = errno == EEXIST ? stet_fail(call, STET_CONFLICT, NULL,
					       "There is a file %s already", p->key)
					 : stet_file_failed(call, path);
	free(unfinished);
	free(path);
	free(directory);
	return status;
}

/* ---- reading and removing ---- */

static enum stet_status
open_file(struct stet_call *call, const struct stet_file_place *p, int *fd)
{
	char *path = path_of(p);
	enum stet_status status = STET_OK;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (*fd < 0)
		status = errno == ENOENT || errno == ENOTDIR
			     ? stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file")
			     : stet_file_failed(call, path);
	free(path);
	return status;
}

static enum stet_status
sum(struct stet_call *call, const struct stet_file_place *p, char out[STET_SHA256_SIZE])
{
	enum stet_status status;
	int fd;

	STET_TRY(open_file(call, p, &fd));
	status =
	    stet_file_digest(fd, 0, UINT64_MAX, out) ? STET_OK : stet_file_failed(call, p->key);
	close(fd);
	return status;
}

/* Backups of stet do not contain this directory, so none can need the file: `named` is ignored. */
static bool
remove_file(const struct stet_file_place *p, bool named)
{
	char *path = path_of(p);
	bool gone = unlink(path) == 0;

	(void)named;
	if (!gone && errno != ENOENT)
		stet_log(NULL, STET_WARN, "cannot remove %s: %s", path, strerror(errno));
	free(path);
	return gone;
}

/* ---- listing ---- */

struct seen {
	struct stet_file_place place;
	int64_t put_at;
	stet_file_seen *fn;
	void *arg;
};

static enum stet_status
see(struct stet_call *call, void *arg)
{
	struct seen *s = arg;

	return s->fn(call, &s->place, s->put_at, s->arg);
}

static enum stet_status
each(struct stet_call *call, const struct stet_conf *conf, const char *module, stet_file_seen *fn,
    void *arg)
{
	struct seen s = { .place = { .conf = conf, .module = module }, .fn = fn, .arg = arg };
	char *directory = directory_of(conf, module);
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	enum stet_status status = STET_OK;
	struct stat st;

	while (dir != NULL && status == STET_OK && (entry = readdir(dir)) != NULL) {
		if (!stet_file_key_good(entry->d_name) ||
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		s.place.key = entry->d_name;
		s.put_at = (int64_t)st.st_mtime;
		status = stet_scope(call, see, &s);
	}
	if (dir != NULL)
		closedir(dir);
	free(directory);
	return status;
}

/* Removes files whose put was interrupted. */
static enum stet_status
tidy(struct stet_call *call, const struct stet_conf *conf, const char *module, int64_t before)
{
	char *directory = directory_of(conf, module);
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	struct stat st;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (strncmp(entry->d_name, UNFINISHED, strlen(UNFINISHED)) == 0 &&
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    (int64_t)st.st_mtime < before && unlinkat(dirfd(dir), entry->d_name, 0) != 0)
			stet_log(call, STET_WARN, "cannot remove %s/%s: %s", directory,
			    entry->d_name, strerror(errno));
	if (dir != NULL)
		closedir(dir);
	free(directory);
	return STET_OK;
}

/* ---- for administrators ---- */

static bool
good_directory(const char *text)
{
	return *text == '/';
}

static const char *
check(const struct stet_conf *conf, bool used)
{
	const char *directory = stet_conf_text(conf, "elsewhere-directory");

	return used && directory == NULL ? "files = \"elsewhere\" needs elsewhere-directory" : NULL;
}

static bool
probe(const struct stet_conf *conf, char *said, size_t size)
{
	const char *directory = stet_conf_text(conf, "elsewhere-directory");
	bool good = directory == NULL || access(directory, R_OK | W_OK | X_OK) == 0;

	*said = '\0';
	if (directory != NULL)
		(void)snprintf(said, size, "%s%s%s", directory, good ? " can be written" : ": ",
		    good ? "" : strerror(errno));
	return good;
}

static const struct stet_conf_key keys[] = {
	{ "elsewhere-directory", .good = good_directory,
	    .want = "the absolute path of a directory" },
};

static const struct stet_file_driver drivers[] = {
	{ .name = "elsewhere",
	    .put = put,
	    .open = open_file,
	    .remove = remove_file,
	    .each = each,
	    .tidy = tidy,
	    .sum = sum,
	    .check = check,
	    .probe = probe },
};

STET_MODULE(files_elsewhere) = {
	STET_MODULE_HEAD_AS("files-elsewhere"),
	.version = "1.0.0",
	.summary = "Keeps the files of a site in another directory",
	.file_drivers = STET_TABLE(drivers),
	.conf_keys = STET_TABLE(keys),
};
