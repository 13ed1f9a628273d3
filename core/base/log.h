/* log.h - one line per event: time, level, text; to standard error or a file, re-opened on SIGHUP.
 */
#ifndef CORE_LOG_H
#define CORE_LOG_H

#include <stdatomic.h>
#include <stet/call.h>

int log_open(
    const char *path, enum stet_level least); /* NULL: standard error. -1 and errno on failure */
/* Sets the file of the access log; NULL: none. Its lines are written whole, with their line
 * break. */
int log_access_open(const char *path, bool json);
bool log_access_json(void); /* true: JSON; false: logfmt */
bool log_access_wanted(void);
void log_access(const char *lines, size_t len);
/* Opens the files again by their names. If one cannot be opened, the old one stays in use and
 * that is logged. */
void log_reopen(void);
void log_close(void);
/* The descriptor that lines go to; async-signal-safe. */
int log_fd(void);
void log_level(enum stet_level least);
bool log_wants(enum stet_level);
void log_line(enum stet_level, const char *fmt, ...) STET_FMT(2, 3);
/* For events that may repeat without end: logs one line a minute, with the number of those left
 * out. The caller has a static variable for each kind of event. */
struct log_gate {
	atomic_llong next; /* clock_monotonic */
	atomic_uint held;
};
void log_seldom(struct log_gate *, enum stet_level, const char *fmt, ...) STET_FMT(3, 4);
/* Logs a broken invariant and aborts. Active in release builds too. */
_Noreturn void log_bug(const char *file, int line, const char *what);
#define stet_assert(x) ((x) ? (void)0 : log_bug(__FILE__, __LINE__, #x))

#endif
