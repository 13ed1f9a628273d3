/*
 * s3.h - objects in the bucket of a site. Names are those that follow the prefix of the site. All
 * of these block, use memory that does not grow with the object, and say in words what failed.
 */
#ifndef CORE_FILES_S3_H
#define CORE_FILES_S3_H

#include "files/s3ask.h"
#include "files/s3xml.h"

#define S3_SINGLE ((uint64_t)16 << 20) /* bytes; what is larger is sent in parts of this size */

/* Stores the file, with its SHA-256 noted at the object. The service compares what it receives with
 * that, or with those of the parts. An object is there whole or not at all. */
enum s3_outcome s3_put(const struct conf_site *, const char *object, int from, char said[S3_SAID]);
/* Writes the object to an empty file, and compares it with its noted SHA-256. `deadline` by
 * clock_monotonic; 0: none. */
enum s3_outcome s3_get(
    const struct conf_site *, const char *object, int to, int64_t deadline, char said[S3_SAID]);
/* How long it is. */
enum s3_outcome s3_head(
    const struct conf_site *, const char *object, uint64_t *size, char said[S3_SAID]);
/* The SHA-256 that was noted when it was put, which the service compared with the bytes; "": none
 * was noted. */
enum s3_outcome s3_sum(
    const struct conf_site *, const char *object, char sum[S3_SUM_SIZE], char said[S3_SAID]);
/* Succeeds where there is none, too. */
enum s3_outcome s3_delete(const struct conf_site *, const char *object, char said[S3_SAID]);
/* Returns one page of the names that begin with `folder`, after the name `after` (""): both without
 * the prefix of the site, as are the names in *page. To be freed in any case. */
enum s3_outcome s3_list(const struct conf_site *, const char *folder, const char *after,
    struct s3_xml *page, char said[S3_SAID]);
/* Ends uploads in parts below `folder` that began before this time (seconds since the epoch): what
 * a killed daemon left. *gone is how many. */
enum s3_outcome s3_abort(const struct conf_site *, const char *folder, int64_t before,
    uint64_t *gone, char said[S3_SAID]);
/* Asks whether the bucket is there and may be listed, as `stet doctor` does. */
bool s3_probe(const struct conf_site *, char said[S3_SAID]);
/* Writes a URL that stores (PUT) or returns (GET) the object for so many seconds, with these
 * headers and parameters. Sends nothing. false: `said` says why. */
bool s3_presign(const struct conf_site *, const char *method, const char *object,
    const struct s3_pairs *headers, const struct s3_pairs *query, unsigned seconds, struct buf *url,
    char said[S3_SAID]);

#endif
