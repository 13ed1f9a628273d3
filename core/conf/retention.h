/*
 * retention.h - the rules of backup-keep: which backups are kept and which may be deleted. A rule
 * counts the newest backups, or the newest one of each of so many days, weeks or months.
 */
#ifndef CORE_RETENTION_H
#define CORE_RETENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct retention {
	int newest, days, weeks, months;
};
/* Reads "10", "7d 4w 6m" or "3 7d"; each unit at most once. Returns false if it is malformed. */
bool retention_parse(const char *text, struct retention *);
/* Sets kept[i] for each time that is kept. times are milliseconds since the epoch, newest first;
 * the newest is always kept. Days, weeks (from Monday) and months are those of UTC. Periods
 * without a backup are skipped and not counted. */
void retention_choose(const struct retention *, const int64_t *times, size_t count, bool *kept);

#endif
