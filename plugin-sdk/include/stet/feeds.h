/* feeds.h - the service of the feeds module: where the site's sitemap is. */
#ifndef STET_FEEDS_H
#define STET_FEEDS_H

#include <stet/call.h>

#define STET_FEEDS_1 "feeds/1"
struct stet_feeds_1 {
	/* The address of the sitemap, owned by the call; NULL: no public collection has addresses
	 * on the site. */
	enum stet_status (*sitemap)(struct stet_call *, const char **out);
	/* New functions go here, and nowhere else. */
};

#endif
