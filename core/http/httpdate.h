/* httpdate.h - dates as HTTP writes them (RFC 9110, 5.6.7). */
#ifndef CORE_HTTPDATE_H
#define CORE_HTTPDATE_H

#include <stdbool.h>
#include <stdint.h>

#define HTTPDATE_SIZE 30

/* "Fri, 20 Nov 2026 12:00:00 GMT" */
void httpdate_text(int64_t seconds, char out[HTTPDATE_SIZE]);
/* That, or one of the two older ways. false: it is no date. */
bool httpdate_parse(const char *, int64_t *seconds);

#endif
