/*
 * dates.c - dates and times as sources write them: by ISO 8601, RFC 2822, in words, as numbers in
 * the orders of several countries, or as seconds. A date without a zone is in UTC. A text that is
 * no date as a whole is refused, so that no other date comes of it.
 */
#include "read/dates.h"
#include "read/text.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIGITS "0123456789"
#define TEXT_MAX 80 /* bytes of a date */

struct date {
	int year, month, day, hour, minute, second, ms;
	int zone; /* minutes east of Greenwich */
};

/* ---- pieces ---- */

static const char *
blanks(const char *at)
{
	return at + strspn(at, " \t");
}

/* Reads a number of min to max digits; returns what follows, NULL: there is none. */
static const char *
number(const char *at, size_t min, size_t max, int *out)
{
	size_t len = at != NULL ? strspn(at, DIGITS) : 0;

	if (len < min || len > max)
		return NULL;
	*out = (int)strtol(at, NULL, 10);
	return at + len;
}

static const char *
sign(const char *at, const char *signs)
{
	return at != NULL && *at != '\0' && strchr(signs, *at) != NULL ? at + 1 : NULL;
}

/* Returns the place of a word in a list, from 1: the whole word or its first three letters; 0: it
 * is not in it. *end: what follows. */
static int
word(const char *at, const char *const *list, const char **end)
{
	size_t len = 0;

	while ((at[len] | 0x20) >= 'a' && (at[len] | 0x20) <= 'z')
		len++;
	*end = at + len + (at[len] == '.');
	for (int i = 0; len >= 3 && list[i] != NULL; i++)
		if (strncasecmp(at, list[i], len) == 0 &&
		    (len == 3 || len == strlen(list[i]) ||
			(len == 4 && strncmp(list[i], "Sept", 4) == 0)))
			return i + 1;
	return 0;
}

static int
month(const char *at, const char **end)
{
	static const char *const months[] = { "January", "February", "March", "April", "May",
		"June", "July", "August", "September", "October", "November", "December", NULL };

	return word(at, months, end);
}

static const char *
after_weekday(const char *at)
{
	static const char *const days[] = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
		"Saturday", "Sunday", NULL };
	const char *end;

	if (word(at, days, &end) == 0)
		return at;
	return blanks(end + (*end == ','));
}

/* ---- the time of the day ---- */

static const char *
zone_name(const char *at, struct date *d)
{
	/* RFC 2822, 4.3 */
	static const struct {
		const char *name;
		int hours;
	} zones[] = { { "GMT", 0 }, { "UTC", 0 }, { "UT", 0 }, { "Z", 0 }, { "EST", -5 },
		{ "EDT", -4 }, { "CST", -6 }, { "CDT", -5 }, { "MST", -7 }, { "MDT", -6 },
		{ "PST", -8 }, { "PDT", -7 } };

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		size_t len = strlen(zones[i].name);

		if (strncasecmp(at, zones[i].name, len) == 0) {
			d->zone = zones[i].hours * 60;
			return at + len;
		}
	}
	return at;
}

/* Reads a zone: its name, an offset, or both ("GMT+0100"), and its name in brackets. */
static const char *
zone(const char *at, struct date *d)
{
	int hours = 0, minutes = 0, east;
	const char *end;

	at = zone_name(blanks(at), d);
	if (*at == '+' || *at == '-') {
		east = *at == '+' ? 1 : -1;
		if ((end = number(at + 1, 4, 4, &hours)) != NULL) {
			minutes = hours % 100;
			hours /= 100;
		} else if ((end = number(at + 1, 2, 2, &hours)) == NULL)
			return at;
		else if (*end == ':' && (end = number(end + 1, 2, 2, &minutes)) == NULL)
			return at;
		if (hours > 23 || minutes > 59)
			return at;
		d->zone = east * (hours * 60 + minutes);
		at = end;
	}
	at = blanks(at);
	if (*at == '(' && (end = strchr(at, ')')) != NULL)
		at = blanks(end + 1);
	return at;
}

