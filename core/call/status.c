/* status.c - names, HTTP statuses and texts of outcomes. */
#include "call/status.h"
#include "base/log.h"
#include "call/call.h"
#include <stddef.h>

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

enum stet_status
status_of_head(int http)
{
	switch (http) {
	case 431:
		return STET_HEADERS_TOO_LARGE;
	case 413:
		return STET_PAYLOAD_TOO_LARGE;
	case 417:
		return STET_EXPECTATION_FAILED;
	case 501:
		return STET_NOT_IMPLEMENTED;
	case 505:
		return STET_VERSION_NOT_SUPPORTED;
	default:
		return STET_INVALID_REQUEST;
	}
}
