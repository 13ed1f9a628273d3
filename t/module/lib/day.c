/* day.c - tests with a day of their own. */
#include "day.h"
#include "inside.h"
#include <stdio.h>

int day;

void
day_at(struct harness *h, const char *time)
{
	char text[40];

	(void)snprintf(text, sizeof(text), "2026-06-%02dT%s.000Z", day, time);
	harness_clock(h, text);
}

int
day_begin(void **state)
{
	day++;
	inside_begin(state);
	day_at(*state, "12:00:00");
	return 0;
}

void
day_refused(struct outcome *o, int http, const char *error)
{
	if (o->http != http)
		print_error("answer: %d %s\n", o->http, o->text);
	assert_int_equal(o->http, http);
	assert_string_equal(harness_text(o->body, "error"), error);
}
