/* words.c - text by printf, in memory of its own. */
#include "base/words.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/call.h>

char *
words_format(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		stet_out_of_memory();
	va_end(ap);
	return text;
}