static const char *
half(const char *at, struct date *d)
{
	const char *p = blanks(at);
	bool after = (*p | 0x20) == 'p';

	if (((*p | 0x20) != 'a' && !after) || (p[1] | 0x20) != 'm' || d->hour < 1 || d->hour > 12)
		return at;
	d->hour = d->hour % 12 + (after ? 12 : 0);
	return p + 2;
}

static const char *
fraction(const char *at, struct date *d)
{
	size_t len = strspn(at + 1, DIGITS);
	int unit = 100;

	for (size_t i = 1; i <= len && i <= 3; i++, unit /= 10)
		d->ms += (at[i] - '0') * unit;
	return at + 1 + len;
}

/* Reads what may follow a date: a time of the day with its zone. Returns false if another text is
 * there. */
static bool
rest(const char *at, struct date *d)
{
	if (*at == ',' || *at == 'T')
		at++;
	at = blanks(at);
	if (strncasecmp(at, "at ", 3) == 0)
		at = blanks(at + 3);
	if (*at == '\0')
		return true;
	at = sign(number(at, 1, 2, &d->hour), ":");
	at = number(at, 2, 2, &d->minute);
	if (at != NULL && *at == ':')
		at = number(at + 1, 2, 2, &d->second);
	if (at != NULL && *at == '.' && at[1] >= '0' && at[1] <= '9')
		at = fraction(at, d);
	if (at == NULL)
		return false;
	at = zone(half(at, d), d);
	return *blanks(at) == '\0' && d->hour < 24 && d->minute < 60 && d->second < 60;
}

/* ---- the day ---- */

static int
days_in(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

static bool
is_day(const struct date *d)
{
	return d->year >= 1 && d->month >= 1 && d->month <= 12 && d->day >= 1 &&
	       d->day <= days_in(d->year, d->month);
}

static int64_t
ms_of(const struct date *d)
{
	int64_t days = 0, y = d->year - 1;

	for (int m = 1; m < d->month; m++)
		days += days_in(d->year, m);
	days += y * 365 + y / 4 - y / 100 + y / 400 + d->day - 719163; /* 1970-01-01 */
	return ((days * 1440 + d->hour * 60 + d->minute - d->zone) * 60 + d->second) * 1000 + d->ms;
}

/* 2013/7/13 */
static bool
year_first(const char *text, struct date *d)
{
	const char *at = number(text, 4, 4, &d->year), *first = at;

	at = sign(at, "/.-");
	at = number(at, 1, 2, &d->month);
	if (at == NULL || *at != *first)
		return false;
	at = number(at + 1, 1, 2, &d->day);
	return at != NULL && rest(at, d) && is_day(d);
}

/* 13.7.2013, 13/7/2013, 13-7-2013. Returns the possible orders. */
static unsigned
year_last(const char *text, unsigned order, struct date *d)
{
	int first, second;
	const char *at = number(text, 1, 2, &first), *between = at;
	unsigned out = 0;

	at = sign(at, "/.-");
	at = number(at, 1, 2, &second);
	if (at == NULL || *at != *between)
		return 0;
	at = number(at + 1, 4, 4, &d->year);
	if (at == NULL || !rest(at, d))
		return 0;
	for (unsigned o = DATES_DMY; o <= DATES_MDY; o++) {
		struct date one = *d;

		one.day = o == DATES_DMY ? first : second;
		one.month = o == DATES_DMY ? second : first;
		if (!is_day(&one) || (o == DATES_MDY && *between == '.'))
			continue;
		out |= o;
		if ((o & order) != 0)
			*d = one;
	}
	return out == DATES_ANY && first == second ? DATES_ANY | DATES_SURE : out;
}

/* Skips what may stand behind the number of a day: "13th", "13." */
static const char *
after_day(const char *at)
{
	static const char *const ends[] = { "st", "nd", "rd", "th", "." };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strncasecmp(at, ends[i], strlen(ends[i])) == 0)
			return at + strlen(ends[i]);
	return at;
}

