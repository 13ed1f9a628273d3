/*
 * wxr.h - the reader of export files (WXR 1.0 to 1.2): one pass over files of any size, in constant
 * memory. What it finds goes to the functions of a sink, one author, term or item at a time.
 */
#ifndef IMPORT_WXR_H
#define IMPORT_WXR_H

#include <stet/call.h>

/* Texts are UTF-8 without control characters, "" where the file has none; numbers are 0 then. All
 * live until the function of the sink returns. */

struct wxr_meta {
	const char *key, *value;
};

struct wxr_site {
	const char *title, *link, *description, *language, *version, *base_site, *base_blog;
};

struct wxr_author {
	int64_t id;
	const char *login, *email, *display_name, *first_name, *last_name;
};

/* A category, a tag or a term of another taxonomy. */
struct wxr_term {
	int64_t id;
	const char *taxonomy; /* category and post_tag for the first two */
	const char *slug, *name, *description;
	const char *parent; /* the slug of the parent */
	const struct wxr_meta *meta;
	size_t meta_count;
};

/* A term that an item has. */
struct wxr_label {
	const char *taxonomy, *slug, *text; /* taxonomy and slug are "" in old files */
};

struct wxr_comment {
	int64_t id, parent, user;
	const char *author, *email, *url, *ip, *date, *date_gmt, *content, *approved, *type;
	const struct wxr_meta *meta;
	size_t meta_count;
};

struct wxr_item {
	int64_t line; /* of the file, where it begins */
	int64_t id, parent, menu_order;
	/* Ids of sources that do not use numbers. NULL: `id` and `parent` count. */
	const char *key, *parent_key;
	const json_t *own; /* extra data of an importer (item/own.c), or NULL */
	bool sticky;
	const char *type, *status, *slug, *title, *link, *guid, *author, *description, *content,
	    *excerpt, *password, *attachment_url, *comment_status, *ping_status;
	const char *published, *date, *date_gmt, *modified, *modified_gmt; /* published: RFC 822 */
	const struct wxr_meta *meta; /* in the order of the file; a key may come again */
	size_t meta_count;
	const struct wxr_label *labels;
	size_t label_count;
	const struct wxr_comment *comments;
	size_t comment_count;
};

/* Returns the URL of an attachment's file; "": it is unknown. */
static inline const char *
wxr_attachment_url(const struct wxr_item *item)
{
	return *item->attachment_url != '\0' ? item->attachment_url : item->guid;
}

#define WXR_ALT "_wp_attachment_image_alt" /* the custom field with the alt text of a picture */

/* Returns the value of a custom field; NULL: the item has none. A key may come again: the last
 * value counts. */
const char *wxr_meta_value(const struct wxr_item *, const char *key);

/* A problem in the file that did not end the reading. */
struct wxr_notice {
	const char *file; /* in a zip file: the name in it; else "" */
	int64_t line;
	bool skipped; /* an item, an author or a term is left out; else it was repaired */
	const char *text;
	const char *type; /* of the item that is left out; NULL or "": it is none */
};

struct wxr_totals {
	int64_t documents, items, skipped, repaired;
	uint64_t bytes; /* of XML, unpacked */
};

/* The functions are called with what is found; each may be NULL. The site comes before the first
 * item. A status that is not STET_OK ends the reading with it. */
/* The namespace of what stet's own exports hold beside WordPress's elements. */
#define WXR_OWN_SPACE "urn:stet:export:1"

struct wxr_sink {
	enum stet_status (*site)(void *, const struct wxr_site *);
	enum stet_status (*author)(void *, const struct wxr_author *);
	enum stet_status (*term)(void *, const struct wxr_term *);
	enum stet_status (*item)(void *, const struct wxr_item *);
	enum stet_status (*notice)(void *, const struct wxr_notice *);
	void *arg;
	/* A definition of stet's own exports, as JSON. kind: "collection", "taxonomy" */
	enum stet_status (*definition)(void *, const char *kind, const char *json);
};

#define WXR_TEXT_MAX (8u << 20) /* bytes of one text */
#define WXR_ITEM_MAX (16u << 20) /* bytes of an item with its meta and comments */
#define WXR_REFUSED (64u << 20) /* a longer item is not only left out: it ends the reading */

/*
 * Reads files, XML or packed by gzip or zip (all .xml in it, by name), as one export. `most`: bytes
 * of XML, unpacked. Fails with VALIDATION_ERROR about "file", with the line, for what is no export,
 * is not well-formed to its end, has a document type declaration, or passes a limit. For the slow
 * lane.
 */
STET_MUST enum stet_status wxr_read(struct stet_call *, const char *const *paths, size_t count,
    uint64_t most, const struct wxr_sink *, struct wxr_totals *);

#endif
