/* bucket.c - an object store on loopback. */
#include "bucket.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/words.h"
#include "bucketask.h"
#include "harness.h"
#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- objects ---- */

struct bucket_object *
bucket_find(struct bucket *b, const char *key)
{
	for (size_t i = 0; i < b->count; i++)
		if (strcmp(b->object[i].key, key) == 0)
			return &b->object[i];
	return NULL;
}

static void
drop(struct bucket *b, struct bucket_object *o)
{
	free(o->key);
	free(o->bytes);
	free(o->sum);
	memmove(o, o + 1, (size_t)(b->object + b->count - (o + 1)) * sizeof(*o));
	b->count--;
}

/* Stores an object, and takes ownership of `bytes`. The objects are sorted by key, as listings
 * are. */
static struct bucket_object *
store(struct bucket *b, const char *key, char *bytes, size_t len, const char *sum)
{
	struct bucket_object *old = bucket_find(b, key), *o;
	size_t at = 0;

	if (old != NULL)
		drop(b, old);
	if (b->count == b->room) {
		b->room = b->room * 2 + 16;
		b->object = xrealloc(b->object, b->room * sizeof(*b->object));
	}
	while (at < b->count && strcmp(b->object[at].key, key) < 0)
		at++;
	o = &b->object[at];
	memmove(o + 1, o, (b->count - at) * sizeof(*o));
	b->count++;
	*o = (struct bucket_object){ .key = strdup(key),
		.bytes = bytes,
		.sum = sum != NULL ? strdup(sum) : NULL,
		.len = len,
		.time = (clock_now() + b->skew) / 1000 };
	return o;
}

static char *
take_body(struct ask *a)
{
	char *body = a->body;

	a->body = NULL;
	return body;
}

static void
put(struct ask *a)
{
	const char *upload = ask_query(a, "uploadId"), *number = ask_query(a, "partNumber");
	char *key, etag[128], sum[65];

	ask_sum(a->body, a->len, sum);
	(void)snprintf(etag, sizeof(etag), "ETag: \"%.32s\"\r\n", sum);
	if (upload == NULL)
		store(a->b, a->key, take_body(a), a->len, ask_header(a, "x-amz-meta-sha256"));
	else if (bucket_find(a->b, upload) == NULL) {
		ask_refuse(a, 404, "NoSuchUpload");
		return;
	} else {
		key = words_format("%s/%05ld", upload, strtol(number, NULL, 10));
		store(a->b, key, take_body(a), a->len, NULL)->part = true;
		free(key);
	}
	a->b->puts++;
	ask_answer(a, 200, etag, "", 0, 0);
}

/* Starts a multipart upload: an object named by the upload's id, whose bytes are the final key. */
static void
begin_upload(struct ask *a)
{
	char *id = words_format("upload+%u/=", ++a->b->uploads);
	struct bucket_object *o =
	    store(a->b, id, strdup(a->key), 0, ask_header(a, "x-amz-meta-sha256"));
	struct buf xml = { 0 };

	o->pending = true;
	buf_printf(&xml,
	    "<InitiateMultipartUploadResult><UploadId>%s</UploadId>"
	    "</InitiateMultipartUploadResult>",
	    id);
	ask_answer_xml(a, 200, &xml);
	free(id);
}

static void
end_upload(struct bucket *b, const char *id)
{
	size_t len = strlen(id);

	for (size_t i = 0; i < b->count;)
		if (strncmp(b->object[i].key, id, len) == 0 &&
		    (b->object[i].part || b->object[i].pending))
			drop(b, &b->object[i]);
		else
			i++;
}

static void
complete(struct ask *a, const char *id)
{
	struct bucket_object *o = bucket_find(a->b, id);
	struct buf all = { 0 }, xml = { 0 };
	char *sum = o != NULL && o->sum != NULL ? strdup(o->sum) : NULL;

	if (o == NULL) {
		ask_refuse(a, 404, "NoSuchUpload");
		return;
	}
	for (size_t i = 0; i < a->b->count; i++) {
		const struct bucket_object *part = &a->b->object[i];

		if (part->part && strncmp(part->key, id, strlen(id)) == 0)
			buf_add(&all, part->bytes, part->len);
	}
	end_upload(a->b, id);
	store(a->b, a->key, all.data, all.len, sum);
	buf_str(&xml, "<CompleteMultipartUploadResult><ETag>x</ETag>"
		      "</CompleteMultipartUploadResult>");
	ask_answer_xml(a, 200, &xml);
	free(sum);
}

