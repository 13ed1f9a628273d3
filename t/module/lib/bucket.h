/*
 * bucket.h - an object store on loopback that speaks as much of S3 as the daemon asks: objects,
 * ranges, listings, uploads in parts. It recomputes each signature by OpenSSL, sharing no code with
 * the signer, and fails in the ways that a test chooses. One thread, one connection at a time.
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
	BUCKET_ANSWERS, /* with `status` and `text` */
	BUCKET_SILENT, /* says nothing until the client leaves */
	BUCKET_HALF, /* ends in the middle of the body */
	BUCKET_LOSES, /* does the work, and ends without an answer */
	BUCKET_OTHER_BYTES, /* as many as there are, but others */
	BUCKET_TOO_MANY /* more bytes than an answer may have */
};

struct bucket_object {
	char *key, *bytes, *sum; /* sum: x-amz-meta-sha256, or NULL */
	size_t len;
	int64_t time; /* seconds since the epoch */
	bool part, pending; /* of an upload: key is "UPLOAD/NUMBER"; the upload itself */
};

struct bucket {
	int fd, port;
	pthread_t thread;
	atomic_bool stops;
	pthread_mutex_t lock; /* of what follows */
	struct bucket_object *object;
	size_t count, room;
	unsigned uploads;
	int64_t skew; /* how far its clock is ahead, in milliseconds */
	/* The next `faults` requests with this method (NULL: any) fail. */
	enum bucket_fault fault;
	int faults, status;
	const char *text, *method;
	unsigned page; /* most of a listing; 0: as many as asked for */
	unsigned requests, refused; /* refused: by their signature */
	unsigned gets, puts; /* of objects and parts that were done */
	char said[4096]; /* the canonical request that was refused last */
};

void bucket_open(struct bucket *);
void bucket_close(struct bucket *);
void bucket_fail(struct bucket *, enum bucket_fault, int times, const char *method, int status,
    const char *text);
/* NULL: there is none. The caller must not run requests meanwhile. */
struct bucket_object *bucket_find(struct bucket *, const char *key);
/* How many objects there are, and uploads in parts that are not complete. */
unsigned bucket_objects(struct bucket *), bucket_pending(struct bucket *);
unsigned bucket_count(struct bucket *, const unsigned *); /* one of its counters */

#endif
