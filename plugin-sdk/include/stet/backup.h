/*
 * backup.h - the backups of a site that the daemon makes: reads their state, and requests one. The
 * daemon makes them as the keys backup-* of stet.conf(5) say, one at a time for all sites, on a
 * thread of its own.
 */
#ifndef STET_BACKUP_H
#define STET_BACKUP_H

#include <stet/call.h>

#define STET_BACKUPS_MAX 200 /* archives listed at most: the newest */

/* Returns the state of the backups, owned by the call. It reads a directory, so call it in the slow
 * lane. An object:
 *
 *   state       "idle", "waiting" (behind the backup of another site) or "running"
 *   progress    while it runs: step, done, all (0: not known)
 *   schedule    at ("03:30", UTC) or everyMs; absent: none are scheduled
 *   nextAt      when the next backup is due (may be in the past); absent: none are scheduled
 *   isOverdue   the last scheduled backup is older than two periods
 *   scheduled, requested
 *               results of each kind: triedAt and error of the last attempt; madeAt, path, bytes
 *               and ms of the last success; failures in total. Absent before the first attempt
 *   directory, keep, isSealed
 *               from the configuration; without keep, all archives are kept
 *   archives    the existing archives, newest first: name, createdAt, bytes, isRequested
 *   archiveCount, archiveBytes
 *               number and total size of all existing archives
 *   problem     why the directory cannot be read; absent: it can be read
 *
 * Of several daemons, each has archives of its own; the results of scheduled ones are those of all.
 * NULL after a failure, which it records. */
STET_API json_t *stet_backups(struct stet_call *);
/* Requests a backup and does not wait for it. Fails with STET_CONFLICT if a backup of the site is
 * running or waiting, and in a process that makes no backups, such as a command. */
STET_API STET_MUST enum stet_status stet_backup_ask(struct stet_call *);
/* Fails if stet_backup_ask would fail now. Requests nothing. */
STET_API STET_MUST enum stet_status stet_backup_askable(struct stet_call *);

#endif
