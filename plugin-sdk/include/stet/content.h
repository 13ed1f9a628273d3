/*
 * content.h - collections, fields and items. A definition (a collection or a field) is an
 * immutable snapshot of the call's transaction and lives as long as the call.
 *
 * SQL of other modules may use the table collection (id, slug, created_at) to list the collections.
 * SQL of other modules may use the table field (id, collection_id, slug, type, indexed, json_text,
 * default_value, created_at). Both belong to the module schema.
 * SQL of other modules may use the table revision (id, entry_id, created_at), which the module
 * content owns.
 */
#ifndef STET_CONTENT_H
#define STET_CONTENT_H

#include <stet/call.h>

/* ---- field types (descriptor table field_types) ---- */

/* What the column of a field stores. A boolean is the INTEGER 0 or 1 in the database, and false
 * or true in JSON. */
enum stet_storage {
	STET_STORE_TEXT,
	STET_STORE_REAL,
	STET_STORE_INTEGER,
	STET_STORE_JSON,
	STET_STORE_BOOLEAN
};

/*
 * What the values of a field type are, where the storage does not say it. Imports, exports,
 * includes, Markdown and the uses of media go by it, for the types of plugins too. A type with
 * STET_STORE_TEXT without json_text may hold the first four, one with STET_STORE_JSON or json_text
 * STET_HOLDS_VALUE and those from STET_HOLDS_TEXTS on, and one with another storage
 * STET_HOLDS_VALUE alone.
 */
enum stet_holds {
	STET_HOLDS_VALUE, /* a text, a number, true or false, or any JSON, as the storage says */
	STET_HOLDS_TIME, /* a date and time, as stet_time_text writes it */
	STET_HOLDS_LINK, /* a URL or a path, to which pages link */
	STET_HOLDS_ITEMS, /* the id of an item of the collection that options.collection names; if
			     options.allowMultiple is true, a JSON array of them */
	STET_HOLDS_TEXTS, /* an array of texts */
	STET_HOLDS_BLOCKS, /* Portable Text */
	STET_HOLDS_ROWS, /* an array of objects, whose members validation.subFields lists: {slug,
			    type} */
	STET_HOLDS_IMAGE, /* a media item or an image elsewhere, as fields of type image have it */
	STET_HOLDS_FILE /* the same for any file, as fields of type file have it */
};

struct stet_collection;
struct stet_field;

#define STET_REFERENCES_MAX 500 /* ids in one value; one statement looks them all up */

#define STET_INDEXABLE                                                                          \
	0x1u /* fields of this type may be `indexed`, so that lists sort and filter by them; if \
		the column holds JSON text, a list of texts, lists are filtered by each of them */
#define STET_SEARCHABLE                                                                        \
	0x2u /* values have words that people look for: the admin pages offer `searchable` for \
		fields of this type */

/*
 * A type of fields.
 *
 * `define` validates the rules and options of a new or changed field; it records issues under
 * the paths "validation." and "options.".
 *
 * `check` validates one value, which is never null. It returns the value to store in *out as a new
 * reference (json_incref of the given value if it is unchanged); or it records issues under `path`
 * and sets *out to NULL. It may read the database (a reference looks up its target).
 *
 * `typescript` returns the TypeScript type of a value; NULL: `type_name`.
 *
 * A type with TEXT storage stores strings as they are, and objects and arrays as JSON text.
 * `json_text` says which of the two a column holds; it is never guessed from the text.
 */
