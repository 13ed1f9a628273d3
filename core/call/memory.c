/* memory.c - memory owned by a call, and functions that run when it ends (stet_defer). */
#include "call/memory.h"
#include "base/arena.h"
#include "base/log.h"
#include "call/call.h"
#include <stdio.h>
#include <string.h>

void *
stet_alloc(struct stet_call *call, size_t size)
{
	return arena_alloc(&call->arena, size);
}

char *
stet_strdup(struct stet_call *call, const char *s)
{
	return s != NULL ? arena_strndup(&call->arena, s, strlen(s)) : NULL;
}

char *
stet_strndup(struct stet_call *call, const char *s, size_t len)
{
	return arena_strndup(&call->arena, s, len);
}

char *
memory_vprintf(struct stet_call *call, const char *fmt, va_list ap)
{
	va_list again;
	char *text;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	stet_assert(n >= 0);
	text = stet_alloc(call, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, fmt, again);
	va_end(again);
	return text;
}

char *
stet_printf(struct stet_call *call, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = memory_vprintf(call, fmt, ap);
	va_end(ap);
	return text;
}

void
stet_defer(struct stet_call *call, void (*fn)(void *), void *arg)
{
	struct call_defer *d = stet_alloc(call, sizeof(*d));

	*d = (struct call_defer){ call->defers, fn, arg };
	call->defers = d;
}

static void
drop_json(void *value)
{
	json_decref(value);
}

json_t *
stet_json_own(struct stet_call *call, json_t *value)
{
	if (value != NULL)
		stet_defer(call, drop_json, value);
	return value;
}
