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
	char *method, *path, *key; /* key: of the object; "": the bucket itself */
	struct pair header[PAIRS], query[PAIRS]; /* query: decoded */
	size_t headers, queries;
	char *body;
	size_t len;
};

/* Reads a request from the connection. Returns false if it ends early. */
bool ask_read(struct ask *);
const char *ask_header(const struct ask *, const char *name);
const char *ask_query(const struct ask *, const char *name);
/* Checks the signature, in the header or in the URL. Returns NULL if it is right, else the error
 * code. */
const char *ask_judge(struct ask *);
/* Sends a response, but only the first `sent` of the `len` bytes of its body. */
void ask_answer(
    struct ask *, int status, const char *headers, const char *body, size_t len, size_t sent);
void ask_answer_xml(struct ask *, int status, struct buf *xml); /* frees xml */
void ask_refuse(struct ask *, int status, const char *code);
void ask_sum(const char *bytes, size_t len, char out[65]);

#endif