static void
get(struct ask *a)
{
	const struct bucket_object *o = bucket_find(a->b, a->key);
	const char *range = ask_header(a, "Range");
	size_t from = 0;
	char sum[65], *headers, *bytes;

	if (o == NULL) {
		ask_refuse(a, 404, "NoSuchKey");
		return;
	}
	if (range != NULL)
		from = strtoul(range + strlen("bytes="), NULL, 10);
	ask_sum(o->bytes, o->len, sum);
	headers = words_format("ETag: \"%.32s\"\r\n%s%s%s", sum,
	    o->sum != NULL ? "x-amz-meta-sha256: " : "", o->sum != NULL ? o->sum : "",
	    o->sum != NULL ? "\r\n" : "");
	if (range != NULL) {
		char *more = words_format(
		    "%sContent-Range: bytes %zu-%zu/%zu\r\n", headers, from, o->len - 1, o->len);

		free(headers);
		headers = more;
	}
	bytes = xmalloc(o->len + 1);
	memcpy(bytes, o->bytes, o->len);
	if (a->b->fault == BUCKET_OTHER_BYTES && o->len > 0)
		bytes[0] ^= 1;
	ask_answer(a, range != NULL ? 206 : 200, headers, bytes + from, o->len - from,
	    a->b->fault == BUCKET_HALF ? (o->len - from) / 2 : o->len - from);
	if (strcmp(a->method, "GET") == 0)
		a->b->gets++;
	free(bytes);
	free(headers);
}

static void
add_time(struct buf *xml, const char *name, int64_t time)
{
	char text[CLOCK_TEXT_SIZE];

	clock_text(time * 1000, text);
	buf_printf(xml, "<%s>%s</%s>", name, text, name);
}

static void
list(struct ask *a)
{
	const char *prefix = ask_query(a, "prefix"), *after = ask_query(a, "start-after");
	unsigned most = (unsigned)strtoul(ask_query(a, "max-keys"), NULL, 10), told = 0;
	bool truncated = false;
	struct buf xml = { 0 };

	if (a->b->page != 0 && a->b->page < most)
		most = a->b->page;
	buf_str(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult"
		      " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
	for (size_t i = 0; i < a->b->count && !truncated; i++) {
		const struct bucket_object *o = &a->b->object[i];

		if (o->part || o->pending || strncmp(o->key, prefix, strlen(prefix)) != 0 ||
		    (after != NULL && strcmp(o->key, after) <= 0))
			continue;
		truncated = told++ == most;
		if (truncated)
			break;
		buf_printf(&xml, "<Contents><Key>%s</Key>", o->key);
		add_time(&xml, "LastModified", o->time);
		buf_printf(&xml, "<Size>%zu</Size></Contents>", o->len);
	}
	buf_printf(
	    &xml, "<IsTruncated>%s</IsTruncated></ListBucketResult>", truncated ? "true" : "false");
	ask_answer_xml(a, 200, &xml);
}

static void
list_uploads(struct ask *a)
{
	const char *prefix = ask_query(a, "prefix");
	struct buf xml = { 0 };

	buf_str(&xml, "<ListMultipartUploadsResult>");
	for (size_t i = 0; i < a->b->count; i++) {
		const struct bucket_object *o = &a->b->object[i];

		if (!o->pending || strncmp(o->bytes, prefix, strlen(prefix)) != 0)
			continue;
		buf_printf(&xml, "<Upload><Key>%s</Key><UploadId>%s</UploadId>", o->bytes, o->key);
		add_time(&xml, "Initiated", o->time);
		buf_str(&xml, "</Upload>");
	}
	buf_str(&xml, "</ListMultipartUploadsResult>");
	ask_answer_xml(a, 200, &xml);
}

static void
remove_object(struct ask *a)
{
	const char *upload = ask_query(a, "uploadId");
	struct bucket_object *o = bucket_find(a->b, a->key);

	if (upload != NULL)
		end_upload(a->b, upload);
	else if (o != NULL)
		drop(a->b, o);
	ask_answer(a, 204, "", "", 0, 0);
}

static void
serve(struct ask *a)
{
	bool reads = strcmp(a->method, "GET") == 0 || strcmp(a->method, "HEAD") == 0;

	if (strcmp(a->method, "PUT") == 0)
		put(a);
	else if (strcmp(a->method, "DELETE") == 0)
		remove_object(a);
	else if (reads && *a->key != '\0')
		get(a);
	else if (reads && ask_query(a, "list-type") != NULL)
		list(a);
	else if (reads && ask_query(a, "uploads") != NULL)
		list_uploads(a);
	else if (ask_query(a, "uploads") != NULL)
		begin_upload(a);
	else if (ask_query(a, "uploadId") != NULL)
		complete(a, ask_query(a, "uploadId"));
	else
		ask_refuse(a, 400, "InvalidRequest");
}

/* Waits until the client disconnects, or the test ends. */
static void
wait_for_end(struct ask *a)
{
	struct pollfd p = { .fd = a->fd, .events = POLLIN };
	char byte;

	while (!atomic_load(&a->b->stops))
		if (poll(&p, 1, 50) > 0 && recv(a->fd, &byte, 1, 0) <= 0)
			return;
}

/* Finds the key in a path-style or virtual-host-style request. */
static bool
find_key(struct ask *a)
{
	const char *host = ask_header(a, "Host");
	static const char in_path[] = "/" BUCKET_NAME, in_host[] = BUCKET_NAME ".";

	if (host != NULL && strncmp(host, in_host, strlen(in_host)) == 0)
		a->key = a->path + 1;
	else if (strncmp(a->path, in_path, strlen(in_path)) == 0)
		a->key = a->path + strlen(in_path) + (a->path[strlen(in_path)] == '/');
	else
		return false;
	return true;
}

static bool
fails(struct bucket *b, const char *method)
{
	if (b->faults == 0 || (b->method != NULL && strcmp(b->method, method) != 0))
		return false;
	b->faults--;
	return true;
}

static void
say_too_much(struct ask *a)
{
	size_t len = (size_t)64 << 20;
	char *bytes = xmalloc(len);

	memset(bytes, ' ', len);
	ask_answer(a, 200, "", bytes, len, len);
	free(bytes);
}

static void
misbehave(struct ask *a)
{
	int fd = a->fd;

	switch (a->b->fault) {
	case BUCKET_ANSWERS:
		ask_answer(a, a->b->status, "", a->b->text, strlen(a->b->text), strlen(a->b->text));
		break;
	case BUCKET_SILENT:
		wait_for_end(a);
		break;
	case BUCKET_LOSES:
		a->fd = -1;
		serve(a);
		a->fd = fd;
		break;
	case BUCKET_TOO_MANY:
		say_too_much(a);
		break;
	case BUCKET_HALF:
	case BUCKET_OTHER_BYTES:
	case BUCKET_FINE:
		serve(a);
	}
}

static void
handle(struct ask *a)
{
	enum bucket_fault fault = a->b->fault;
	const char *code;

	a->b->requests++;
	if (!find_key(a)) {
		ask_refuse(a, 404, "NoSuchBucket");
		return;
	}
	code = ask_judge(a);
	if (code != NULL) {
		a->b->refused++;
		ask_refuse(a, 403, code);
	} else if (fails(a->b, a->method))
		misbehave(a);
	else {
		a->b->fault = BUCKET_FINE;
		serve(a);
		a->b->fault = fault;
	}
}

static void
converse(struct bucket *b, int fd)
{
	struct ask *a = xcalloc(1, sizeof(*a));

	a->b = b;
	a->fd = fd;
	if (ask_read(a)) {
		pthread_mutex_lock(&b->lock);
		handle(a);
		pthread_mutex_unlock(&b->lock);
	}
	free(a->body);
	free(a);
}

static void *
run(void *arg)
{
	struct bucket *b = arg;
	int fd;

	while ((fd = accept(b->fd, NULL, NULL)) >= 0) {
		if (!atomic_load(&b->stops))
			converse(b, fd);
		close(fd);
		if (atomic_load(&b->stops))
			break;
	}
	return NULL;
}

/* ---- for tests ---- */

void
bucket_open(struct bucket *b)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(in);

	memset(b, 0, sizeof(*b));
	pthread_mutex_init(&b->lock, NULL);
	b->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(b->fd >= 0);
	assert_int_equal(bind(b->fd, (struct sockaddr *)&in, sizeof(in)), 0);
	assert_int_equal(listen(b->fd, 64), 0);
	assert_int_equal(getsockname(b->fd, (struct sockaddr *)&in, &len), 0);
	b->port = ntohs(in.sin_port);
	assert_int_equal(pthread_create(&b->thread, NULL, run, b), 0);
}

