/*
 * keeper.h - backups that the daemon makes, by schedule or on request: one at a time, on a thread
 * of the lowest priority. Old ones are removed when a new one is complete (kept.h).
 */
#ifndef CORE_KEEPER_H
#define CORE_KEEPER_H

#include "call/site.h"

/* The status file, DATA/backup.json: {"tried", "made" (start of the last attempt and of the last
 * success), "file", "bytes", "ms", "failures" (in total), "error" (of the last attempt), "asked"
 * (the same members for requested backups)}. Members are absent before they first apply. */
#define KEEPER_STATUS "backup.json"

/* The site was opened or reconfigured: schedules its next backup. */
void keeper_site(struct site *);
/* The site closes: ends its running or pending backup. */
void keeper_forget(struct site *);
/* After jobs_start, and before jobs_stop. */
void keeper_start(void);
void keeper_stop(void);

/* Numbers of the status, for metrics. */
struct keeper_stats {
	int64_t made; /* milliseconds since the epoch; 0: none was yet */
	int64_t due; /* time of the next, in ms since the epoch; may be past */
	int64_t took; /* duration of the last success, in milliseconds */
	int64_t bytes, failures;
	int64_t failing; /* 1: the last attempt failed */
};
/* Returns false if the site has no scheduled backups. */
bool keeper_stats(const struct site *, struct keeper_stats *);

/* Returns when the next backup is due, in milliseconds, by the status; -1: never. */
int64_t keeper_due(const struct conf_site *, const json_t *status, int64_t now);
/* Returns the site's status, never NULL. */
json_t *keeper_status(const char *data);
/* Returns the time between two scheduled backups in milliseconds; 0: none are scheduled. If the
 * last one is older than two periods, the next is overdue. */
int64_t keeper_period(const struct conf_site *);

/* Requests a backup and does not wait for it. Any thread. KEEPER_BUSY: a backup of the site is
 * running or pending. KEEPER_ABSENT: this process makes none. A pending request is lost when the
 * daemon stops. Unless `really`, only returns what the answer would be. */
enum keeper_asked { KEEPER_ASKED, KEEPER_BUSY, KEEPER_ABSENT };
enum keeper_asked keeper_ask(struct site *, bool really);

struct keeper_progress {
	const char *step; /* static text */
	uint64_t done, all; /* bytes or pages of the step; 0, 0: not known */
};
struct keeper_state {
	bool running, waiting; /* waiting: for the backup of another site */
	struct keeper_progress progress; /* progress of the running backup */
	int64_t due; /* see keeper_due */
	json_t *status; /* owned by the caller */
};
void keeper_look(struct site *, struct keeper_state *);

#endif
