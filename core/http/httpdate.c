/*
 * httpdate.c - writes and reads dates of HTTP. Names of days and months are ours, since strftime
 * would take them from the locale; strptime accepts those of the C locale, in which the daemon
 * runs.
 */
#include "http/httpdate.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

void
httpdate_text(int64_t seconds, char out[HTTPDATE_SIZE])
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	time_t at = (time_t)seconds;
	struct tm tm;

	memset(&tm, 0, sizeof(tm));
	(void)gmtime_r(&at, &tm);
	/* The remainders change no value: they show the compiler that the text cannot be longer. */
	(void)snprintf(out, HTTPDATE_SIZE, "%.3s, %02u %.3s %04u %02u:%02u:%02u GMT",
	    days + 3 * tm.tm_wday, (unsigned)tm.tm_mday % 100U, months + 3 * tm.tm_mon,
	    (unsigned)(tm.tm_year + 1900) % 10000U, (unsigned)tm.tm_hour % 100U,
	    (unsigned)tm.tm_min % 100U, (unsigned)tm.tm_sec % 100U);
}

bool
httpdate_parse(const char *text, int64_t *seconds)
{
	static const char *const ways[] = { "%a, %d %b %Y %H:%M:%S GMT",
		"%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y" };

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct tm tm;
		const char *end;

		memset(&tm, 0, sizeof(tm));
		end = strptime(text, ways[i], &tm);
		if (end == NULL || *end != '\0')
			continue;
		*seconds = (int64_t)timegm(&tm);
		return true;
	}
	return false;
}
