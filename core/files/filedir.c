/*
 * filedir.c - files of modules in a directory: DATA/files/MODULE/xx/KEY, or the same below
 * files-directory. xx is one of 256 directories, computed from the key, so that none becomes long.
 * A temporary file is linked into place, since link fails at once if the key exists. If
 * files-directory is on another file system, the file is first copied there.
 */
#include "files/filedir.h"
#include "base/arena.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/words.h"
#include "call/tempfile.h"
#include "conf/confdriver.h"
#include "files/filesum.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <stet/file.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#define PART ".part-" /* how names of copies in progress begin; no key begins like this */
#define PART_OLD 86400 /* seconds after which such a copy was given up */

/* ---- paths ---- */

/* Returns the path of one of the 256 directories, to be freed. */
static char *
part_of(const struct stet_conf *conf, const char *module, unsigned part)
{
	const struct conf_site *site = conf_of(conf);

	return site->files_directory != NULL
		   ? words_format("%s/%s/%02x", site->files_directory, module, part)
		   : words_format("%s/" DATADIR_FILES "/%s/%02x", site->data, module, part);
}

/* The same for the directory of a key. */
static char *
directory_of(const struct stet_file_place *p)
{
	return part_of(p->conf, p->module, (unsigned)(XXH3_64bits(p->key, strlen(p->key)) & 0xff));
}

/* Returns the path, which the caller frees, since a file may be removed without a call. */
static char *
path_of(const struct stet_file_place *p)
{
	/* A file from a listing is removed where it was found, even if that is the wrong
	 * directory. */
	char *directory = p->where != NULL ? xstrdup(p->where) : directory_of(p);
	char *path = words_format("%s/%s", directory, p->key);

	free(directory);
	return path;
}

static enum stet_status
sync_directory(struct stet_call *call, const char *path)
{
	return dir_flush(path) ? STET_OK : stet_file_failed(call, path);
}

/* Makes the directory of a key, and its parents up to this depth. */
static enum stet_status
make_directories(struct stet_call *call, const char *path, int depth)
{
	char *parent;
	enum stet_status status = STET_OK;

	if (mkdir(path, 0700) == 0)
		errno = 0;
	else if (errno == EEXIST)
		return STET_OK;
	parent = dir_parent_dup(path);
	if (errno == ENOENT && depth > 0) {
		status = make_directories(call, parent, depth - 1);
		errno = status == STET_OK && mkdir(path, 0700) != 0 ? errno : 0;
	}
	if (status == STET_OK && errno != 0 && errno != EEXIST)
		status = stet_file_failed(call, path);
	if (status == STET_OK)
		status = sync_directory(call, parent);
	dir_give_path(path);
	free(parent);
	return status;
}

/* ---- the driver ---- */

/* Gives a durable copy of the file the name `to`, which must be free. Returns false on failure,
 * with errno, unless *status has it. */
static bool
link_copy(struct stet_call *call, int from, const char *directory, const char *to,
    enum stet_status *status)
{
	char *part = words_format("%s/" PART "XXXXXX", directory);
	int fd = mkostemp(part, O_CLOEXEC), reason;
	bool good = fd >= 0;

	if (good) {
		dir_give(fd, directory);
		*status = tempfile_copy(call, from, fd, part);
		good = *status == STET_OK && fsync(fd) == 0 && link(part, to) == 0;
		reason = errno;
		(void)unlink(part);
		close(fd);
		errno = reason;
	}
	free(part);
	return good;
}

/* Gives the file its place. */
static enum stet_status
link_file(struct stet_call *call, const struct stet_file_place *p, const char *from, int fd,
    const char *directory)
{
	char *to = path_of(p);
	enum stet_status status = STET_OK;
	bool good = link(from, to) == 0;

	if (!good && errno == EXDEV)
		good = link_copy(call, fd, directory, to, &status);
	if (!good && status == STET_OK)
		status = errno == EEXIST ? stet_fail(call, STET_CONFLICT, NULL,
					       "There is a file %s already", p->key)
					 : stet_file_failed(call, to);
	if (good && (status = sync_directory(call, directory)) != STET_OK)
		(void)unlink(to);
	free(to);
	return status;
}

/* Does not make files-directory: where its file system is not mounted, files would be hidden by the
 * next mount. */