struct stet_field_type {
	const char *name;
	enum stet_storage storage;
	uint32_t flags;
	const char *type_name; /* TypeScript */
	bool json_text; /* the column holds JSON text, which is copied to replies without parsing */
	enum stet_status (*define)(struct stet_call *, const struct stet_field *);
	enum stet_status (*check)(struct stet_call *, const struct stet_field *, const char *path,
	    const json_t *value, json_t **out);
	char *(*typescript)(struct stet_call *, const struct stet_field *);
	const void *owner; /* set by the core: the module that brings this type */
	/* The JSON Schema of a value in replies, as JSON text; NULL: any value. */
	const char *schema;
	/* Returns the JSON Schema if it depends on the field. */
	char *(*field_schema)(struct stet_call *, const struct stet_field *);
	/* What people who define fields read in the admin pages: a name of at most 80 bytes ("Line
	 * of text"; NULL: the type's name), and a sentence about the values; NULL: none. */
	const char *label, *about;
	/* The members of `validation` and of `options` of a field. The admin pages make a form of
	 * them, with the names and `about` of the members. They describe: `define` is what
	 * validates. NULL: the pages show no form. */
	const struct stet_member *validation, *options;
	enum stet_holds holds;
	/* New fields go here, and nowhere else. */
};

/* Indexes of a field, as far as it has them; see "How items are stored". */
#define STET_BUILDING_ORDER 0x1u /* (f_x, id) */
#define STET_BUILDING_UNIQUE 0x2u /* UNIQUE (f_x, locale) */
#define STET_BUILDING_CREATED 0x4u /* (status, f_x, created_at, id) */
#define STET_BUILDING_PUBLISHED 0x8u /* (status, f_x, published_at, id) */
#define STET_BUILDING_CONFLICT 0x10u /* the unique one cannot be made: items share a value */

struct stet_field {
	const char *id, *slug, *label, *widget, *created_at; /* widget may be NULL */
	const struct stet_field_type *type;
	bool required, unique, indexed, searchable, translatable;
	int64_t sort_order;
	const json_t *default_value, *validation, *options; /* NULL when unset */
	bool json_text; /* this field's column holds JSON text: the type's does, or the field holds
			   many references */
	bool sortable; /* the column has an index for paging: it is indexed, or a string `title` or
			  `name`, or the collection's title or date field */
	size_t position; /* its index in `fields` of the collection */
	uint32_t building; /* indexes that are being made: statements must not rely on them yet.
			      `sortable` is false as long as STET_BUILDING_ORDER is among them */
	/* New fields go here, and nowhere else. */
};

/* Copies the type of this name, of any enabled module, to *out. Returns false if there is none. */
static inline bool stet_field_type(
    struct stet_call *, const char *name, struct stet_field_type *out);
/* Run `define` and `check` of the field's type, as the module that brings the type. The caller
 * first handles a value that is missing, null, or "" in a required field. The field must belong
 * to a collection; for a value outside of a collection there is stet_type_check. */
STET_API STET_MUST enum stet_status stet_field_define(
    struct stet_call *, const struct stet_field *);
STET_API STET_MUST enum stet_status stet_field_check(struct stet_call *, const struct stet_field *,
    const char *path, const json_t *value, json_t **out);

/* Validates one value like a field of this type without rules and options, for values that are
 * not in a field of a collection. *out is owned by the call. Returns a fault if no enabled
 * module brings the type. */
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
	const json_t
	    *indexes; /* array of orders such as "kind:asc,year:desc", each of which has an
			 index (the keys, id) of items that are not in the trash; or NULL */
	bool public_read; /* callers without credentials may read its published items */
	const json_t *building; /* those of `indexes` that are being made; or NULL */
	bool required_on_publish; /* drafts may lack values of required fields */
	const json_t *url_patterns; /* {locale: pattern}, in place of url_pattern; or NULL */
	/* New fields go here, and nowhere else. */
};

/* Returns true if no stored item lacks a value of the field, not even a draft. */
static inline bool
stet_required_in_drafts(const struct stet_collection *collection, const struct stet_field *field)
{
	return field->required && !collection->required_on_publish;
}

/* The path of an item on the site that people read: the pattern, such as the collection's
 * url_pattern, with {slug}, {id}, {locale} and {collection} filled in. NULL: the item has no slug,
 * or the pattern has another placeholder. Owned by the call. */
STET_API const char *stet_item_path(struct stet_call *, const char *pattern, const char *collection,
    const char *id, const char *slug, const char *locale);

