/*
 * shape.h - a list of members describes an argument, a reply or a row. From this one list come
 * the validation of a request, its JSON Schema, and the serialization of rows.
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
#define STET_REQUIRED 0x01u /* a request without it is refused; a reply always has it */
#define STET_NULLABLE 0x02u /* may be null */
#define STET_QUERY 0x04u /* read from the query, even if other members come from the body */
#define STET_IGNORED \
	0x08u /* accepted and dropped, for clients that send back what they have read */
#define STET_STORED_JSON \
	0x10u /* in rows: the column holds JSON text, which is copied without parsing */
#define STET_BOUNDED                                                                             \
	0x20u /* min and max are in force, also a max of 0; set it with STET_RANGE. Without it a \
		 max of 0 is none */
/* Also read from the request header of this name. The header of _rev is If-Match: if the path,
 * or a path above it, has a GET, the core itself compares If-Match with the entity tag of that
 * GET, and _rev is absent. */
#define STET_HEADER 0x40u
#define STET_VALUES                                                                     \
	0x80u /* the values of an item's fields by slug. The collection is named by the \
		 request's argument `collection`, or by the member `type` beside this one */
#define STET_JSON_TEXT                                                                      \
	0x100u /* a string that holds a JSON object; in JSON arguments the object itself is \
		  accepted too, and the handler gets its text */
#define STET_OR_TEXT                                                                       \
	0x200u /* an object or array in whose place a string is accepted (Portable Text or \
		  Markdown); stet_arg_json returns either */

/* One member of an object; a row whose name is NULL ends a list, in which no other name is empty or
 * stands twice. `fallback` is JSON text that is used if the member is absent, of a value that the
 * member takes. `choices` is a NULL-terminated list of the allowed strings. `pattern` is an
 * unanchored PCRE2 pattern; describe it in `about`, which clients read. */
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
	/* The handler refuses this argument to callers without this permission, or whose token
	 * lacks this scope: so the tool server does not list it to them. NULL: none is needed. */
	const char *permission, *scope;
	/* New fields go here, and nowhere else. */
};

#define STET_RANGE(min_, max_) .min = (min_), .max = (max_)
#define STET_CHOICES(...)                \
	.choices = (const char *const[]) \
	{                                \
		__VA_ARGS__, NULL        \
	}

/* A pattern of an absolute http or https URL with a host and without blanks. */
#define STET_WEB_URL                                                  \
	"^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\x00-\\x20\\x7f/?#\\\\\"<>]+" \
	"[^\\s\\x00-\\x20\\x7f\"<>]*(?![\\s\\S])"
/* A pattern of an e-mail address: ASCII, with a domain of at least two labels, upper or lower
 * case. */
#define STET_EMAIL                                                                                 \
	"^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\\.)@"                       \
	"([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])" \
	"(?![\\s\\S])"
#define STET_EMAIL_MAX 254

/* How a JSON Schema is written. All zero: complete, and without additional properties. */
struct stet_schema_style {
	/* Shorter, for assistants, whose input is paid by the token: additional properties are
	 * allowed, and lengths and patterns are left out, as the op checks them and its error
	 * names them. Each schema has a single type: a nullable member is anyOf, with its
	 * description in the first schema, since some hosts refuse members beside anyOf. */
	bool brief;
	/* Returns the description of a member, or NULL for none. The function itself NULL:
	 * `about`. */
	const char *(*about)(void *arg, const struct stet_member *);
	/* Returns a reference in place of the schema of an object of this list
	 * ("#/components/schemas/Byline"), or NULL for the schema itself. */
	const char *(*ref)(void *arg, const struct stet_member *list);
	void *arg;
	/* Returns the `properties` (JSON) of an object whose members the shape does not list, as an
	 * example for hosts that refuse an object without properties. NULL: none. */
	const char *(*inside)(void *arg, const struct stet_member *);
	/* New fields go here, and nowhere else. */
};

struct stet_call;
struct stet_json;
struct stet_rows;

/* Writes the current row as an object: column i under the name of member i. Leaves out a NULL
 * column, unless its member is STET_REQUIRED or STET_NULLABLE. */
static inline void stet_put_row(struct stet_json *, struct stet_rows *, const struct stet_member *);
/* Writes all remaining rows as an array of such objects, and ends the rows. */
STET_MUST static inline enum stet_status stet_put_rows(
    struct stet_json *, const char *key, struct stet_rows *, const struct stet_member *);
/* Writes `count` columns of the row from column `first` on into the open object. */
static inline void stet_put_columns(
    struct stet_json *, struct stet_rows *, int first, const struct stet_member *, int count);
/* Writes the JSON Schema (2020-12) of an object of this shape. */
static inline void stet_put_schema(struct stet_json *, const char *key, const struct stet_member *);
static inline void stet_put_schema_as(struct stet_json *, const char *key,
    const struct stet_member *, const struct stet_schema_style *);
/* Writes the schema of the values of one member, which must lie in a list, without its
 * description. */
static inline void stet_put_member_schema_as(struct stet_json *, const char *key,
    const struct stet_member *, const struct stet_schema_style *);

/* Converts a list whose members have `size` bytes, from a module that was built with other
 * headers, to a list of the caller's member size. It lives as long as the call. */
static inline const struct stet_member *stet_members(
    struct stet_call *, const struct stet_member *, size_t size);
/* Validates an object against a shape: records issues about its members below `path`. "" is the
 * object itself. */
static inline void stet_check_shape(
    struct stet_call *, const char *path, const struct stet_member *, const json_t *object);

/* ---- the host's side of the functions above: it is told the sizes of the structures in the
 * caller's headers ---- */
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
