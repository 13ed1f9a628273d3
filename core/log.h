/* log.h - one line per event: time, level, text; to standard error or a file, re-opened on SIGHUP.
 */
#ifndef CORE_LOG_H
#define CORE_LOG_H

#include <stet/call.h>

int log_open(
    const char *path, enum stet_level least); /* NULL: standard error. -1 and errno on failure */
void log_reopen(void);
void log_level(enum stet_level least);
bool log_wants(enum stet_level);
void log_line(enum stet_level, const char *fmt, ...) STET_FMT(2, 3);
/* Log what a broken invariant was, and abort. Stays on in release builds. */
_Noreturn void log_bug(const char *file, int line, const char *what);
#define stet_assert(x) ((x) ? (void)0 : log_bug(__FILE__, __LINE__, #x))

#endif
