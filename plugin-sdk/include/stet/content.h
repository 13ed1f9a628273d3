/*
 * content.h - collections, fields, items: what modules know of content. Definitions are immutable
 * snapshots that belong to the call's transaction and live as long as the call.
 */
#ifndef STET_CONTENT_H
#define STET_CONTENT_H

#include <stet/call.h>

/* ---- field types (descriptor table field_types) ---- */

/* What a field's column holds. A boolean is the INTEGER 0 or 1 in the database, and false or true
 * in JSON. */
enum stet_storage {
	STET_STORE_TEXT,
	STET_STORE_REAL,
	STET_STORE_INTEGER,
	STET_STORE_JSON,
	STET_STORE_BOOLEAN
};

struct stet_collection;
struct stet_field;

#define STET_INDEXABLE 0x1u /* may be `indexed`: sorts and filters */

/*
 * `define` checks validation and options of a new or changed field, recording issues under
 * "validation." and "options." paths. `check` checks one value (never null), records issues under
 * `path`, and returns the value to store as a new reference in *out (json_incref of the given one
 * if it stays as it is); NULL in *out when issues were recorded. It may read (a reference looks up
 * its target). `typescript` writes the type of a value; NULL: `type_name`. A TEXT-stored type keeps
 * strings as they are and objects and arrays as JSON text: what comes out is decided by
 * `json_text`, never guessed.
 */
struct stet_field_type {
	const char *name;
	enum stet_storage storage;
	uint32_t flags;
	const char *type_name; /* TypeScript */
	bool json_text; /* the column holds JSON text: written to replies unread */
	enum stet_status (*define)(struct stet_call *, const struct stet_field *);
	enum stet_status (*check)(struct stet_call *, const struct stet_field *, const char *path,
	    const json_t *value, json_t **out);
	char *(*typescript)(struct stet_call *, const struct stet_field *);
	const void *owner; /* the core's: the module whose type this is */
	/* The JSON Schema of a value as it is read, as JSON text; NULL: any value. */
	const char *schema;
	/* It, where it depends on the field. */
	char *(*field_schema)(struct stet_call *, const struct stet_field *);
	/* New fields go here, and nowhere else. */
};

struct stet_field {
	const char *id, *slug, *label, *widget, *created_at; /* widget may be NULL */
	const struct stet_field_type *type;
	bool required, unique, indexed, searchable, translatable;
	int64_t sort_order;
	const json_t *default_value, *validation, *options; /* NULL when unset */
	bool json_text; /* this field's column holds JSON text: the type's, or many references */
	bool sortable; /* the column has a keyset index: indexed, or a string `title` or `name`, or
			  the collection's title or date field */
	size_t position; /* its own in `fields` of the collection */
	/* New fields go here, and nowhere else. */
};

/* A copy of the type of this name, of any module that is enabled; false when there is none. */
static inline bool stet_field_type(
    struct stet_call *, const char *name, struct stet_field_type *out);
/* The type's `define`, and its `check`, run as the module whose type it is. Missing, null and "" of
 * a required field are for the caller to refuse first. The field is one of a collection: for a
 * value that is in none there is stet_type_check. */
STET_API STET_MUST enum stet_status stet_field_define(
    struct stet_call *, const struct stet_field *);
STET_API STET_MUST enum stet_status stet_field_check(struct stet_call *, const struct stet_field *,
    const char *path, const json_t *value, json_t **out);

/* One value, as a field of this type without rules and options checks it: for what is no field of a
 * collection and holds the same things. *out is owned by the call. A type that no module has is a
 * fault. */
STET_API STET_MUST enum stet_status stet_type_check(
    struct stet_call *, const char *type, const char *path, const json_t *value, json_t **out);

