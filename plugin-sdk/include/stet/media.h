/*
 * media.h - the service of the media module, for modules that refer to media items. Without that
 * module there are no media items, and nothing can refer to one.
 */
#ifndef STET_MEDIA_H
#define STET_MEDIA_H

#include <stet/call.h>
#include <stet/content.h>
#include <stet/table.h>

/* The members of a media item that a reference resolves to. Owned by the call. */
struct stet_media_item {
	const char *id; /* NULL: no such item */
	const char *url, *content_type;
	int64_t width, height; /* pixels; 0: unknown, or not an image */
	const char *filename, *key; /* key: of its file in the store */
	const char *alt, *blurhash, *dominant_color; /* NULL: none */
	int64_t size; /* bytes */
	/* New fields go here, and nowhere else. */
};

/* A file that becomes a media item. */
struct stet_media_new {
	const char *path; /* of a temporary file with its bytes */
	uint64_t size;
	const char *filename; /* 1 to 255 characters */
	const char *type; /* media type; NULL: detected from the bytes */
	const char *alt, *caption; /* may be NULL */
	/* New fields go here, and nowhere else. */
};

#define STET_MEDIA_1 "media/1"
struct stet_media_1 {
	/* Looks up `count` items at once, each by its id or by the URL of its file on this site.
	 * *out is a table of struct stet_media_item in the order of `ids`; read it with
	 * stet_table_row. */
	enum stet_status (*find)(
	    struct stet_call *, const char *const *ids, size_t count, struct stet_table *out);
	/* Returns true if the media type is one of the list: an array of types and of beginnings
	 * such as "image/", as in a field's allowedMimeTypes. Letter case and parameters of the
	 * type are ignored. */
	bool (*type_in)(struct stet_call *, const json_t *list, const char *type);
	/* For statements that show references: `join` appends a " LEFT JOIN ..." of the item whose
	 * id is in `column` ("b.picture_id"), named `alias`. `columns` appends five columns of the
	 * item, NULL if it does not exist: key of its file, alt, blurhash, dominant color, URL. */
	void (*join)(struct stet_sql *, const char *alias, const char *column);
	void (*columns)(struct stet_sql *, const char *alias);
	/* Creates an item from a file, with the checks and failures of an upload by this caller.
	 * *same: an item with these bytes existed, and its id is returned. `size` is the size of
	 * struct stet_media_new in the caller's headers. For the slow lane. */
	enum stet_status (*add)(struct stet_call *, const struct stet_media_new *, size_t size,
	    const char **id, const char **url, bool *same);
	/* Looks up the items that have these files, whatever their status: ids[i] is the id of the
	 * item whose storageKey is keys[i], or NULL. For at most 100 keys. */
	enum stet_status (*owners)(
	    struct stet_call *, const char *const *keys, size_t count, const char **ids);
	/* Records an issue at `path` for each reference of the value to a missing item of this
	 * library: assets ({asset: {_ref or id, provider}}) and members mediaId, at any depth. Only
	 * for checks such as the function `doubt` of struct stet_transfer. */
	enum stet_status (*gone)(struct stet_call *, const char *path, const json_t *value);
	/* New functions go here, and nowhere else. */
};

/* Service of the module media-usage, which may be disabled: the uses of media items. */
#define STET_MEDIA_USAGE_1 "media-usage/1"
struct stet_media_usage_1 {
	/* Returns in *status whether the index of uses is complete: a coverage status ("complete",
	 * "never", ...). *told: this caller may read the number and the list of uses. */
	enum stet_status (*coverage)(struct stet_call *, const char **status, bool *told);
	/* Appends an expression: the number of content items outside the trash that use the media
	 * item whose id is in `column` ("media_items.id"). */
	void (*count)(struct stet_sql *, const char *column);
	/* Appends " AND ...", a condition that is true if nothing refers to that item: neither
	 * content, including the trash, nor a row of another table (`media` of struct
	 * stet_transfer). Reliable only if the status is "complete". */
	enum stet_status (*unused)(struct stet_call *, struct stet_sql *, const char *column);
	/* Finds the uses of one item. *used: it has at least one. *out is an object {count,
	 * coverage: {scope, status}, content: [...], others: [...]}, with at most twenty entries of
	 * content, owned by the call. For a caller who may not read uses, it lacks them. */
	enum stet_status (*uses)(
	    struct stet_call *, const char *id, bool *used, const json_t **out);
	/* Returns true if values of this field can refer to media items. */
	bool (*refers)(const struct stet_field *);
	/* Calls fn for each reference in the text that a column of such a field holds. */
	void (*references)(struct stet_call *, const struct stet_field *, const char *text,
	    size_t len, void (*fn)(void *arg, const char *media), void *arg);
	/* New functions go here, and nowhere else. */
};

#endif
