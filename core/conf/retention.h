/* retention.h - which backups are kept: so many, and the newest of so many days, weeks, months. */
#ifndef CORE_RETENTION_H
#define CORE_RETENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct retention {
	int newest, days, weeks, months;
};
/* "10", "7d 4w 6m", "3 7d": each number at most once. false: it is none. */
bool retention_parse(const char *text, struct retention *);
/* Of times (milliseconds, newest first): which are kept. The newest always is. Days, weeks (from
 * Monday) and months are those of UTC; one without a backup does not count. */
void retention_choose(const struct retention *, const int64_t *times, size_t count, bool *kept);

#endif
