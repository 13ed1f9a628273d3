/*
 * filedir.c - files of modules in the data directory: DATA/files/MODULE/xx/KEY. xx is one of 256
 * directories, computed from the key, so that none becomes long. A temporary file is linked into
 * place, not copied: both are on one file system, and link fails at once if the key exists.
 */
#include "files/filedir.h"
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
#include <unistd.h>
#include <xxhash.h>

/* ---- paths ---- */

static const char *
directory_of(struct stet_call *call, const struct stet_file_place *p)
{
	return stet_printf(call, "%s/" DATADIR_FILES "/%s/%02x", conf_of(p->conf)->data, p->module,
	    (unsigned)(XXH3_64bits(p->key, strlen(p->key)) & 0xff));
}

/* Returns the path, which the caller frees, since a file may be removed without a call. */
static char *
path_of(const struct stet_file_place *p)
{
	/* A file from a listing is removed where it was found, even if that is the wrong
	 * directory. */
	if (p->where != NULL)
		return words_format("%s/%s", p->where, p->key);
	return words_format("%s/" DATADIR_FILES "/%s/%02x/%s", conf_of(p->conf)->data, p->module,
	    (unsigned)(XXH3_64bits(p->key, strlen(p->key)) & 0xff), p->key);
}

static enum stet_status
sync_directory(struct stet_call *call, const char *path)
{
	return dir_flush(path) ? STET_OK : stet_file_failed(call, path);
}

/* Makes the directory of a key, and its parents up to the data directory. */
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

static enum stet_status
put(struct stet_call *call, const struct stet_file_place *p, const char *from)
{
	const char *directory = directory_of(call, p);
	char *to = path_of(p);
	int fd = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	enum stet_status status = STET_OK;

	if (fd < 0 || fsync(fd) != 0)
		status = stet_file_failed(call, from);
	if (fd >= 0)
		close(fd);
	if (status == STET_OK)
		status = make_directories(call, directory, 2);
	if (status == STET_OK && link(from, to) != 0)
		status = errno == EEXIST ? stet_fail(call, STET_CONFLICT, NULL,
					       "There is a file %s already", p->key)
					 : stet_file_failed(call, to);
	else if (status == STET_OK && (status = sync_directory(call, directory)) != STET_OK)
		(void)unlink(to);
	else if (status == STET_OK)
		(void)unlink(from);
	free(to);
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
	char *path = path_of(p);
	bool gone;

	errno = 0;
	gone = named ? unlink_alone(conf_of(p->conf)->data, path) : unlink(path) == 0;
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

static enum stet_status
see(struct stet_call *call, struct listing *l, int dir, const char *name)
{
	struct stet_file_place place = l->place;
	struct stat st;

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

	for (unsigned i = 0; i < 256; i++) {
		l.place.where = stet_printf(
		    call, "%s/" DATADIR_FILES "/%s/%02x", conf_of(conf)->data, module, i);
		STET_TRY(stet_scope(call, list_part, &l));
	}
	return STET_OK;
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