/* The pattern of addresses in a locale: that of url_patterns, or else url_pattern. NULL: items of
 * this locale have no pages. */
STET_API const char *stet_url_pattern(const struct stet_collection *, const char *locale);
/* The path of an item on the site, by the pattern of its locale, which may also have {year},
 * {month} and {day} of published_at (UTC). NULL: it has none, or a part of it is missing
 * (published_at may be NULL). Owned by the call. */
STET_API const char *stet_item_address(struct stet_call *, const struct stet_collection *,
    const char *id, const char *slug, const char *locale, const char *published_at);
/* As stet_item_address, with a pattern that the caller has. */
STET_API const char *stet_pattern_address(struct stet_call *, const char *pattern,
    const struct stet_collection *, const char *id, const char *slug, const char *locale,
    const char *published_at);

/* A type of blocks that the site defines. In Portable Text, such a block is {_type: slug, _key},
 * with a member for each field that has a value. The fields belong to no collection. */
struct stet_block_type {
	const char *slug, *label, *icon, *description; /* last two may be NULL */
	const char *created_at, *updated_at;
	const struct stet_field *const *fields; /* in the order of the form */
	size_t field_count;
	int64_t sort_order; /* INT64_MIN when unset */
	/* New fields go here, and nowhere else. */
};

/* Service of the schema module. */
#define STET_SCHEMA_1 "schema/1"
struct stet_schema_1 {
	/* Finds a collection by its slug. Fails with COLLECTION_NOT_FOUND. */
	enum stet_status (*collection)(
	    struct stet_call *, const char *slug, const struct stet_collection **out);
	/* All collections in the order of lists; *out is an array of *count pointers. */
	enum stet_status (*collections)(
	    struct stet_call *, const struct stet_collection *const **out, size_t *count);
	/* Create a collection or a field; for importers and commands. `def` has the form of the
	 * request body of the REST route. */
	enum stet_status (*create_collection)(
	    struct stet_call *, struct stet_tx *, const json_t *def);
	enum stet_status (*create_field)(
	    struct stet_call *, struct stet_tx *, const char *collection, const json_t *def);
	/* Compares the definitions with `wanted`, {slug: the content of its file in an export},
	 * and returns the steps that would make them equal: [{step, collection, field?, rows,
	 * loses}]. *out is owned by the call. */
	enum stet_status (*plan)(struct stet_call *, const json_t *wanted, const json_t **out);
	/* Makes the definitions equal to `wanted`. */
	enum stet_status (*apply)(struct stet_call *, struct stet_tx *, const json_t *wanted);
	/* Returns true if no collection may have this slug. */
	bool (*reserved)(const char *slug);
	/* Returns true if no field may have this slug. */
	bool (*field_reserved)(const char *slug);
	/* Like apply, and returns the steps like plan. A step that cannot be taken has the member
	 * `refused`: {code, message (one line, with the code), rows (items that prevent it)}. The
	 * caller then has to fail, as for a dry run, so that the transaction is rolled back. */
	enum stet_status (*take)(
	    struct stet_call *, struct stet_tx *, const json_t *wanted, const json_t **out);
	/* All types of blocks that the site defines, in the order of menus; *out is an array of
	 * *count pointers. */
	enum stet_status (*blocks)(
	    struct stet_call *, const struct stet_block_type *const **out, size_t *count);
	/* Finds the type of a block of Portable Text. *out NULL: the site does not define it. */
	enum stet_status (*block)(
	    struct stet_call *, const json_t *block, const struct stet_block_type **out);
	/* What people read in a block of such a type, a line for each text. *out NULL: the site
	 * does not define its type. */
	enum stet_status (*block_text)(struct stet_call *, const json_t *block, const char **out);
	/* New functions go here, and nowhere else. */
};

