/*
 * s3.h - objects in the bucket of a site. Names are without the site's prefix. All functions block,
 * use memory that does not grow with the object, and describe a failure in `said`.
 */
#ifndef MODULES_FILES_S3_S3_H
#define MODULES_FILES_S3_S3_H

#include "s3ask.h"
#include "s3xml.h"

#define S3_SINGLE ((uint64_t)16 << 20) /* bytes; larger files are sent in parts of this size */

/* Stores the file and notes its SHA-256 at the object. The service checks the received bytes
 * against it, or against the sums of the parts. An object is stored completely or not at all. */
enum s3_outcome s3_put(const struct s3_bucket *, const char *object, int from, char said[S3_SAID]);
/* Writes the object to an empty file and checks it against its noted SHA-256. `deadline` by
 * CLOCK_MONOTONIC; 0: none. */
enum s3_outcome s3_get(
    const struct s3_bucket *, const char *object, int to, int64_t deadline, char said[S3_SAID]);
/* Returns the object's size in bytes. */
enum s3_outcome s3_head(
    const struct s3_bucket *, const char *object, uint64_t *size, char said[S3_SAID]);
/* Returns the SHA-256 that was noted when the object was stored, which the service then checked.
 * "": none. */
enum s3_outcome s3_sum(
    const struct s3_bucket *, const char *object, char sum[S3_SUM_SIZE], char said[S3_SAID]);
/* Deletes the object. Succeeds if it does not exist. */
enum s3_outcome s3_delete(const struct s3_bucket *, const char *object, char said[S3_SAID]);
/* Returns one page of names that begin with `folder` and follow `after` (or ""). All names are
 * without the site's prefix. The caller frees *page in any case. */
enum s3_outcome s3_list(const struct s3_bucket *, const char *folder, const char *after,
    struct s3_xml *page, char said[S3_SAID]);
/* Aborts multipart uploads below `folder` that began before this time (seconds since the epoch), as
 * a killed daemon leaves them. Sets *gone to their number. */
enum s3_outcome s3_abort(const struct s3_bucket *, const char *folder, int64_t before,
    uint64_t *gone, char said[S3_SAID]);
/* Returns true if the bucket exists and may be listed. For `stet doctor`. */
bool s3_probe(const struct s3_bucket *, char said[S3_SAID]);
/* Writes a URL that stores (PUT) or returns (GET) the object, valid for this many seconds, with
 * these headers and parameters. Sends no request. On failure returns false, and `said` is the
 * reason. */
bool s3_presign(const struct s3_bucket *, const char *method, const char *object,
    const struct s3_pairs *headers, const struct s3_pairs *query, unsigned seconds,
    struct stet_buf *url, char said[S3_SAID]);

#endif
