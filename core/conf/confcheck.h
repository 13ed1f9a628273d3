/* confcheck.h - checks of the values in stet.conf. */
#ifndef CORE_CONFCHECK_H
#define CORE_CONFCHECK_H

#include "conf/conf.h"
#include <stdbool.h>
#include <stdint.h>

/* The words that a key allows, with NULL at the end. */
extern const char *const confcheck_levels[]; /* by enum stet_level */
extern const char *const confcheck_formats[];

/* Reads "writes 120/1m" or "reads off". Returns false for anything else. */
bool confcheck_rate(const char *text, enum conf_class *, struct conf_rate *);
/* Reads a duration: "10s", "250ms", "5m", "1h", "2d". Returns milliseconds, at most a year, or -1
 * if it is malformed. */
int64_t confcheck_duration(const char *);
/* Reads a size: "65536", "64KiB", "256MiB", "1GiB". Returns bytes, at most a PiB, or -1 if it is
 * malformed. */
int64_t confcheck_size(const char *);
/* Reads "HH:MM". Returns the minute of the day, or -1 if it is malformed. */
int confcheck_minute(const char *);

/* A check of a value, and what the error says if it fails: "is not a file". good NULL: one of the
 * choices of the key. */
struct conf_check {
	bool (*good)(const char *);
	const char *want;
};
extern const struct conf_check confcheck_address, confcheck_tls_address, confcheck_metrics_address,
    confcheck_block, confcheck_host, confcheck_url, confcheck_base, confcheck_origin,
    confcheck_passkey_origin;
extern const struct conf_check confcheck_some, confcheck_file, confcheck_directory,
    confcheck_directories, confcheck_absolute, confcheck_user, confcheck_name, confcheck_locale,
    confcheck_module, confcheck_level, confcheck_format, confcheck_driver, confcheck_search;
/* By enum conf_public_search; NULL at the end. */
extern const char *const confcheck_searches[];
extern const struct conf_check confcheck_timeout, confcheck_threshold, confcheck_bound,
    confcheck_seconds, confcheck_period, confcheck_time;
extern const struct conf_check confcheck_memory, confcheck_cache, confcheck_bytes, confcheck_rates,
    confcheck_token_rates, confcheck_keep, confcheck_key;

/* Returns true if the word is one of these; NULL at the end. */
bool confcheck_is_one_of(const char *, const char *const *words);
/* Returns true if a driver can have this name: letters a to z and digits, a letter first. */
bool confcheck_driver_name(const char *);

/* Checks what concerns several keys. Returns NULL, or what is wrong, which the caller frees. */
char *confcheck_whole(const struct conf *);
/* Returns true if a site can have this name: it is used in commands and in the path of its
 * default directory. */
bool confcheck_title(const char *);

#endif
