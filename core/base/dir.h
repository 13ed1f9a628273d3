/* dir.h - directories: synced, counted, given to their owner; what lies in a site's data directory.
 */
#ifndef CORE_BASE_DIR_H
#define CORE_BASE_DIR_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#define SITE_DATABASE "stet.db"
#define DATADIR_TMP "tmp" /* uploads in progress, copies for backups */
#define DATADIR_COPY \
	"copy-" /* how names of the latter begin; a lock (flock) shows that one is in use */
#define DATADIR_KEY "key" /* the key of the site (sitekey.h) */
#define DATADIR_LOCK "stetd.lock"
#define DATADIR_BACKUPS "backups" /* where the daemon keeps backups by default */
#define DATADIR_FILES "files" /* files of modules (store.c) */
#define DATADIR_CACHE "file-cache" /* files of a bucket (filecache.h); no part of a backup */
#define DATADIR_RESTORING                                                    \
	".restoring-" /* after the name of the site: a restore unpacks there \
		       */
#define DATADIR_UPGRADES "upgrades" /* copies of databases from before migrations */
#define DATADIR_MODULES "modules" /* notes on modules: suspensions, requests (suspension.h) */

/* Make the data directory, its parents, and the program's own directories in it. false: *why, to be
 * freed. */
bool dir_make(const char *data, char **why);
/* Replaces a small file by one that holds this value, atomically; it is durable when this
 * returns true. `name` is relative to the data directory, which is made if necessary. On failure
 * returns false and *why, to be freed. */
bool dir_put_json(const char *data, const char *name, const json_t *value, char **why);
/* The same for any path; `next` is the path of the file that is written first, in the same file
 * system. On failure `next` may remain. */
bool dir_replace_json(const char *path, const char *next, const json_t *value, char **why);

/* Reads all of a regular file that is smaller than `size` bytes, as text. On failure returns false;
 * errno says why. */
bool dir_read_small(int fd, char *text, size_t size);

/* Returns true if the directory of this name in a data directory belongs to the site. */
bool dir_belongs(const char *name);
/* If the process runs as root: gives the file to the owner of the directory it was made in, so
 * that the daemon can use it. */
void dir_give(int fd, const char *directory);
/* The same for a directory. */
void dir_give_path(const char *directory);
/* Returns true if the disk has room for so many bytes, and a reserve. Else *why, to be freed. */
bool dir_room(const char *directory, uint64_t bytes, char **why);
/* Returns why a file or directory with this owner and mode cannot be trusted, as words that follow
 * its name: others than root and the process's user may write it. NULL: it can. */
const char *dir_owner_flaw(const struct stat *);
/* Returns the directory of a file; to be freed. */
char *dir_parent_dup(const char *path);
/* Makes names that were created or changed in the directory survive a power cut. On failure
 * returns false; errno says why. */
bool dir_flush(const char *directory);
/* The same; on failure *why, to be freed. */
bool dir_sync(const char *directory, char **why);
/* A backup copies the rows first, then the files that they name. While it holds the lock (hold),
 * no file is removed; while the lock is seized, no backup begins. Both return a descriptor, to
 * be closed, or -1: there are no files (hold), or a backup runs (seize). */
int dir_files_hold(const char *data);
int dir_files_seize(const char *data);

/* Returns the pid of the daemon that has the directory open, or 0. Not for a process that has it
 * open as a daemon itself. */
int dir_daemon(const char *data);
/* Locks the directory so that no daemon can start. Returns a descriptor to close, or -1 with
 * *why. */
int dir_lock(const char *data, char **why);
/* Leaves the URL of the site in the lock file, for commands: `fd` is what dir_lock has returned. */
void dir_put_url(int fd, const char *url);
/* Returns the URL that the running daemon has left, not checked, to be freed. NULL: no daemon has
 * the directory, or it has left none. Not for a process that has it open as a daemon itself. */
char *dir_daemon_url(const char *data);

#endif
