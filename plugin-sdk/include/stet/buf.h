/* buf.h - a growing buffer of text or bytes, for code that has no call to allocate from. */
#ifndef STET_BUF_H
#define STET_BUF_H

#include <stddef.h>
#include <stet/status.h>

/* This structure never gets new members. A zero-initialised buffer is empty, with `data` NULL;
 * otherwise a NUL follows the `len` bytes. If memory runs out, the process ends
 * (stet_out_of_memory). */
struct stet_buf {
	char *data;
	size_t len, cap;
};
STET_API void stet_buf_add(struct stet_buf *, const void *, size_t);
STET_API void stet_buf_str(struct stet_buf *, const char *);
STET_API void stet_buf_char(struct stet_buf *, char);
STET_API void stet_buf_printf(struct stet_buf *, const char *fmt, ...) STET_FMT(2, 3);
/* Frees the bytes; the buffer is empty then. */
STET_API void stet_buf_free(struct stet_buf *);

/* Formats as printf does. The caller frees the result; it is never NULL. */
STET_API char *stet_format_dup(const char *fmt, ...) STET_FMT(1, 2);

#endif
