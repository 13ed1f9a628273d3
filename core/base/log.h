/* log.h - one line per event: time, level, text; to standard error or a file, re-opened on SIGHUP.
 */
#ifndef CORE_LOG_H
#define CORE_LOG_H

#include <stdatomic.h>
#include <stet/call.h>

int log_open(
    const char *path, enum stet_level least); /* NULL: standard error. -1 and errno on failure */
/* The access log; NULL: none. Lines are whole, with their line break. */
int log_access_open(const char *path, bool json);
bool log_access_json(void); /* else logfmt */
bool log_access_wanted(void);
void log_access(const char *lines, size_t len);
/* Open the files by their names again; what cannot be opened goes on as it was, and says so. */
void log_reopen(void);
void log_close(void);
/* Where lines go now; async-signal-safe. */
int log_fd(void);
void log_level(enum stet_level least);
bool log_wants(enum stet_level);
void log_line(enum stet_level, const char *fmt, ...) STET_FMT(2, 3);
/* For what would be told over and over: one line a minute; it says how many were left out since
 * the last. A static one for each reason. */
struct log_gate {
	atomic_llong next; /* clock_monotonic */
	atomic_uint held;
};
void log_seldom(struct log_gate *, enum stet_level, const char *fmt, ...) STET_FMT(3, 4);
/* Log what a broken invariant was, and abort. Stays on in release builds. */
_Noreturn void log_bug(const char *file, int line, const char *what);
#define stet_assert(x) ((x) ? (void)0 : log_bug(__FILE__, __LINE__, #x))

#endif
