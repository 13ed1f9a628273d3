/*
 * shape.h - the shape of an argument, a reply or a row, said once. From a list of members come the
 * validation of a request, its JSON Schema, and the serialization of rows.
 */
#ifndef STET_SHAPE_H
#define STET_SHAPE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stet/status.h>

enum stet_type {
	STET_ANY, /* any JSON value */
	STET_STRING, /* UTF-8; min and max count characters (code points) */
	STET_INTEGER, /* min and max bound the value */
	STET_NUMBER, /* min and max bound the value */
	STET_BOOLEAN, /* in queries: true, false, 1, 0 */
	STET_TIME, /* ISO 8601; arguments are normalised to UTC with milliseconds */
	STET_OBJECT, /* members in `of`; without `of`, any members */
	STET_ARRAY /* of objects shaped `of`, or of scalars of type `item`; min and max count
		      elements */
};

/* Flags of a member. */
#define STET_REQUIRED 0x01u /* absent is refused; a reply always has it */
#define STET_NULLABLE 0x02u /* null is a value */
#define STET_QUERY 0x04u /* comes from the query even where other members come from the body */
#define STET_IGNORED \
	0x08u /* accepted from clients that echo what they read; never seen by the handler */
#define STET_STORED_JSON 0x10u /* rows: the column holds JSON text, copied through */
#define STET_BOUNDED 0x20u /* min and max hold; said by STET_RANGE */
/* Also read from the request header of this name. For _rev that is If-Match: where the path, or one
 * above it, has a GET, the core has judged it against the entity tag of that GET, and _rev is
 * absent. */
#define STET_HEADER 0x40u
#define STET_VALUES                                                                               \
	0x80u /* the values of an item's fields, by slug; the member `type` beside it, of what is \
		 asked for `collection`, says of which */
#define STET_JSON_TEXT                                                                           \
	0x100u /* a string that holds a JSON object; where arguments are JSON, the object itself \
		  may stand in its place: the handler is given its text */
#define STET_OR_TEXT                                                                      \
	0x200u /* an object or array in whose place a string may stand (Portable Text and \
		  Markdown): stet_arg_json answers either */

/*
 * One member; a list ends with a row whose name is NULL. A list describes the members of an object.
 * `fallback` is JSON text used when the member is absent. `choices` is a NULL-terminated list of
 * the allowed strings. `pattern` is PCRE2, unanchored; it explains itself in `about`.
 */
struct stet_member {
	const char *name;
	enum stet_type type;
	uint32_t flags;
	const char *about;
	const struct stet_member *of;
	enum stet_type item;
	double min, max;
	const char *const *choices;
	const char *pattern;
	const char *fallback;
	/* New fields go here, and nowhere else. */
};

#define STET_RANGE(min_, max_) .min = (min_), .max = (max_)
#define STET_CHOICES(...)                \
	.choices = (const char *const[]) \
	{                                \
		__VA_ARGS__, NULL        \
	}

/* Pattern of an absolute http or https URL with a host, and without blanks. */
#define STET_WEB_URL                                                  \
	"^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\x00-\\x20\\x7f/?#\\\\\"<>]+" \
	"[^\\s\\x00-\\x20\\x7f\"<>]*(?![\\s\\S])"
/* Pattern of an address for mail: ASCII, with a domain of two parts at least; in either case. */
#define STET_EMAIL                                                                                 \
	"^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\\.)@"                       \
	"([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])" \
	"(?![\\s\\S])"
#define STET_EMAIL_MAX 254

/* How a JSON Schema is written; zero: in full, and closed. */
struct stet_schema_style {
	/* For assistants, who pay by the word: open, and without lengths and patterns, which an op
	 * checks and its answer names. Each schema has one type: what may be null is anyOf. */
	bool brief;
	/* The description of a member, or NULL for none; NULL: its `about`. */
	const char *(*about)(void *arg, const struct stet_member *);
	/* What stands for an object of this list ("#/components/schemas/Byline"), or NULL: its
	 * schema. */
	const char *(*ref)(void *arg, const struct stet_member *list);
	void *arg;
	/* New fields go here, and nowhere else. */
};

struct stet_call;
struct stet_json;
struct stet_rows;

/* Write the current row as one object: column i under the name of member i. Columns of members that
 * are not STET_REQUIRED are left out when NULL, unless they are STET_NULLABLE. */