static enum stet_status
put(struct stet_call *call, const struct stet_file_place *p, const char *from)
{
	char *directory = directory_of(p);
	int fd = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	enum stet_status status = STET_OK;

	if (fd < 0 || fsync(fd) != 0)
		status = stet_file_failed(call, from);
	if (status == STET_OK)
		status = make_directories(
		    call, directory, conf_of(p->conf)->files_directory != NULL ? 1 : 2);
	if (status == STET_OK)
		status = link_file(call, p, from, fd, directory);
	if (status == STET_OK)
		(void)unlink(from);
	if (fd >= 0)
		close(fd);
	free(directory);
	return status;
}

static enum stet_status
open_file(struct stet_call *call, const struct stet_file_place *p, int *fd)
{
	char *path = path_of(p);
	enum stet_status status = STET_OK;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (*fd < 0)
		status = errno == ENOENT
			     ? stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file")
			     : stet_file_failed(call, path);
	free(path);
	return status;
}

/* Removes a file while no backup runs. Returns false if one does, or on failure. */
static bool
unlink_alone(const char *data, const char *path)
{
	/* so that no remover fails because another holds the lock */
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	bool gone;
	int lock;

	pthread_mutex_lock(&one);
	lock = dir_files_seize(data);
	gone = lock >= 0 && unlink(path) == 0;
	if (lock >= 0)
		close(lock);
	pthread_mutex_unlock(&one);
	return gone;
}

static bool
remove_file(const struct stet_file_place *p, bool named)
{
	const struct conf_site *conf = conf_of(p->conf);
	char *path = path_of(p);
	bool gone;

	errno = 0;
	/* A backup reads no files of files-directory. */
	gone = named && conf->files_directory == NULL ? unlink_alone(conf->data, path)
						      : unlink(path) == 0;
	if (!gone && errno != 0 && errno != ENOENT && errno != EWOULDBLOCK)
		log_line(STET_WARN, "cannot remove \"%s\": %s", path, strerror(errno));
	free(path);
	return gone;
}

/* ---- listing ---- */

struct listing {
	struct stet_file_place place; /* where: the directory being listed */
	stet_file_seen *fn;
	void *arg;
};

/* Removes what a killed process has left of a copy. */
static void
remove_part(int dir, const char *name)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	    st.st_mtime < time(NULL) - PART_OLD)
		(void)unlinkat(dir, name, 0);
}

static enum stet_status
see(struct stet_call *call, struct listing *l, int dir, const char *name)
{
	struct stet_file_place place = l->place;
	struct stat st;

	if (strncmp(name, PART, strlen(PART)) == 0)
		remove_part(dir, name);
	/* Ignore files that are not ours. */
	if (!stet_file_key_good(name) || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !S_ISREG(st.st_mode))
		return STET_OK;
	place.key = stet_strdup(call, name);
	return l->fn(call, &place, (int64_t)st.st_mtime, l->arg);
}

/* Lists one directory, in a scope: its memory is freed afterwards, and its reads are newer than the
 * listing. */
static enum stet_status
list_part(struct stet_call *call, void *arg)
{
	struct listing *l = arg;
	DIR *dir = opendir(l->place.where);
	enum stet_status status = STET_OK;
	const struct dirent *entry;

	if (dir == NULL)
		return STET_OK;
	while (status == STET_OK && (entry = readdir(dir)) != NULL)
		status = see(call, l, dirfd(dir), entry->d_name);
	closedir(dir);
	return status;
}

static enum stet_status
each(struct stet_call *call, const struct stet_conf *conf, const char *module, stet_file_seen *fn,
    void *arg)
{
	struct listing l = { { conf, module, NULL, NULL }, fn, arg };
	enum stet_status status = STET_OK;
	char *where;

	for (unsigned i = 0; i < 256 && status == STET_OK; i++) {
		where = part_of(conf, module, i);
		l.place.where = stet_strdup(call, where);
		free(where);
		status = stet_scope(call, list_part, &l);
	}
	return status;
}

static enum stet_status
sum(struct stet_call *call, const struct stet_file_place *p, char out[STET_SHA256_SIZE])
{
	enum stet_status status;
	int fd;

	STET_TRY(open_file(call, p, &fd));
	status = filesum(fd, out) ? STET_OK : stet_file_failed(call, p->key);
	close(fd);
	return status;
}

const struct stet_file_driver filedir_driver = { .name = CONF_DIRECTORY,
	.put = put,
	.open = open_file,
	.remove = remove_file,
	.each = each,
	.sum = sum };