struct stet_collection {
	const char *id, *slug, *label, *label_singular, *description,
	    *icon; /* last three may be NULL */
	const char *created_at, *updated_at, *title_field, *date_field, *url_pattern, *source;
	const json_t *supports, *admin; /* array of strings; object or NULL */
	bool routable, hidden, has_seo, drafts, revisions, scheduling, preview, search;
	int64_t sort_order; /* INT64_MIN when unset */
	bool comments_enabled, comments_auto_approve_users;
	const char *comments_moderation;
	int64_t comments_closed_after_days;
	const struct stet_field *const *fields; /* by sort order */
	size_t field_count;
	uint64_t version; /* of the schema; changes with every change of any definition */
	/* New fields go here, and nowhere else. */
};

/* Service of the schema module. */
#define STET_SCHEMA_1 "schema/1"
struct stet_schema_1 {
	/* COLLECTION_NOT_FOUND when there is none. */
	enum stet_status (*collection)(
	    struct stet_call *, const char *slug, const struct stet_collection **out);
	/* In the order of lists; *out is an array of `*count` pointers. */
	enum stet_status (*collections)(
	    struct stet_call *, const struct stet_collection *const **out, size_t *count);
	/* Create, for importers and commands. Definitions as in the bodies of the REST routes. */
	enum stet_status (*create_collection)(
	    struct stet_call *, struct stet_tx *, const json_t *def);
	enum stet_status (*create_field)(
	    struct stet_call *, struct stet_tx *, const char *collection, const json_t *def);
	/* The steps that make the definitions `wanted`, {slug: what its file in an export says}:
	 * [{step, collection, field?, rows, loses}]. *out is owned by the call. */
	enum stet_status (*plan)(struct stet_call *, const json_t *wanted, const json_t **out);
	/* Take them. */
	enum stet_status (*apply)(struct stet_call *, struct stet_tx *, const json_t *wanted);
	/* New functions go here, and nowhere else. */
};

/*
 * How items lie in the database: the schema module makes the tables, the content module fills them,
 * others may read. Collection "posts" is the table c_posts, a row an item:
 *
 *	id TEXT PRIMARY KEY, slug TEXT, status TEXT NOT NULL, author_id TEXT,
 *	primary_byline_id TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
 *	published_at TEXT, scheduled_at TEXT, deleted_at TEXT, version INTEGER NOT NULL,
 *	live_version INTEGER, live_revision_id TEXT, draft_revision_id TEXT, locale TEXT NOT NULL,
 *	translation_group TEXT NOT NULL, f_<field> …
 *
 * live_version is the version that readers without content:read_drafts are shown, so that a draft
 * leaves no trace; NULL: it is `version`.
 *
 * Field "year" is the column f_year (TEXT, REAL, INTEGER; JSON storage is TEXT, a boolean INTEGER),
 *NULL when unset, whatever `required` says. A column whose name would be longer than 63 bytes has a
 *shorter one: stet_sql_ident writes it. A row with deleted_at is in the trash. Indexes:
 *
 *	of items that are not in the trash (WHERE deleted_at IS NULL): (created_at, id),
 *	(updated_at, id), (published_at, id), (status, created_at, id), (status, published_at, id),
 *	(author_id, created_at, id), (locale, created_at, id), for each sortable field (f_x, id),
 *	for each unique one UNIQUE (f_x, locale);
 *	of all: UNIQUE (slug, locale), (translation_group, locale), (scheduled_at, id) WHERE
 *	scheduled_at IS NOT NULL, (deleted_at, id) WHERE deleted_at IS NOT NULL.
 *
 * A filter that the order's index does not begin with is written with STET_UNINDEXED (sql.h), or
 * SQLite takes the filter's index and sorts.
 */
#define STET_ITEM_TABLE "c_" /* stet_sql_ident(sql, STET_ITEM_TABLE, collection->slug) */
#define STET_FIELD_COLUMN "f_"

/* The field of this slug, or NULL. */
STET_API const struct stet_field *stet_field(const struct stet_collection *, const char *slug);

/* ---- items as hooks see them ---- */

struct stet_entry;

