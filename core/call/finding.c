/* finding.c - passes the findings of a check to the caller that runs it. */
#include "base/arena.h"
#include "base/words.h"
#include "call/call.h"
#include <stdarg.h>
#include <stdlib.h>
#include <stet/check.h>

void
stet_finding(
    struct stet_call *call, enum stet_grade grade, const char *advice, const char *fmt, ...)
{
	va_list ap;
	char *text;

	if (call->findings == NULL || call->findings->count++ >= STET_FINDINGS_MAX)
		return;
	va_start(ap, fmt);
	text = words_vformat(fmt, ap);
	va_end(ap);
	call->findings->take(call->findings, grade, advice, text);
	free(text);
}
