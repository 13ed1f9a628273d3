/* buf.h - a growing byte buffer. Always NUL-terminated once something is in it. */
#ifndef CORE_BUF_H
#define CORE_BUF_H

#include <stdarg.h>
#include <stddef.h>

/* Zero-initialised is empty. */
struct buf {
	char *data;
	size_t len, cap;
};

/* The capacity that the buffer will have once it has room for `more` bytes. */
size_t buf_cap(const struct buf *, size_t more);
void buf_reserve(struct buf *, size_t more); /* room for `more` bytes after len, and a NUL */
void buf_add(struct buf *, const void *, size_t);
void buf_str(struct buf *, const char *);
void buf_char(struct buf *, char);
void buf_printf(struct buf *, const char *, ...) __attribute__((format(printf, 2, 3)));
void buf_free(struct buf *);

/* Makes room for so many bytes and a NUL. Bytes that are written there count once buf_wrote is
 * called with their end. */
static inline char *
buf_room(struct buf *b, size_t more)
{
	if (__builtin_expect(b->cap - b->len <= more, 0))
		buf_reserve(b, more);
	return b->data + b->len;
}

static inline void
buf_wrote(struct buf *b, char *end)
{
	b->len = (size_t)(end - b->data);
	*end = '\0';
}

#endif
