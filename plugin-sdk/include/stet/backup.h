/*
 * backup.h - the backups of a site that its daemon makes: what is known of them, and one asked for
 * now. The daemon makes them by the keys backup-* of stet.conf(5), one at a time for all sites, on
 * a thread of its own.
 */
#ifndef STET_BACKUP_H
#define STET_BACKUP_H

#include <stet/call.h>

#define STET_BACKUPS_MAX 200 /* archives that are listed, the newest */

/* What is known, owned by the call; reads a directory, so call it in the slow lane. An object:
 *
 *   state       "idle", "waiting" (behind the backup of another site) or "running"
 *   progress    while it runs: step, done, all (0: not known)
 *   schedule    at ("03:30", UTC) or everyMs; absent: none are scheduled
 *   nextAt      when the next is due, which may be past; absent: none are scheduled
 *   isOverdue   the last scheduled one is older than two periods
 *   scheduled, requested
 *               what came of each kind: triedAt and error of the last try; madeAt, path, bytes
 *               and ms of the last good one; failures in all. Absent before the first
 *   directory, keep, isSealed
 *               of the configuration; without keep all stay
 *   archives    those that are there, the newest first: name, createdAt, bytes, isRequested
 *   archiveCount, archiveBytes
 *               of all that are there
 *   problem     why the directory cannot be read; absent: it can */
STET_API json_t *stet_backups(struct stet_call *);
/* Asks for a backup and does not wait for it. Fails with STET_CONFLICT if one of the site is being
 * made or waits, and in a process that makes none, such as a command. */
STET_API STET_MUST enum stet_status stet_backup_ask(struct stet_call *);
/* Fails as stet_backup_ask would now, and asks for nothing. */
STET_API STET_MUST enum stet_status stet_backup_askable(struct stet_call *);

#endif
