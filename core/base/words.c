/* words.c - text by printf, in memory of its own. */
#include "base/words.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/buf.h>
#include <stet/call.h>

char *
words_vformat(const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		stet_out_of_memory();
	return text;
}

char *
words_format(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = words_vformat(fmt, ap);
	va_end(ap);
	return text;
}

char *
stet_format_dup(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = words_vformat(fmt, ap);
	va_end(ap);
	return text;
}
