/*
 * media.h - what is known of media items by those who only refer to them: the service of the media
 * module. Without it there is no media, and nothing can refer to any.
 */
#ifndef STET_MEDIA_H
#define STET_MEDIA_H

#include <stet/call.h>

/* Members of a resolved reference. Owned by the call. */
struct stet_media_item {
	const char *id; /* NULL: there is no such item */
	const char *url, *content_type;
	int64_t width, height; /* pixels; 0: unknown, or it has none */
	/* New fields go here, and nowhere else. */
};

#define STET_MEDIA_1 "media/1"
struct stet_media_1 {
	/* Look up `count` items at once: *out is an array in the order of `ids`. */
	enum stet_status (*find)(struct stet_call *, const char *const *ids, size_t count,
	    const struct stet_media_item **out);
	/* New functions go here, and nowhere else. */
};

#endif
