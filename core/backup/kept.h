/*
 * kept.h - the archives that the daemon has made of a site: their names, which of them are there,
 * and which old ones are removed.
 *
 * "SITE-20261122T093000Z.tar.zst" is a scheduled backup, "SITE-20261122T093000Z-asked.tar.zst" one
 * that somebody asked for; ".sealed" follows if it is encrypted. The two kinds are removed apart,
 * so that asking for backups never removes scheduled ones.
 */
#ifndef CORE_KEPT_H
#define CORE_KEPT_H

#include "conf/conf.h"

#define KEPT_ASKED 3 /* so many of those that were asked for stay */

struct kept {
	char *name;
	int64_t at; /* milliseconds since the epoch */
	bool asked;
	uint64_t bytes; /* 0: it cannot be looked at */
};

/* The directory of the archives, and the path of one that is made now. To be freed. If somebody
 * asks twice in a second, the second one is named as if it were made a second later. */
char *kept_directory(const struct conf_site *);
char *kept_path(const struct conf_site *, const char *directory, int64_t now, bool asked);
/* The archives of the site in its directory, the newest first; kept_free frees the list. NULL:
 * there are none, or the directory cannot be read (*why, to be freed, unless it is not there). */
struct kept *kept_list(const struct conf_site *, size_t *count, char **why);
void kept_free(struct kept *, size_t count);
/* Removes the old archives of this kind, by backup-keep or KEPT_ASKED. */
void kept_prune(const struct conf_site *, bool asked);
/* Removes what a daemon that was killed had begun to write. */
void kept_remove_begun(const struct conf_site *);

#endif
