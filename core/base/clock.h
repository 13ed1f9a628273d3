/*
 * clock.h - what time it is. Calendar time can be set by tests: when the environment variable
 * STET_CLOCK names a file, its content (milliseconds since the epoch, decimal) is the time.
 */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int64_t clock_now(void); /* milliseconds since the epoch */
int64_t clock_monotonic(void); /* milliseconds; for deadlines; never set */
int64_t clock_monotonic_us(void);
int64_t clock_coarse_us(void); /* the time of the last kernel tick, a few milliseconds old at most:
				  costs next to nothing */
#define CLOCK_TEXT_SIZE 25
/* "2026-11-20T12:00:00.000Z"; years 0 to 9999. */
void clock_text(int64_t ms, char out[CLOCK_TEXT_SIZE]);
/* "20261120T120000Z", for names of files. */
void clock_digits(int64_t ms, char out[CLOCK_TEXT_SIZE]);

#endif
