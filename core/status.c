/* status.c - names, HTTP statuses and texts of outcomes. */
#include "log.h"
#include <stddef.h>
#include <stet/status.h>

static const struct {
	const char *name, *text;
	int http;
} table[] = {
#define STET_STATUS(name, http, level, text) { #name, text, http },
#include <stet/status.def>
#undef STET_STATUS
};

const char *
stet_status_name(enum stet_status s)
{
	stet_assert(s < STET_STATUS_COUNT);
	return table[s].name;
}

int
stet_status_http(enum stet_status s)
{
	stet_assert(s < STET_STATUS_COUNT);
	return table[s].http;
}

const char *
stet_status_text(enum stet_status s)
{
	stet_assert(s < STET_STATUS_COUNT);
	return table[s].text;
}