/* For the module that saves. Everything is borrowed until the call ends; data is an object of the
 * item's field values as they will be after the save. */
STET_API struct stet_entry *stet_entry_new(struct stet_call *, const struct stet_collection *,
    const char *id, bool is_new, const json_t *data);
/* System members: slug, status, locale, authorId … Strings only; NULL removes. */
STET_API void stet_entry_put(struct stet_entry *, const char *member, const char *value);

STET_API const struct stet_collection *stet_entry_collection(const struct stet_entry *);
STET_API const char *stet_entry_id(const struct stet_entry *);
STET_API bool stet_entry_is_new(const struct stet_entry *);
/* A system member (slug, status, locale, authorId), or a field's string; "" when there is none. */
STET_API const char *stet_entry_str(const struct stet_entry *, const char *name);
/* A field's value, or NULL. Borrowed. */
STET_API const json_t *stet_entry_get(const struct stet_entry *, const char *field);
/* All field values as an object. Borrowed. */
STET_API const json_t *stet_entry_data(const struct stet_entry *);
/* No more stet_entry_set: the FILTER hooks have run. For the module that saves. */
STET_API void stet_entry_seal(struct stet_entry *);
/* In a FILTER hook: set a field; the reference is taken. Elsewhere it is a bug and stops the
 * process. */
STET_API void stet_entry_set(struct stet_entry *, const char *field, json_t *value);
/* The text of a value that people read: of Portable Text its spans, blocks parted by line breaks,
 * and what alt, caption and code of any object in it say; strings of a list on lines of their own;
 * numbers and booleans as their JSON. */
STET_API char *stet_value_text(struct stet_call *, const json_t *);
/* That of a field. */
STET_API char *stet_entry_text(struct stet_call *, const struct stet_entry *, const char *field);

/* ---- service of the content module ---- */

/* What a caller may do with the items of a collection, own items and those of others. */
#define STET_MAY_READ 0x001u /* what is published */
#define STET_MAY_READ_DRAFTS 0x002u /* and drafts, revisions and the trash */
#define STET_MAY_CREATE 0x004u
#define STET_MAY_EDIT_OWN 0x008u
#define STET_MAY_EDIT_ANY 0x010u
#define STET_MAY_PUBLISH_OWN 0x020u
#define STET_MAY_PUBLISH_ANY 0x040u
#define STET_MAY_DELETE_OWN 0x080u /* into the trash */
#define STET_MAY_DELETE_ANY 0x100u
#define STET_MAY_DELETE_PERMANENTLY 0x200u /* out of the trash */

#define STET_CONTENT_1 "content/1"
struct stet_content_1 {
	/* Create an item as the principal of this call, running hooks. `item` is {slug?, status?,
	 * locale?, data, …} as in the body of POST /content/:collection. *id is the new item's. */
	enum stet_status (*create)(struct stet_call *, struct stet_tx *, const char *collection,
	    const json_t *item, const char **id);
	/* Portable Text as Markdown. */
	char *(*markdown)(struct stet_call *, const json_t *blocks);
	/* Markdown as Portable Text, owned by the call, for a value that is `stored` until now
	 * (NULL: nothing is): blocks that say the same stay what they are. NULL: issues about
	 * `path` were recorded. */
	json_t *(*blocks)(
	    struct stet_call *, const char *path, const char *markdown, const json_t *stored);
	/* STET_MAY_...: what the role and the scopes of the caller allow there. */
	uint32_t (*rights)(struct stet_call *, const struct stet_collection *);
	/* New functions go here, and nowhere else. */
};

/* ---- what these are to the host: it is told how long structures were when their caller was built
 * ---- */

STET_API bool stet_field_type_sized(
    struct stet_call *, const char *, struct stet_field_type *, size_t);

static inline bool
stet_field_type(struct stet_call *call, const char *name, struct stet_field_type *out)
{
	return stet_field_type_sized(call, name, out, sizeof(*out));
}

#endif
