/*
 * s3ask.h - one request to the bucket of a site, by libcurl: signed, limited in time and size, and
 * repeated a few times with growing pauses if the service fails. A failure is described in words.
 * The credentials are read from their file for each request and appear in no message.
 */
#ifndef MODULES_FILES_S3_S3ASK_H
#define MODULES_FILES_S3_S3ASK_H

#include "s3sign.h"
#include <stet/driver.h>

#define S3_SAID 512
#define S3_MEMORY_MAX ((size_t)4 << 20) /* bytes of an answer in memory */

enum s3_style { S3_PATH, S3_HOST }; /* the part of URLs that has the bucket's name */
/* The bucket of a site, as its keys of stet.conf say. */
struct s3_bucket {
	const char *endpoint, *name, *credentials_file;
	const char *region, *prefix; /* NULL: us-east-1, names without a prefix */
	const char *ca; /* file of CA certificates; NULL: the system's */
	int style; /* enum s3_style */
	int64_t timeout; /* milliseconds in which no byte moves */
};

enum s3_outcome {
	S3_GOOD,
	S3_MISSING, /* 404 */
	S3_REFUSED, /* any other status from 300 to 499: a retry would not help */
	S3_DOWN, /* no response, a broken one, or 500 and above, in all attempts */
	S3_LOCAL /* the local file cannot be read or written; see errno */
};

struct s3_ask {
	const char *method;
	const char *object; /* name without the prefix of the site; NULL: the bucket itself */
	struct s3_pairs query, headers;
	/* The body: text, or `size` bytes of a file from `at`. `sum` is its SHA-256; NULL: no
	 * body. */
	const char *text, *sum;
	int from;
	int64_t at;
	uint64_t len;
	bool to_file; /* write the body of a success to `to`, from its beginning */
	int to;
	int64_t deadline; /* milliseconds of CLOCK_MONOTONIC; 0: none */
};
struct s3_answer {
	int status; /* 0: none */
	uint64_t length; /* size of the whole object, from GET and HEAD */
	char etag[128];
	char sum[S3_SUM_SIZE]; /* SHA-256 noted when the object was stored; "": none */
	struct stet_buf body; /* response body, unless written to a file */
	char said[S3_SAID]; /* why it failed, in words */
};

/* Sends the request. Blocks. The caller frees the answer in any case. */
enum s3_outcome s3_ask(const struct s3_bucket *, const struct s3_ask *, struct s3_answer *);
void s3_answer_free(struct s3_answer *);
/* Records why a received response is unusable. Returns S3_DOWN. */
enum s3_outcome s3_broken(struct s3_answer *, const char *why);

/* Fills in the object's address and the method. `host` and `path` hold the text and are freed by
 * the caller. */
void s3_locate(const struct s3_bucket *, const char *method, const char *object,
    struct s3_request *, struct stet_buf *host, struct stet_buf *path);
/* Reads the credentials of the site. Returns NULL, or the reason of a failure, which the caller
 * frees. The caller erases *keys. */
char *s3_keys_read(const struct s3_bucket *, struct s3_keys *);

#endif
