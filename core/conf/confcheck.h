/* confcheck.h - what the values of stet.conf may be. */
#ifndef CORE_CONFCHECK_H
#define CORE_CONFCHECK_H

#include "conf/conf.h"
#include <stdbool.h>
#include <stdint.h>

/* Choices; NULL at the end. */
extern const char *const confcheck_levels[]; /* by enum stet_level */
extern const char *const confcheck_formats[];

/* "writes 120/1m", "reads off": false for anything else. */
bool confcheck_rate(const char *text, enum conf_class *, struct conf_rate *);
/* "10s", "250ms", "5m", "1h", "2d": milliseconds, or -1. At most a year. */
int64_t confcheck_duration(const char *);
/* "65536", "64KiB", "256MiB", "1GiB": bytes, or -1. At most a PiB. */
int64_t confcheck_size(const char *);
/* The minute of the day of "HH:MM"; -1: it is none. */
int confcheck_minute(const char *);

/* A host name or address, and perhaps a port, as in a URL. */
bool confcheck_authority(const char *text, size_t len);

/* What must hold for a value, and what to say when it does not: "is not a file". */
struct conf_check {
	bool (*good)(const char *);
	const char *want;
};
extern const struct conf_check confcheck_address, confcheck_tls_address, confcheck_metrics_address,
    confcheck_block, confcheck_host, confcheck_url, confcheck_origin;
extern const struct conf_check confcheck_file, confcheck_directory, confcheck_directories,
    confcheck_absolute, confcheck_user, confcheck_locale, confcheck_module, confcheck_level,
    confcheck_format;
extern const struct conf_check confcheck_timeout, confcheck_threshold, confcheck_bound,
    confcheck_seconds, confcheck_period, confcheck_time;
extern const struct conf_check confcheck_memory, confcheck_cache, confcheck_rates,
    confcheck_token_rates, confcheck_keep, confcheck_key;

/* What no single value shows. NULL when all is well, else what is wrong; free it. */
char *confcheck_whole(const struct conf *);
/* A site's name: a word of commands, and of its default directory. */
bool confcheck_title(const char *);

#endif
