/*
 * keeper.h - the backups that the daemon makes, by its schedule or since somebody asked: one after
 * the other, on a thread of the lowest rank. Old ones are removed when a new one is whole (kept.h).
 */
#ifndef CORE_KEEPER_H
#define CORE_KEEPER_H

#include "call/site.h"

/* Where and what came of it, DATA/backup.json: {"tried", "made" (when the last try and the last
 * good one began), "file", "bytes", "ms", "failures" (in all), "error" (of the last try), "asked"
 * (the same of those that were asked for)}. Members are absent before the first of each. */
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
/* The time between two of them, in milliseconds; 0: none are scheduled. If the last is older than
 * two of these, the next is overdue. */
int64_t keeper_period(const struct conf_site *);

/* Asks for a backup and does not wait for it. Any thread. KEEPER_BUSY: one of the site is being
 * made, or waits. KEEPER_ABSENT: this process makes none. A request that still waits when the
 * daemon stops is forgotten. Unless `really`, says what the answer would be, and asks for none. */
enum keeper_asked { KEEPER_ASKED, KEEPER_BUSY, KEEPER_ABSENT };
enum keeper_asked keeper_ask(struct site *, bool really);

struct keeper_progress {
	const char *step; /* static text */
	uint64_t done, all; /* bytes or pages of the step; 0, 0: not known */
};
struct keeper_state {
	bool running, waiting; /* waiting: behind the backup of another site */
	struct keeper_progress progress; /* of the running one */
	int64_t due; /* as keeper_due */
	json_t *status; /* owned by the caller */
};
void keeper_look(struct site *, struct keeper_state *);

#endif