/*
 * How items are stored: the schema module creates the tables, the content module writes them,
 * others may read them. Collection "posts" is the table c_posts with a row for each item. Its
 * columns are those of item.def, then f_<field> for each field.
 *
 * f__seo is the member `seo` of the item as JSON text; NULL: the item has none.
 *
 * schedule_error says why the item could not be published at scheduled_at, as JSON text: {code,
 * message, at}; NULL: it was published, is not due yet, or has no schedule. With unpublishAt, it
 *says why the item could not be unpublished at unpublish_at.
 *
 * live_version is the version number that readers without content:read_drafts get, so that they do
 * not notice a draft; NULL: it equals `version`.
 *
 * Field "year" is the column f_year (TEXT, REAL or INTEGER; JSON storage is TEXT, a boolean is
 * INTEGER). It is NULL when unset, even if the field is required. A column whose name would be
 * longer than 63 bytes has a shorter name, which stet_sql_ident writes. A row with deleted_at is in
 * the trash. Indexes:
 *
 *	of items that are not in the trash (WHERE deleted_at IS NULL): (created_at, id),
 *	(updated_at, id), (published_at, id), (status, created_at, id), (status, published_at, id),
 *	(author_id, created_at, id), (locale, created_at, id), for each sortable field (f_x, id),
 *	for each unique one UNIQUE (f_x, locale), of texts without "", for each other that is
 *indexed (status, f_x, created_at, id) and (status, f_x, published_at, id), if it has no JSON text;
 *	of all: UNIQUE (slug, locale), (translation_group, locale), (scheduled_at, id) WHERE
 *	scheduled_at IS NOT NULL, (unpublish_at, id) WHERE unpublish_at IS NOT NULL, (deleted_at,
 *id) WHERE deleted_at IS NOT NULL.
 *
 * If the index of the order does not begin with a column that the statement filters by, write that
 * filter with STET_UNINDEXED (sql.h). Otherwise SQLite chooses the index of the filter and sorts.
 */
#define STET_ITEM_TABLE "c_" /* use: stet_sql_ident(sql, STET_ITEM_TABLE, collection->slug) */
#define STET_FIELD_COLUMN "f_"

/*
 * What is done with a member of an item, in the lines of item.def:
 *
 *	OWN		code of its own writes it into answers, and not the walk over the columns
 *	SECRET		callers without content:read_drafts get null, or nothing if the flags of
 *			the member do not have STET_REQUIRED
 *	INSERTED	a new item gets it when its row is inserted
 *	COPIED		a copy of an item has the value of the item
 *	EXPORTED	it is in the files of "stet export", and "stet import site" stores it
 *	NAMING		it stands in these files before the others
 *	RESERVED	no field may have the name of the column, or else of the member
 */
#define STET_ITEM_OWN 0x01u
#define STET_ITEM_SECRET 0x02u
#define STET_ITEM_INSERTED 0x04u
#define STET_ITEM_COPIED 0x08u
#define STET_ITEM_EXPORTED 0x10u
#define STET_ITEM_NAMING 0x20u
#define STET_ITEM_RESERVED 0x40u

/* Returns true if the caller may read published items of the collection: by the permission
 * content:read or, without credentials, because the collection is public. For features that show
 * items of several collections. */
STET_API bool stet_may_read(struct stet_call *, const struct stet_collection *);
/* For the hook entry_changed: returns in *out whether readers without drafts see the change. They
 * do not see changes of drafts and schedules, or the deletion of an item in the trash. Reads the
 * item's row if the kind of change is not enough. */
STET_API STET_MUST enum stet_status stet_change_is_seen(struct stet_call *,
    const struct stet_collection *, const char *id, const char *change, bool *out);
/* The `open` (op.h) of a read whose argument `collection` in the path names a collection: true
 * if that is public. */
STET_API bool stet_collection_open(struct stet_call *);
/* Returns the field with this slug, or NULL. */
STET_API const struct stet_field *stet_field(const struct stet_collection *, const char *slug);

/* ---- an item as hooks see it ---- */

struct stet_entry;

/* Makes an entry; for the module that saves. All arguments are borrowed until the call ends.
 * data is an object with the item's field values as they will be after the save. */
STET_API struct stet_entry *stet_entry_new(struct stet_call *, const struct stet_collection *,
    const char *id, bool is_new, const json_t *data);
