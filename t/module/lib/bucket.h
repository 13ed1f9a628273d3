/*
 * bucket.h - an object store on loopback that speaks as much of S3 as the daemon uses: objects,
 * ranges, listings and multipart uploads. It recomputes each signature with OpenSSL, and shares no
 * code with the signer. It fails in the ways that a test chooses. One thread, one connection at a
 * time.
 */
#ifndef T_BUCKET_H
#define T_BUCKET_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUCKET_NAME "files"
#define BUCKET_ID "AKIDEXAMPLE"
#define BUCKET_SECRET "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
#define BUCKET_REGION "eu-test-1"

enum bucket_fault {
	BUCKET_FINE,
	BUCKET_ANSWERS, /* answers with `status` and `text` */
	BUCKET_SILENT, /* sends nothing until the client disconnects */
	BUCKET_HALF, /* closes in the middle of the body */
	BUCKET_LOSES, /* executes the request, and closes without a response */
	BUCKET_OTHER_BYTES, /* sends as many bytes as the object has, but wrong ones */
	BUCKET_TOO_MANY /* sends a longer body than the client accepts */
};

struct bucket_object {
	char *key, *bytes, *sum; /* sum: x-amz-meta-sha256, or NULL */
	size_t len;
	int64_t time; /* seconds since the epoch */
	bool part, pending; /* part: key is "UPLOAD/NUMBER"; pending: an incomplete upload */
};

struct bucket {
	int fd, port;
	pthread_t thread;
	atomic_bool stops;
	pthread_mutex_t lock; /* protects the members below */
	struct bucket_object *object;
	size_t count, room;
	unsigned uploads;
	int64_t skew; /* how far its clock is ahead, in milliseconds */
	/* The next `faults` requests with this method (NULL: any) fail. */
	enum bucket_fault fault;
	int faults, status;
	const char *text, *method;
	unsigned page; /* maximum length of a listing; 0: as the request asks */
	unsigned requests, refused; /* refused: for a wrong signature */
	unsigned gets, puts; /* of objects and parts, successful ones only */
	char said[4096]; /* the canonical request of the last refusal */
};

void bucket_open(struct bucket *);
void bucket_close(struct bucket *);
void bucket_fail(struct bucket *, enum bucket_fault, int times, const char *method, int status,
    const char *text);
/* Returns the object, or NULL. The caller must not run requests meanwhile. */
struct bucket_object *bucket_find(struct bucket *, const char *key);
/* Return the number of objects, and of incomplete multipart uploads. */
unsigned bucket_objects(struct bucket *), bucket_pending(struct bucket *);
unsigned bucket_count(struct bucket *, const unsigned *); /* reads one of its counters */

#endif
