/* clock.c - the time. */
#include "base/clock.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define DAY_MS 86400000
/* 0000-01-01 and 9999-12-31T23:59:59.999, in milliseconds from 1970. */
#define FIRST_MS (-62167219200000)
#define LAST_MS 253402300799999

static _Atomic(const char *)
    set_by; /* the path in STET_CLOCK; "" if it is not set, NULL before the first look */
static atomic_llong set_last;

static int64_t
timespec_us(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

/* The time that the file holds, or the real time if there is no file. The file may be empty for
 * a moment while a test rewrites it: then the last time holds. */
static int64_t
set_time(const char *path)
{
	char text[32];
	char *end;
	ssize_t n;
	int64_t ms;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd == -1)
		return timespec_us(CLOCK_REALTIME) / 1000;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	ms = strtoll(text, &end, 10);
	if (end == text)
		return atomic_load(&set_last);
	atomic_store(&set_last, ms);
	return ms;
}

int64_t
clock_now(void)
{
	const char *path = atomic_load_explicit(&set_by, memory_order_relaxed);

	if (path == NULL) {
		path = getenv("STET_CLOCK");
		if (path == NULL)
			path = "";
		atomic_store_explicit(&set_by, path, memory_order_relaxed);
	}
	if (*path != '\0')
		return set_time(path);
	return timespec_us(CLOCK_REALTIME) / 1000;
}

int64_t
clock_monotonic(void)
{
	return timespec_us(CLOCK_MONOTONIC) / 1000;
}

int64_t
clock_coarse_us(void)
{
	return timespec_us(CLOCK_MONOTONIC_COARSE);
}

int64_t
clock_monotonic_us(void)
{
	return timespec_us(CLOCK_MONOTONIC);
}

static void
digits(char *at, unsigned value, int count)
{
	while (count-- > 0) {
		at[count] = (char)('0' + value % 10);
		value /= 10;
	}
}

/* Days from 1970-01-01 to year, month, day of the proleptic Gregorian calendar. The year is taken
 * to begin in March, so that the leap day is its last; 719468 is 0000-03-01. */
static void
civil(int64_t days, unsigned *year, unsigned *month, unsigned *day)
{
	int64_t z = days + 719468;
	int64_t era = (z >= 0 ? z : z - 146096) / 146097;
	unsigned of_era = (unsigned)(z - era * 146097);
	unsigned y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	unsigned of_year = of_era - (365 * y + y / 4 - y / 100);
	unsigned m = (5 * of_year + 2) / 153;

	*day = of_year - (153 * m + 2) / 5 + 1;
	*month = m < 10 ? m + 3 : m - 9;
	*year = (unsigned)((int64_t)y + era * 400 + (*month <= 2 ? 1 : 0));
}

void
clock_text(int64_t ms, char out[CLOCK_TEXT_SIZE])
{
	unsigned year, month, day, rest;
	int64_t days;

	if (ms < FIRST_MS)
		ms = FIRST_MS;
	if (ms > LAST_MS)
		ms = LAST_MS;
	days = ms / DAY_MS - (ms % DAY_MS < 0 ? 1 : 0);
	rest = (unsigned)(ms - days * DAY_MS);
	civil(days, &year, &month, &day);
	digits(out, year, 4);
	out[4] = '-';
	digits(out + 5, month, 2);
	out[7] = '-';
	digits(out + 8, day, 2);
	out[10] = 'T';
	digits(out + 11, rest / 3600000, 2);
	out[13] = ':';
	digits(out + 14, rest / 60000 % 60, 2);
	out[16] = ':';
	digits(out + 17, rest / 1000 % 60, 2);
	out[19] = '.';
	digits(out + 20, rest % 1000, 3);
	out[23] = 'Z';
	out[24] = '\0';
}

void
clock_digits(int64_t ms, char out[CLOCK_TEXT_SIZE])
{
	char text[CLOCK_TEXT_SIZE];

	clock_text(ms, text);
	for (const char *c = text; *c != '\0' && *c != '.'; c++)
		if (*c != '-' && *c != ':')
			*out++ = *c;
	*out++ = 'Z';
	*out = '\0';
}