/* Sets a system member: slug, status, locale, authorId … Values are strings; NULL removes the
 * member. */
STET_API void stet_entry_put(struct stet_entry *, const char *member, const char *value);

STET_API const struct stet_collection *stet_entry_collection(const struct stet_entry *);
STET_API const char *stet_entry_id(const struct stet_entry *);
STET_API bool stet_entry_is_new(const struct stet_entry *);
/* The functions that follow return what is there. A name that is no field of the collection (and no
 * system member) is a fault of the module that asks, and the log names it, once for an entry: where
 * a field may not exist, ask stet_field first.
 * Returns the text of a system member (slug, status, locale, authorId) or of a field; "" if there
 * is none. */
STET_API const char *stet_entry_str(const struct stet_entry *, const char *name);
/* Returns the value of a field, or NULL. Borrowed. */
STET_API const json_t *stet_entry_get(const struct stet_entry *, const char *field);
/* Returns all field values as an object. Borrowed. */
STET_API const json_t *stet_entry_data(const struct stet_entry *);
/* Forbids further changes, after the FILTER hooks have run: a later stet_entry_set is a bug. For
 * the module that saves. */
STET_API void stet_entry_seal(struct stet_entry *);
/* Sets a field's value; takes the reference. Only for FILTER hooks: a call elsewhere stops the
 * process. */
STET_API void stet_entry_set(struct stet_entry *, const char *field, json_t *value);
/* Returns the text of a value as a reader sees it, for search and word counts. Portable Text: the
 * text of its spans, one line for each block, and the alt, caption and code of its objects. A list:
 * its strings, one per line. Numbers and booleans: their JSON. */
STET_API char *stet_value_text(struct stet_call *, const json_t *);
/* Returns the text of a field's value in this way. */
STET_API char *stet_entry_text(struct stet_call *, const struct stet_entry *, const char *field);

/* ---- service of the content module ---- */

/* A caller's rights to the items of a collection, own items and those of others. */
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

/* The row of an item. Texts are NULL for SQL NULL. */
struct stet_item_row {
	const char *id, *slug, *status, *locale, *group, *published_at, *scheduled_at;
	const char *draft; /* id of the revision with its draft */
	int64_t version;
	/* The columns of its fields in the collection's order, then that of `seo` if the collection
	 * has it. */
	const struct stet_val *field;
	size_t fields;
	bool is_new; /* this call has inserted it */
	bool untagged; /* is_new, and nobody can have given it terms */
	const char *unpublish_at;
	/* New fields go here, and nowhere else. */
};

/* Returns the new value of a field as a new reference; NULL: keep the value. */
typedef json_t *stet_rewrite_fn(
    struct stet_call *, const struct stet_field *, const json_t *value, void *arg);

