/* httpdate.h - dates in the formats of HTTP headers (RFC 9110, 5.6.7). */
#ifndef CORE_HTTPDATE_H
#define CORE_HTTPDATE_H

#include <stdbool.h>
#include <stdint.h>

#define HTTPDATE_SIZE 30

/* Writes the preferred format, "Fri, 20 Nov 2026 12:00:00 GMT". `seconds` counts from the epoch. */
void httpdate_text(int64_t seconds, char out[HTTPDATE_SIZE]);
/* Reads the preferred format or one of the two obsolete ones (RFC 850, asctime). Returns false if
 * the text is no date. */
bool httpdate_parse(const char *, int64_t *seconds);

#endif
