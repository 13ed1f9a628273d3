/*
 * kept.h - the archives that the daemon has made of a site: their names, their list, and the
 * removal of old ones.
 *
 * "SITE-20261122T093000Z.tar.zst" is a scheduled backup, "SITE-20261122T093000Z-asked.tar.zst" a
 * requested one; ".sealed" follows if it is encrypted. The two kinds have separate retention, so
 * that requested backups never displace scheduled ones.
 */
#ifndef CORE_KEPT_H
#define CORE_KEPT_H

#include "conf/conf.h"

#define KEPT_ASKED 3 /* requested backups that are kept */

struct kept {
	char *name;
	int64_t at; /* milliseconds since the epoch */
	bool asked;
	uint64_t bytes; /* 0: unknown */
};

/* Return the directory of the archives, and the path of a new one. To be freed. For a second
 * request within a second, the name is a second later. */
char *kept_directory(const struct conf_site *);
char *kept_path(const struct conf_site *, const char *directory, int64_t now, bool asked);
/* Returns the archives of the site in its directory, the newest first; kept_free frees the list.
 * NULL: there are none, or the directory cannot be read (*why, to be freed, unless it does not
 * exist). */
struct kept *kept_list(const struct conf_site *, size_t *count, char **why);
void kept_free(struct kept *, size_t count);
/* Removes the old archives of this kind, by backup-keep or KEPT_ASKED. */
void kept_prune(const struct conf_site *, bool asked);
/* Removes unfinished archives of a killed daemon. */
void kept_remove_begun(const struct conf_site *);

#endif