void
bucket_close(struct bucket *b)
{
	atomic_store(&b->stops, true);
	(void)shutdown(b->fd, SHUT_RDWR);
	pthread_join(b->thread, NULL);
	close(b->fd);
	while (b->count > 0)
		drop(b, &b->object[0]);
	free(b->object);
	pthread_mutex_destroy(&b->lock);
}

void
bucket_fail(struct bucket *b, enum bucket_fault fault, int times, const char *method, int status,
    const char *text)
{
	pthread_mutex_lock(&b->lock);
	b->fault = fault;
	b->faults = times;
	b->method = method;
	b->status = status;
	b->text = text;
	pthread_mutex_unlock(&b->lock);
}

static unsigned
count(struct bucket *b, bool pending)
{
	unsigned n = 0;

	pthread_mutex_lock(&b->lock);
	for (size_t i = 0; i < b->count; i++)
		n += !b->object[i].part && b->object[i].pending == pending;
	pthread_mutex_unlock(&b->lock);
	return n;
}

unsigned
bucket_objects(struct bucket *b)
{
	return count(b, false);
}

unsigned
bucket_pending(struct bucket *b)
{
	return count(b, true);
}

unsigned
bucket_count(struct bucket *b, const unsigned *counter)
{
	unsigned n;

	pthread_mutex_lock(&b->lock);
	n = *counter;
	pthread_mutex_unlock(&b->lock);
	return n;
}
