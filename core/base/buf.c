/* buf.c - a growing byte buffer. */
#include "base/buf.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/words.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/buf.h>
#include <string.h>

size_t
buf_cap(const struct buf *b, size_t more)
{
	size_t cap = b->cap;

	stet_assert(more < SIZE_MAX / 4 - b->len);
	if (cap - b->len > more && cap > 0)
		return cap;
	if (cap < 512)
		cap = 512;
	while (cap - b->len <= more)
		cap *= 2;
	return cap;
}

void
buf_reserve(struct buf *b, size_t more)
{
	size_t cap = buf_cap(b, more);

	if (cap == b->cap)
		return;
	b->data = xrealloc(b->data, cap);
	b->cap = cap;
}

void
buf_add(struct buf *b, const void *p, size_t len)
{
	char *to = buf_room(b, len);

	if (len > 0)
		memcpy(to, p, len);
	buf_wrote(b, to + len);
}

void
buf_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_char(struct buf *b, char c)
{
	char *to = buf_room(b, 1);

	*to = c;
	buf_wrote(b, to + 1);
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	stet_assert(n >= 0);
	buf_reserve(b, (size_t)n);
	va_start(ap, fmt);
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
}

void
buf_free(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}

/* ---- for plugins ---- */

void
stet_buf_add(struct stet_buf *b, const void *bytes, size_t len)
{
	struct buf own = { b->data, b->len, b->cap };

	buf_add(&own, bytes, len);
	*b = (struct stet_buf){ own.data, own.len, own.cap };
}

void
stet_buf_str(struct stet_buf *b, const char *text)
{
	stet_buf_add(b, text, strlen(text));
}

void
stet_buf_char(struct stet_buf *b, char c)
{
	stet_buf_add(b, &c, 1);
}

void
stet_buf_printf(struct stet_buf *b, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = words_vformat(fmt, ap);
	va_end(ap);
	stet_buf_str(b, text);
	free(text);
}

void
stet_buf_free(struct stet_buf *b)
{
	free(b->data);
	*b = (struct stet_buf){ 0 };
}
