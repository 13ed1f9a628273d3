/* reviews.h - the service of the reviews module, for the change feed: who has an item open. */
#ifndef STET_REVIEWS_H
#define STET_REVIEWS_H

#include <stet/call.h>

#define STET_REVIEWS_1 "reviews/1"
struct stet_reviews_1 {
	/* Returns as JSON who has an item open: {collection, id, people}; the text changes when
	 * somebody comes, leaves or goes to another block. `item` is "posts/ID". Fails with
	 * NOT_FOUND for an item that does not exist, and with FORBIDDEN if the caller may not read
	 * drafts. */
	enum stet_status (*present)(struct stet_call *, const char *item, const char **out);
	/* New functions go here, and nowhere else. */
};

#endif
