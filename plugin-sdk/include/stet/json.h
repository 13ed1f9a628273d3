/*
 * json.h - a streaming JSON writer. Its output is always well nested: an unbalanced or misplaced
 * call is a bug, which stops the process with a message. Inside an object `key` is required; in
 * an array and at the top level it is NULL. Text must be UTF-8; invalid bytes are written as
 * U+FFFD.
 */
#ifndef STET_JSON_H
#define STET_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stet/status.h>

struct stet_call;
struct stet_json;

/* The writer of the call's reply. What it holds becomes `data` of the envelope, or the tool's
 * result. An empty writer gives `data: null`. */
STET_API struct stet_json *stet_reply(struct stet_call *);
/* A separate writer that lives as long as the call. */
STET_API struct stet_json *stet_json_new(struct stet_call *);
/* The text that the writer holds so far, NUL-terminated and owned by the writer; len may be
 * NULL. */
STET_API const char *stet_json_text(struct stet_json *, size_t *len);

STET_API void stet_object(struct stet_json *, const char *key);
STET_API void stet_array(struct stet_json *, const char *key);
/* Closes the innermost open object or array. */
STET_API void stet_close(struct stet_json *);

/* NULL strings are written as null. */
STET_API void stet_put_str(struct stet_json *, const char *key, const char *value);
STET_API void stet_put_strn(struct stet_json *, const char *key, const char *value, size_t len);
STET_API void stet_put_int(struct stet_json *, const char *key, int64_t);
/* The shortest text that reads back as the same double; infinities and NaN are written as null. */
STET_API void stet_put_real(struct stet_json *, const char *key, double);
STET_API void stet_put_bool(struct stet_json *, const char *key, bool);
STET_API void stet_put_null(struct stet_json *, const char *key);
/* A Jansson value; NULL is null. */
STET_API void stet_put_json(struct stet_json *, const char *key, const json_t *);
/* Copies text that is known to be one valid JSON value, such as a stored JSON column. */
STET_API void stet_put_raw(struct stet_json *, const char *key, const char *json, size_t len);
/* Milliseconds since the epoch, as ISO 8601 UTC with milliseconds. */
STET_API void stet_put_time(struct stet_json *, const char *key, int64_t ms);

/* Formats a value for people and for line-based tools (diff): indented by two, with a final
 * newline. A real is the shortest text that reads back as the same double and as a real. The
 * caller frees the text. */
STET_API char *stet_json_lines(const json_t *);

#endif
