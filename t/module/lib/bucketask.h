/* bucketask.h - one request to the bucket of bucket.h: read, judged by its signature, answered. */
#ifndef T_BUCKETASK_H
#define T_BUCKETASK_H

#include "base/buf.h"
#include "bucket.h"

#define HEAD_MAX 16384
#define PAIRS 32

struct pair {
	char *name, *value;
};
struct ask {
	struct bucket *b;
	int fd;
	char head[HEAD_MAX];
	char *method, *path, *key; /* key: below the bucket; "": the bucket itself */
	struct pair header[PAIRS], query[PAIRS]; /* query: decoded */
	size_t headers, queries;
	char *body;
	size_t len;
};

/* Reads it from the connection. false: it did not come whole. */
bool ask_read(struct ask *);
const char *ask_header(const struct ask *, const char *name);
const char *ask_query(const struct ask *, const char *name);
/* NULL: the signature is right, in the header or in the URL; else the code of the error. */
const char *ask_judge(struct ask *);
/* `sent` of `len` bytes leave. */
void ask_answer(
    struct ask *, int status, const char *headers, const char *body, size_t len, size_t sent);
void ask_answer_xml(struct ask *, int status, struct buf *xml); /* frees it */
void ask_refuse(struct ask *, int status, const char *code);
void ask_sum(const char *bytes, size_t len, char out[65]);

#endif
