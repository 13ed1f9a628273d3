/* confcheck.h - what the values of stet.conf may be. */
#ifndef CORE_CONFCHECK_H
#define CORE_CONFCHECK_H

#include "conf.h"
#include <stdbool.h>
#include <stdint.h>

extern const char *const confcheck_levels[]; /* by enum stet_level; NULL at the end */

/* "writes 120/1m", "reads off": false for anything else. */
bool confcheck_rate(const char *text, enum conf_class *, struct conf_rate *);
/* "10s", "250ms", "5m", "1h", "2d": milliseconds, or -1. At most a year. */
int64_t confcheck_duration(const char *);
/* "65536", "64KiB", "256MiB", "1GiB": bytes, or -1. At most a PiB. */
int64_t confcheck_size(const char *);
/* The minute of the day of "HH:MM"; -1: it is none. */
int confcheck_minute(const char *);
/* Is this a good value of the key? NULL when it is, else what is wanted instead. */
const char *confcheck_word(const char *key, const char *value);
/* May the list of this key be empty? NULL when it may, else what is wanted in it. */
const char *confcheck_empty(const char *key);
/* What no single value shows. NULL when all is well, else what is wrong; free it. */
char *confcheck_whole(const struct conf *);
/* A site's name: a word of commands, and of its default directory. */
bool confcheck_title(const char *);

#endif