/* "13 July 2013", "13th of July, 2013", "July 13, 2013" */
static bool
in_words(const char *text, struct date *d)
{
	const char *at = after_weekday(blanks(text)), *end;
	bool first = (d->month = month(at, &end)) > 0;

	at = first ? blanks(end) : at;
	if ((at = number(at, 1, 2, &d->day)) == NULL)
		return false;
	at = after_day(at);
	at += !first && *at == '-'; /* 13-Jul-2013 */
	at = blanks(at);
	if (!first && strncasecmp(at, "of ", 3) == 0)
		at = blanks(at + 3);
	if (!first && (d->month = month(at, &end)) == 0)
		return false;
	at = first ? at : end;
	at += *at == ',' || (!first && *at == '-');
	at = number(blanks(at), 4, 4, &d->year);
	return at != NULL && rest(at, d) && is_day(d);
}

/* "Thu Jan 02 10:00:00 2020", as programs in C write it: the year is the last. */
static bool
year_at_end(const char *text, struct date *d)
{
	const char *at = after_weekday(text), *end, *year = strrchr(text, ' ');
	char time[TEXT_MAX];

	if ((d->month = month(at, &end)) == 0 || year == NULL)
		return false;
	at = number(blanks(end), 1, 2, &d->day);
	end = number(year + 1, 4, 4, &d->year);
	if (at == NULL || end == NULL || *end != '\0' || at >= year)
		return false;
	memcpy(time, at, (size_t)(year - at));
	time[year - at] = '\0';
	return strchr(time, ':') != NULL && rest(time, d) && is_day(d);
}

/* Returns the orders in which the text is a date; *ms: the time in one of `order`. */
static unsigned
orders(struct stet_call *call, const char *text, unsigned order, int64_t *ms)
{
	struct date d = { 0 };
	const char *iso = text_time(call, text);
	unsigned out;

	if (iso != NULL && stet_time_parse(iso, ms))
		return DATES_ANY | DATES_SURE;
	if (year_first(text, &d))
		out = DATES_ANY | DATES_SURE;
	else if (d = (struct date){ 0 }, (out = year_last(text, order, &d)) == 0) {
		d = (struct date){ 0 };
		out = in_words(text, &d) || (d = (struct date){ 0 }, year_at_end(text, &d))
			  ? DATES_ANY | DATES_SURE
			  : 0;
	}
	if (out != 0)
		*ms = ms_of(&d);
	return out;
}

/* ---- texts ---- */

/* Returns the text without blanks around it; "": it is too long. */
static const char *
trimmed(struct stet_call *call, const char *text)
{
	size_t len;

	text += strspn(text, " \t\r\n");
	len = strlen(text);
	while (len > 0 && strchr(" \t\r\n", text[len - 1]) != NULL)
		len--;
	return len < TEXT_MAX ? stet_strndup(call, text, len) : "";
}

/* 20130713, seconds or milliseconds since 1970. */
static bool
digits_alone(struct stet_call *call, const char *text, size_t len, int64_t *ms)
{
	*ms = strtoll(text, NULL, 10);
	if (len == 8)
		return orders(call, stet_printf(call, "%.4s-%.2s-%.2s", text, text + 4, text + 6),
			   DATES_ANY, ms) != 0;
	if (len == 9 || len == 10)
		*ms *= 1000;
	return len == 9 || len == 10 || len == 12 || len == 13;
}

unsigned
dates_orders(struct stet_call *call, const char *text)
{
	int64_t ms;

	if (strpbrk(text, DIGITS) == NULL)
		return 0;
	text = trimmed(call, text);
	return text[strspn(text, DIGITS)] != '\0' ? orders(call, text, DATES_ANY, &ms) : 0;
}

const char *
dates_read(struct stet_call *call, const char *text, unsigned order)
{
	int64_t ms = 0;
	unsigned can;
	size_t len;

	text = trimmed(call, text);
	len = strspn(text, DIGITS);
	if (len > 0 && text[len] == '\0')
		return digits_alone(call, text, len, &ms) ? stet_time_text(call, ms) : NULL;
	can = orders(call, text, order, &ms);
	/* A date that both orders make needs one of them. */
	return (can & order) != 0 && (can != DATES_ANY || order != DATES_ANY)
		   ? stet_time_text(call, ms)
		   : NULL;
}
