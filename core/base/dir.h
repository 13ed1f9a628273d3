/* dir.h - directories: synced, counted, given to their owner; what lies in a site's data directory.
 */
#ifndef CORE_BASE_DIR_H
#define CORE_BASE_DIR_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define SITE_DATABASE "stet.db"
#define DATADIR_TMP "tmp" /* uploads that are coming, copies for backups */
#define DATADIR_COPY "copy-" /* how the latter begin; flock says that somebody is at one */
#define DATADIR_LOCK "stetd.lock"
#define DATADIR_BACKUPS "backups" /* where the daemon keeps them unless it is told otherwise */
#define DATADIR_FILES "files" /* what modules keep (store.c) */
#define DATADIR_RESTORING                                                       \
	".restoring-" /* behind the name of the site's: a restore unpacks there \
		       */
#define DATADIR_UPGRADES "upgrades" /* databases from before migrations */
#define DATADIR_MODULES "modules" /* notes on modules: suspensions, requests (suspension.h) */

/* Make the data directory, its parents, and the program's own directories in it. false: *why, to be
 * freed. */
bool dir_make(const char *data, char **why);
/* Replace a small file whole, by one that holds this value; durable when it returns true. The name
 * is below the data directory, which is made by then. false: *why, to be freed. */
bool dir_put_json(const char *data, const char *name, const json_t *value, char **why);

/* Does the directory of this name in a data directory belong to the site? */
bool dir_belongs(const char *name);
/* As root, what was made in a directory is given to whoever has that, so that the daemon can use
 * it. */
void dir_give(int fd, const char *directory);
/* The same of a directory that was made. */
void dir_give_path(const char *directory);
/* Is there room for so many bytes, and some more? false: *why, to be freed. */
bool dir_room(const char *directory, uint64_t bytes, char **why);
/* The directory that a file is in; to be freed. */
char *dir_parent_dup(const char *path);
/* Names that were made or changed in it survive a loss of power. false: errno. */
bool dir_flush(const char *directory);
/* The same; false: *why, to be freed. */
bool dir_sync(const char *directory, char **why);
/* A backup takes the rows first, and the files that they name after them: while it holds these,
 * none is removed. Descriptors, closed to let go; -1: there are no files (hold), or a backup is at
 * them (seize, which keeps one from beginning). */
int dir_files_hold(const char *data);
int dir_files_seize(const char *data);

#endif
