/*
 * media.h - the service of the media module, for modules that refer to media items. Without that
 * module there are no media items, and nothing can refer to one.
 */
#ifndef STET_MEDIA_H
#define STET_MEDIA_H

#include <stet/call.h>
#include <stet/table.h>

/* The members of a media item that a reference resolves to. Owned by the call. */
struct stet_media_item {
	const char *id; /* NULL: there is no such item */
	const char *url, *content_type;
	int64_t width, height; /* pixels; 0: unknown, or it has none */
	/* New fields go here, and nowhere else. */
};

#define STET_MEDIA_1 "media/1"
struct stet_media_1 {
	/* Looks up `count` items at once. *out is a table of struct stet_media_item in the order
	 * of `ids`; read it with stet_table_row. */
	enum stet_status (*find)(
	    struct stet_call *, const char *const *ids, size_t count, struct stet_table *out);
	/* New functions go here, and nowhere else. */
};

#endif
