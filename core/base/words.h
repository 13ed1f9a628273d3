/* words.h - text formatted as by printf, in memory of its own: mostly the reason why something
 * failed. */
#ifndef CORE_BASE_WORDS_H
#define CORE_BASE_WORDS_H

#include <stdarg.h>
#include <stet/status.h>

/* Formats as printf does. The caller frees the result; it is never NULL. */
char *words_format(const char *fmt, ...) STET_FMT(1, 2);
char *words_vformat(const char *fmt, va_list) STET_FMT(1, 0);

#endif
