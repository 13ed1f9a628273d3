/* datadir.c - creates and locks the data directory of a site. */
#include "site/datadir.h"
#include "base/arena.h"
#include "base/dir.h"
#include "base/leftover.h"
#include "base/log.h"
#include "base/words.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The sites whose data directories this process has open. */
static struct {
	pthread_mutex_t lock;
	struct site *first;
} opened = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- creating and locking ---- */

bool
datadir_make(struct site *site, char **why)
{
	struct stat st;

	if (!dir_make(site->conf.data, why))
		return false;
	if (stat(site->conf.data, &st) != 0) {
		*why = words_format("%s: %s", site->conf.data, strerror(errno));
		return false;
	}
	site->device = (uint64_t)st.st_dev;
	site->inode = (uint64_t)st.st_ino;
	return true;
}

/* POSIX locks belong to the process, and closing any descriptor of the file drops them. So a
 * daemon's lock file is opened only once per process. */
static struct site *
daemon_here(const struct site *site)
{
	struct site *other;

	pthread_mutex_lock(&opened.lock);
	for (other = opened.first; other != NULL; other = other->next)
		if (other->daemon && other->device == site->device && other->inode == site->inode)
			break;
	pthread_mutex_unlock(&opened.lock);
	return other;
}

static bool
take_lock(struct site *site, char **why)
{
	const struct site *other = daemon_here(site);

	if (other != NULL) {
		*why = words_format("%s is the data directory of site %s already", site->conf.data,
		    other->conf.name);
		return false;
	}
	site->lock_fd = dir_lock(site->conf.data, why);
	return site->lock_fd >= 0;
}

int
datadir_site_daemon(const struct site *site)
{
	return daemon_here(site) != NULL ? (int)getpid() : dir_daemon(site->conf.data);
}

void
datadir_tell_daemon(const struct site *site)
{
	int pid = site->daemon ? 0 : datadir_site_daemon(site);

	if (pid > 0 && pid != (int)getpid() && kill(pid, SIGHUP) != 0)
		log_line(STET_WARN, "site %s: the daemon (process %d) was not told: %s",
		    site->conf.name, pid, strerror(errno));
}

/* Returns true if the file is a copy of a database whose writer has ended. */
static bool
copy_left(int directory, const char *name)
{
	int fd;
	bool left;

	if (strncmp(name, DATADIR_COPY, strlen(DATADIR_COPY)) != 0)
		return false;
	if ((fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) < 0)
		return false;
	left = flock(fd, LOCK_EX | LOCK_NB) == 0;
	close(fd);
	return left;
}

/* Deletes files of uploads that a killed daemon has left; those of this daemon are deleted with
 * their calls. Only the daemon creates any, and it holds the lock. */
static void
sweep_uploads(const struct site *site)
{
	DIR *dir = opendir(site->tmp_path);
	const struct dirent *entry;
	unsigned gone = 0;

	if (dir == NULL) {
		log_line(STET_WARN, "%s: %s", site->tmp_path, strerror(errno));
		return;
	}
	while ((entry = readdir(dir)) != NULL)
		if (strncmp(entry->d_name, "upload-", 7) == 0 ||
		    copy_left(dirfd(dir), entry->d_name))
			gone += unlinkat(dirfd(dir), entry->d_name, 0) == 0;
	closedir(dir);
	if (gone > 0)
		log_line(STET_INFO,
		    "site %s: %u files of interrupted uploads and backups are removed",
		    site->conf.name, gone);
}

bool
datadir_take(struct site *site, char **why)
{
	if (site->daemon && !take_lock(site, why))
		return false;
	if (site->daemon) {
		char *real = realpath(site->conf.data, NULL);

		sweep_uploads(site);
		if (real != NULL)
			leftover_sweep(real, DATADIR_RESTORING);
		free(real);
	}
	pthread_mutex_lock(&opened.lock);
	site->next = opened.first;
	opened.first = site;
	pthread_mutex_unlock(&opened.lock);
	return true;
}

void
datadir_put_url(const struct site *site)
{
	if (site->lock_fd >= 0)
		dir_put_url(site->lock_fd, site->conf.base_url);
}

void
datadir_leave(struct site *site)
{
	pthread_mutex_lock(&opened.lock);
	for (struct site **at = &opened.first; *at != NULL; at = &(*at)->next)
		if (*at == site) {
			*at = site->next;
			break;
		}
	pthread_mutex_unlock(&opened.lock);
	if (site->lock_fd >= 0)
		close(site->lock_fd);
	site->lock_fd = -1;
}
