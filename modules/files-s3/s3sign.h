/*
 * s3sign.h - signs requests to an S3 service by AWS Signature Version 4: in a header, or in a URL
 * for others (presigned). Nothing is sent here, so that tests and the fuzzer reach all of it. Why
 * libcurl does not sign: adr/0058.
 */
#ifndef MODULES_FILES_S3_S3SIGN_H
#define MODULES_FILES_S3_S3SIGN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <stet/buf.h>

#define S3_PAIRS 16
#define S3_SUM_SIZE 65
#define S3_UNSIGNED "UNSIGNED-PAYLOAD"
#define S3_EMPTY_SUM "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

#define s3_must(x) ((x) ? (void)0 : abort()) /* a bug if not */

struct s3_keys {
	char id[129], secret[129];
	const char *region;
};

struct s3_pairs {
	struct s3_pair {
		const char *name, *value;
	} pair[S3_PAIRS];
	size_t count;
};

struct s3_request {
	const char *method, *scheme, *host; /* host: with port, as in the header Host */
	const char *path; /* not encoded yet; begins with a slash */
	struct s3_pairs query; /* in any order */
	/* Further headers to sign, besides Host and x-amz-date; names in lower case. */
	struct s3_pairs headers;
	const char *sum; /* SHA-256 of the body as text, or S3_UNSIGNED */
};

void s3_pair_add(struct s3_pairs *, const char *name, const char *value);
/* Appends text, percent-encoded by RFC 3986; slashes stay as they are if `is_path`. */
void s3sign_encode(struct stet_buf *, const char *text, bool is_path);
/* Appends the URL without a signature; parameters are sorted. */
void s3sign_url(const struct s3_request *, struct stet_buf *);
/* Appends the value of the header Authorization, and writes that of x-amz-date. `now` in
 * milliseconds. */
void s3sign_header(const struct s3_request *, const struct s3_keys *, int64_t now, char date[17],
    struct stet_buf *authorization);
/* Appends a presigned URL, valid for this many seconds, with the headers of the request. */
void s3sign_presign(const struct s3_request *, const struct s3_keys *, int64_t now,
    unsigned seconds, struct stet_buf *url);

#endif