#define STET_CONTENT_1 "content/1"
struct stet_content_1 {
	/* Creates an item as the principal of this call, and runs hooks. `item` has the form of
	 * the body of POST /content/:collection: {slug?, status?, locale?, data, …}; importers
	 * may add updatedAt, authorId, scheduledAt and unpublishAt: one in the future schedules the
	 * item. *id is the id of the new item. */
	enum stet_status (*create)(struct stet_call *, struct stet_tx *, const char *collection,
	    const json_t *item, const char **id);
	/* Converts Portable Text to Markdown. */
	char *(*markdown)(struct stet_call *, const json_t *blocks);
	/* Converts Markdown to Portable Text, owned by the call. `stored` is the value to replace,
	 * or NULL: its blocks are kept where the Markdown is equivalent, including properties that
	 * Markdown cannot express. Returns NULL if issues about `path` were recorded. */
	json_t *(*blocks)(
	    struct stet_call *, const char *path, const char *markdown, const json_t *stored);
	/* Returns STET_MAY_...: the rights that the caller's role and scopes give in the
	 * collection. */
	uint32_t (*rights)(struct stet_call *, const struct stet_collection *);
	/* Reads the values of an item's draft, which the item gets if it is published now. *data is
	 * an object by field; NULL: no draft, or the revision draft_revision_id does not exist.
	 * *slug is the draft's slug, or NULL. */
	enum stet_status (*draft)(struct stet_call *, const struct stet_collection *,
	    const char *id, const json_t **data, const char **slug);
	/* Replaces values of an item outside the trash by the results of fn: the live values, and
	 * those of a draft, which stays a draft. This is a save, with hooks, a revision and a new
	 * _rev; author, publishedAt and schedule stay. Calls fn for each value that is set.
	 * *changed: a value was replaced. */
	enum stet_status (*rewrite)(struct stet_call *, struct stet_tx *, const char *collection,
	    const char *id, stet_rewrite_fn *fn, void *arg, bool *changed);
	/* For importers, after `create` has refused an item: stores it as a draft with its valid
	 * values, and with the member _importError {message, markup} in its data, which callers who
	 * may read drafts see. The first valid save removes that member. `item` is as in `create`;
	 * entry_before_save may reject it. */
	enum stet_status (*create_failed)(struct stet_call *, struct stet_tx *,
	    const char *collection, const json_t *item, const char *message, const char *markup,
	    const char **id);
	/* For importers: changes an item that is not in the trash, as the principal of this call,
	 * and runs hooks. `item` is as in `create`; omitted members stay, null removes a value.
	 * Status "published" makes all of it public at once; "draft": null first discards the
	 * item's draft and its schedule. *changed: the item was changed. */
	enum stet_status (*update)(struct stet_call *, struct stet_tx *, const char *collection,
	    const char *id, const json_t *item, bool *changed);
	/* Like `blocks`. Adds to the array `lost` (NULL: do not report) what Portable Text of this
	 * site cannot express, each {field: path, line, what}. */
	json_t *(*blocks_lost)(struct stet_call *, const char *path, const char *markdown,
	    const json_t *stored, json_t *lost);
	/* Like `blocks_lost`, for a text of another system, which replaces no value: a link or
	 * picture whose address pages must not have becomes its text, which is added to `lost`,
	 * with the member `links` or `pictures`, a number. At most 2 MiB, since blocks of the
	 * caller stand in it as comments. */
	json_t *(*blocks_foreign)(
	    struct stet_call *, const char *path, const char *markdown, json_t *lost);
	/* For the hook entry_changed: the row as it is now, which is not read again for each hook.
	 * *out NULL: the item is in the trash or gone. Valid until the hook returns. */
	enum stet_status (*row)(struct stet_call *, const struct stet_collection *, const char *id,
	    const struct stet_item_row **out);
	/* Shared preview links of other modules, whose tokens are valid in the module that calls
	 * these functions. `subject` is what a link shows: a text with an @ before it. The first
	 * makes a link to a path of the site, with the argument expiresIn of the op, and answers
	 * {id, url, token, expiresAt}; the second answers the open ones; the third withdraws one,
	 * for its maker or an editor. */
	enum stet_status (*link_make)(struct stet_call *, const char *subject, const char *path);
	enum stet_status (*link_list)(struct stet_call *, const char *subject);
	enum stet_status (*link_withdraw)(struct stet_call *, const char *subject, const char *id);
	/* Checks the token of a preview link. *subject is what it shows, "posts:ID" for an item;
	 * *maker is the user who made it, or NULL. Fails with UNAUTHORIZED if it is not valid any
	 * more. */
	enum stet_status (*preview_check)(
	    struct stet_call *, const char *token, const char **subject, const char **maker);
	/* New functions go here, and nowhere else. */
};

/* ---- the host's side of the functions above: they get the sizes of the structures in the caller's
 * headers ---- */

STET_API bool stet_field_type_sized(
    struct stet_call *, const char *, struct stet_field_type *, size_t);

static inline bool
stet_field_type(struct stet_call *call, const char *name, struct stet_field_type *out)
{
	return stet_field_type_sized(call, name, out, sizeof(*out));
}

#endif