static inline void stet_put_row(struct stet_json *, struct stet_rows *, const struct stet_member *);
/* All rows that are left, as an array of such objects; they are ended. */
STET_MUST static inline enum stet_status stet_put_rows(
    struct stet_json *, const char *key, struct stet_rows *, const struct stet_member *);
/* The same into the object that is open, from column `first` on, `count` members. */
static inline void stet_put_columns(
    struct stet_json *, struct stet_rows *, int first, const struct stet_member *, int count);
/* The JSON Schema (2020-12) of an object of this shape. */
static inline void stet_put_schema(struct stet_json *, const char *key, const struct stet_member *);
static inline void stet_put_schema_as(struct stet_json *, const char *key,
    const struct stet_member *, const struct stet_schema_style *);
/* That of the values of one member, which lies in a list; without its description. */
static inline void stet_put_member_schema_as(struct stet_json *, const char *key,
    const struct stet_member *, const struct stet_schema_style *);

/* A list whose members have `size` bytes, of a module that was built against other headers, as one
 * of yours; it lives as long as the call. */
static inline const struct stet_member *stet_members(
    struct stet_call *, const struct stet_member *, size_t size);
/* Is the object of this shape? What is wrong is recorded as issues about its members, below `path`;
 * "": the object itself. */
static inline void stet_check_shape(
    struct stet_call *, const char *path, const struct stet_member *, const json_t *object);

/* What these are to the host: it is told how long a member, and a style, was when its caller was
 * built.
 */
STET_API const struct stet_member *stet_members_sized(
    struct stet_call *, const struct stet_member *, size_t size, size_t wanted);
STET_API void stet_put_row_sized(
    struct stet_json *, struct stet_rows *, const struct stet_member *, size_t);
STET_API STET_MUST enum stet_status stet_put_rows_sized(
    struct stet_json *, const char *, struct stet_rows *, const struct stet_member *, size_t);
STET_API void stet_put_columns_sized(
    struct stet_json *, struct stet_rows *, int, const struct stet_member *, int, size_t);
STET_API void stet_put_schema_sized(
    struct stet_json *, const char *, const struct stet_member *, size_t);
STET_API void stet_put_schema_as_sized(struct stet_json *, const char *, const struct stet_member *,
    size_t, const struct stet_schema_style *, size_t);
STET_API void stet_put_member_schema_as_sized(struct stet_json *, const char *,
    const struct stet_member *, size_t, const struct stet_schema_style *, size_t);

STET_API void stet_check_shape_sized(
    struct stet_call *, const char *, const struct stet_member *, const json_t *, size_t);

static inline const struct stet_member *
stet_members(struct stet_call *call, const struct stet_member *list, size_t size)
{
	return stet_members_sized(call, list, size, sizeof(*list));
}

static inline void
stet_check_shape(
    struct stet_call *call, const char *path, const struct stet_member *shape, const json_t *object)
{
	stet_check_shape_sized(call, path, shape, object, sizeof(*shape));
}

static inline void
stet_put_row(struct stet_json *j, struct stet_rows *rows, const struct stet_member *shape)
{
	stet_put_row_sized(j, rows, shape, sizeof(*shape));
}

static inline enum stet_status
stet_put_rows(
    struct stet_json *j, const char *key, struct stet_rows *rows, const struct stet_member *shape)
{
	return stet_put_rows_sized(j, key, rows, shape, sizeof(*shape));
}

static inline void
stet_put_columns(struct stet_json *j, struct stet_rows *rows, int first,
    const struct stet_member *shape, int count)
{
	stet_put_columns_sized(j, rows, first, shape, count, sizeof(*shape));
}

static inline void
stet_put_schema(struct stet_json *j, const char *key, const struct stet_member *shape)
{
	stet_put_schema_sized(j, key, shape, sizeof(*shape));
}

static inline void
stet_put_schema_as(struct stet_json *j, const char *key, const struct stet_member *shape,
    const struct stet_schema_style *style)
{
	stet_put_schema_as_sized(j, key, shape, sizeof(*shape), style, sizeof(*style));
}

static inline void
stet_put_member_schema_as(struct stet_json *j, const char *key, const struct stet_member *m,
    const struct stet_schema_style *style)
{
	stet_put_member_schema_as_sized(j, key, m, sizeof(*m), style, sizeof(*style));
}

#endif
