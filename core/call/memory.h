/* memory.h - memory owned by a call (stet_alloc and others are in <stet/call.h>). */
#ifndef CORE_CALL_MEMORY_H
#define CORE_CALL_MEMORY_H

#include <stdarg.h>
#include <stet/call.h>

/* stet_printf with a list of arguments. Owned by the call. */
char *memory_vprintf(struct stet_call *, const char *fmt, va_list) STET_FMT(2, 0);

#endif
