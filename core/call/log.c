/* log.c - lines of the log that name a call, its site and its module. */
#include "base/log.h"
#include "base/words.h"
#include "call/call.h"
#include "call/memory.h"
#include "call/site.h"
#include <stdarg.h>
#include <stdlib.h>

void
stet_log(struct stet_call *call, enum stet_level level, const char *fmt, ...)
{
	va_list ap;

	if (!log_wants(level))
		return;
	va_start(ap, fmt);
	if (call == NULL) {
		char *text = words_vformat(fmt, ap);

		log_line(level, "%s", text);
		free(text);
		va_end(ap);
		return;
	}
	log_line(level, "%s%s%s [%s] %s", call->site != NULL ? site_name(call->site) : "-",
	    call->owner != NULL ? "/" : "", call->owner != NULL ? call->owner->m.name : "",
	    call->id, memory_vprintf(call, fmt, ap));
	va_end(ap);
}
