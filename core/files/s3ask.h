/*
 * s3ask.h - one request to the bucket of a site, by libcurl: signed, bounded in time and size,
 * repeated a few times with growing pauses when the service is out of order, and its failure told
 * in words. The credentials are read from their file for each request; they are in no message.
 */
#ifndef CORE_FILES_S3ASK_H
#define CORE_FILES_S3ASK_H

#include "conf/conf.h"
#include "files/s3sign.h"

#define S3_SAID 512
#define S3_MEMORY_MAX ((size_t)4 << 20) /* bytes of an answer in memory */

enum s3_outcome {
	S3_GOOD,
	S3_MISSING, /* 404 */
	S3_REFUSED, /* any other answer of 300 to 499: another attempt would end as this one */
	S3_DOWN, /* no answer, a broken one, or 500 and above, in all attempts */
	S3_LOCAL /* the file here cannot be read or written; errno says why */
};

struct s3_ask {
	const char *method;
	const char *object; /* name without the prefix of the site; NULL: the bucket itself */
	struct s3_pairs query, headers;
	/* The body: text, or so many bytes of a file. `sum` is its SHA-256; NULL: there is none. */
	const char *text, *sum;
	int from;
	int64_t at;
	uint64_t len;
	bool to_file; /* the body of a success is written to `to`, from its beginning on */
	int to;
	int64_t deadline; /* by clock_monotonic; 0: none */
};
struct s3_answer {
	int status; /* 0: none */
	uint64_t length; /* of the whole object, as GET and HEAD tell it */
	char etag[128];
	char sum[S3_SUM_SIZE]; /* SHA-256 of the object, as we noted it when it was put; "": none */
	struct buf body; /* of what is not written to a file */
	char said[S3_SAID]; /* why it failed, in words */
};

/* Blocks. The answer is to be freed in any case. */
enum s3_outcome s3_ask(const struct conf_site *, const struct s3_ask *, struct s3_answer *);
void s3_answer_free(struct s3_answer *);
/* Sets why an answer that came is none: always S3_DOWN. */
enum s3_outcome s3_broken(struct s3_answer *, const char *why);

/* Fills in where an object is, and the method; `host` and `path` hold the text of it and are freed
 * by the caller. */
void s3_locate(const struct conf_site *, const char *method, const char *object,
    struct s3_request *, struct buf *host, struct buf *path);
/* Reads the credentials of the site. NULL, or the reason why not, to be freed. The caller erases
 * *keys. */
char *s3_keys_read(const struct conf_site *, struct s3_keys *);

#endif
