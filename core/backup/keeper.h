/*
 * keeper.h - the backups that the daemon makes by itself: when they are due, one after the other,
 * on a thread of the lowest rank; and which old ones go when a new one is whole.
 */
#ifndef CORE_KEEPER_H
#define CORE_KEEPER_H

#include "call/site.h"

/* Where and what came of it, DATA/backup.json: {"tried", "made" (when the last try and the last
 * good one began), "file", "bytes", "ms", "failures" (in all), "error" (of the last try)}. Members
 * are absent before the first of each. */
#define KEEPER_STATUS "backup.json"

/* The site is open, or has other terms: look when its next backup is due. */
void keeper_site(struct site *);
/* The site is going: end what is under way. */
void keeper_forget(struct site *);
/* After jobs_start, and before jobs_stop. */
void keeper_start(void);
void keeper_stop(void);

/* What the status says, for who counts. */
struct keeper_stats {
	int64_t made; /* milliseconds since the epoch; 0: none was yet */
	int64_t due; /* of the next, likewise; it may be past */
	int64_t took; /* milliseconds, of the last good one */
	int64_t bytes, failures;
	int64_t failing; /* 1: the last try was none */
};
/* false: the site has no scheduled backups. */
bool keeper_stats(const struct site *, struct keeper_stats *);

/* When the next is due, in milliseconds, by what the status says; -1: never. */
int64_t keeper_due(const struct conf_site *, const json_t *status, int64_t now);
/* The site's status, never NULL. */
json_t *keeper_status(const char *data);
/* Where they go: to be freed. */
char *keeper_directory(const struct conf_site *);

#endif
