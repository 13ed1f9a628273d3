/* time.c - times as ISO 8601 text, read to the millisecond. */
#include "base/utf8.h"
#include <stet/call.h>
#include <string.h>

#define DAY_MS INT64_C(86400000)

/* Exactly n digits; false otherwise. Moves *s past them. */
static bool
digits(const char **s, int n, int *out)
{
	*out = 0;
	for (; n > 0; n--, (*s)++) {
		if (!utf8_digit(**s))
			return false;
		*out = *out * 10 + (**s - '0');
	}
	return true;
}

static bool
literal(const char **s, char c)
{
	if (**s != c)
		return false;
	(*s)++;
	return true;
}

/* Days from 1970-01-01 in the proleptic Gregorian calendar. */
static int64_t
days(int year, int month, int day)
{
	int64_t y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400;
	int64_t yoe = y - era * 400;
	int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static bool
parse_date(const char **s, int64_t *day_number)
{
	static const int length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int y, m, d;
	bool leap;

	if (!digits(s, 4, &y) || !literal(s, '-') || !digits(s, 2, &m) || !literal(s, '-') ||
	    !digits(s, 2, &d))
		return false;
	leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
	if (m < 1 || m > 12 || d < 1 || d > length[m - 1] + (m == 2 && leap))
		return false;
	*day_number = days(y, m, d);
	return true;
}

/* HH:mm, HH:mm:ss, HH:mm:ss.f…; digits beyond milliseconds are dropped. */
static bool
parse_clock(const char **s, int64_t *ms)
{
	int h, m, sec = 0, frac = 0, scale = 100;

	if (!digits(s, 2, &h) || !literal(s, ':') || !digits(s, 2, &m))
		return false;
	if (literal(s, ':')) {
		if (!digits(s, 2, &sec))
			return false;
		if (literal(s, '.')) {
			if (!utf8_digit(**s))
				return false;
			for (; utf8_digit(**s); (*s)++, scale /= 10)
				frac += (**s - '0') * scale;
		}
	}
	*ms = ((h * 60 + m) * INT64_C(60) + sec) * 1000 + frac;
	return h <= 23 && m <= 59 && sec <= 59;
}

static bool
parse_offset(const char **s, int64_t *ms)
{
	int h, m, sign = **s == '-' ? -1 : 1;

	*ms = 0;
	if (**s == '\0' || literal(s, 'Z'))
		return true;
	if (**s != '+' && **s != '-')
		return false;
	(*s)++;
	if (!digits(s, 2, &h) || !literal(s, ':') || !digits(s, 2, &m) || h > 23 || m > 59)
		return false;
	*ms = sign * (h * 60 + m) * INT64_C(60000);
	return true;
}

bool
stet_time_parse(const char *s, int64_t *ms)
{
	int64_t day = 0, clock = 0, offset = 0, t;

	if (!parse_date(&s, &day))
		return false;
	if (literal(&s, 'T') && (!parse_clock(&s, &clock) || !parse_offset(&s, &offset)))
		return false;
	if (*s != '\0')
		return false;
	t = day * DAY_MS + clock - offset;
	/* An offset can lead out of the years 0 to 9999. */
	if (t < days(0, 1, 1) * DAY_MS || t >= days(10000, 1, 1) * DAY_MS)
		return false;
	*ms = t;
	return true;
}

int64_t
stet_time_last(const char *s, int64_t ms)
{
	return strchr(s, 'T') == NULL ? ms + DAY_MS - 1 : ms;
}
