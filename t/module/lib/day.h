/* day.h - tests of rate limits. Limits outlive a site, so each test runs on a day of its own. */
#ifndef T_DAY_H
#define T_DAY_H

#include "harness.h"

extern int day; /* day of June 2026 */

/* A harness in *state, at noon of the next day. */
int day_begin(void **state);
/* Sets the clock to a time of the day ("12:00:05"). */
void day_at(struct harness *, const char *time);
/* Fails unless the answer has this HTTP status and this OAuth error. */
void day_refused(struct outcome *, int http, const char *error);

#endif
