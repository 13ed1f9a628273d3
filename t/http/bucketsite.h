/* bucketsite.h - a site of a daemon whose files are in a bucket, or may be. */
#ifndef T_HTTP_BUCKETSITE_H
#define T_HTTP_BUCKETSITE_H

#include "bucket.h"
#include "uploads.h"

extern struct bucket bucket;

/* Writes the configuration, with these lines for the site after those of the bucket. `files` is the
 * driver. */
void bucketsite_write(struct daemon *, const char *files, const char *more);
/* Removes all files of the bucket from the file cache. */
void bucketsite_clear_cache(struct daemon *);
/* The storage key of an item, in a static buffer; by library.by_admin. */
const char *bucketsite_key(const char *id);

#endif
