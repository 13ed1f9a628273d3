/* retention.c - chooses the backups to keep by count, day, week and month. */
#include "conf/retention.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 1000
#define DAY_MS 86400000

static int *
slot(struct retention *r, char unit)
{
	switch (unit) {
	case '\0':
	case ' ':
		return &r->newest;
	case 'd':
		return &r->days;
	case 'w':
		return &r->weeks;
	case 'm':
		return &r->months;
	default:
		return NULL;
	}
}

bool
retention_parse(const char *text, struct retention *r)
{
	*r = (struct retention){ 0 };
	text += strspn(text, " ");
	if (*text == '\0')
		return false;
	while (*text != '\0') {
		size_t digits = strspn(text, "0123456789");
		long n = strtol(text, NULL, 10);
		int *into = slot(r, text[digits]);

		if (digits == 0 || digits > 4 || n < 1 || n > MOST || into == NULL || *into != 0)
			return false;
		*into = (int)n;
		text += digits;
		if (*text != '\0' && *text != ' ')
			text++;
		if (*text != '\0' && *text != ' ')
			return false;
		text += strspn(text, " ");
	}
	return true;
}

/* Number the day, week and month of a time, so that later periods have greater numbers. The epoch
 * was a Thursday, hence the shift of weeks. */
static int64_t
day_of(int64_t ms)
{
	return ms / DAY_MS;
}

static int64_t
week_of(int64_t ms)
{
	return (ms / DAY_MS + 3) / 7;
}

static int64_t
month_of(int64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm;

	gmtime_r(&seconds, &tm);
	return (int64_t)tm.tm_year * 12 + tm.tm_mon;
}

/* Keeps the newest backup of each of the newest `left` periods. */
static void
choose_newest_of(
    int64_t (*period)(int64_t), int left, const int64_t *times, size_t count, bool *kept)
{
	for (size_t i = 0; i < count && left > 0; i++)
		if (i == 0 || period(times[i]) != period(times[i - 1])) {
			kept[i] = true;
			left--;
		}
}

void
retention_choose(const struct retention *r, const int64_t *times, size_t count, bool *kept)
{
	for (size_t i = 0; i < count; i++)
		kept[i] = i == 0 || i < (size_t)r->newest;
	choose_newest_of(day_of, r->days, times, count, kept);
	choose_newest_of(week_of, r->weeks, times, count, kept);
	choose_newest_of(month_of, r->months, times, count, kept);
}
