/* s3.c - objects in the bucket of a site. */
#include "s3.h"
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PARTS_MAX 10000 /* of one upload: limit of the service */
#define PAGE "1000"

/* Sends a request and ignores the response body. */
static enum s3_outcome
tell(const struct s3_bucket *bucket, const struct s3_ask *ask, char said[S3_SAID])
{
	struct s3_answer answer;
	enum s3_outcome result = s3_ask(bucket, ask, &answer);

	memcpy(said, answer.said, S3_SAID);
	s3_answer_free(&answer);
	return result;
}

/* Sends a request whose response is XML with this root element. The caller frees *xml in any case.
 * For long operations the service may report an error with status 200. */
static enum s3_outcome
ask_xml(const struct s3_bucket *bucket, const struct s3_ask *ask, const char *root,
    struct s3_xml *xml, char said[S3_SAID])
{
	struct s3_answer answer;
	enum s3_outcome result = s3_ask(bucket, ask, &answer);
	char *why = NULL;

	memset(xml, 0, sizeof(*xml));
	if (result == S3_GOOD) {
		bool good = s3xml_read(
		    answer.body.data != NULL ? answer.body.data : "", answer.body.len, xml);

		if (good && strcmp(xml->root, "Error") == 0)
			why =
			    stet_format_dup("the service answers %s, %s", xml->code, xml->message);
		else if (!good || strcmp(xml->root, root) != 0)
			why = stet_format_dup(
			    "the service answers %s with what is no %s", ask->method, root);
	}
	if (why != NULL)
		result = s3_broken(&answer, why);
	memcpy(said, answer.said, S3_SAID);
	s3_answer_free(&answer);
	free(why);
	return result;
}

/* ---- storing ---- */

static enum s3_outcome
local(char said[S3_SAID])
{
	int error = errno;

	(void)snprintf(said, S3_SAID, "%s", strerror(error));
	errno = error;
	return S3_LOCAL;
}

static enum s3_outcome
put_single(const struct s3_bucket *bucket, const char *object, int from, uint64_t size,
    const char *sum, char said[S3_SAID])
{
	struct s3_ask ask = {
		.method = "PUT", .object = object, .sum = sum, .from = from, .len = size
	};

	s3_pair_add(&ask.headers, "content-type", "application/octet-stream");
	s3_pair_add(&ask.headers, "x-amz-meta-sha256", sum);
	return tell(bucket, &ask, said);
}

struct parts {
	const struct s3_bucket *bucket;
	const char *object, *upload; /* upload: its id */
	int from;
	uint64_t size, piece;
	struct stet_buf list; /* XML list of the parts, for completing the upload */
};

/* Returns true if the tag can be written into XML without escapes. */
static bool
tag_good(const char *etag)
{
	return *etag != '\0' && strpbrk(etag, "<>&") == NULL;
}

static enum s3_outcome
put_part(struct parts *p, unsigned number, char said[S3_SAID])
{
	uint64_t at = (number - 1) * p->piece, left = p->size - at;
	char sum[S3_SUM_SIZE], digits[12];
	struct s3_ask ask = { .method = "PUT",
		.object = p->object,
		.sum = sum,
		.from = p->from,
		.at = (int64_t)at,
		.len = left < p->piece ? left : p->piece };
	struct s3_answer answer;
	enum s3_outcome result;

	if (!stet_file_digest(p->from, at, ask.len, sum))
		return local(said);
	(void)snprintf(digits, sizeof(digits), "%u", number);
	s3_pair_add(&ask.query, "partNumber", digits);
	s3_pair_add(&ask.query, "uploadId", p->upload);
	result = s3_ask(p->bucket, &ask, &answer);
	if (result == S3_GOOD && !tag_good(answer.etag))
		result = s3_broken(&answer, "the service answers a part without an ETag");
	if (result == S3_GOOD)
		stet_buf_printf(&p->list, "<Part><PartNumber>%u</PartNumber><ETag>%s</ETag></Part>",
		    number, answer.etag);
	memcpy(said, answer.said, S3_SAID);
	s3_answer_free(&answer);
	return result;
}

static enum s3_outcome
complete(struct parts *p, char said[S3_SAID])
{
	unsigned char digest[crypto_hash_sha256_BYTES];
	char sum[S3_SUM_SIZE];
	struct s3_ask ask = { .method = "POST", .object = p->object, .sum = sum };
	enum s3_outcome result;
	struct s3_xml xml;

	stet_buf_str(&p->list, "</CompleteMultipartUpload>");
	crypto_hash_sha256(digest, (const unsigned char *)p->list.data, p->list.len);
	sodium_bin2hex(sum, sizeof(sum), digest, sizeof(digest));
	ask.text = p->list.data;
	s3_pair_add(&ask.query, "uploadId", p->upload);
	s3_pair_add(&ask.headers, "content-type", "application/xml");
	result = ask_xml(p->bucket, &ask, "CompleteMultipartUploadResult", &xml, said);
	s3xml_free(&xml);
	return result;
}

static enum s3_outcome
abort_one(
    const struct s3_bucket *bucket, const char *object, const char *upload, char said[S3_SAID])
{
	struct s3_ask ask = { .method = "DELETE", .object = object };

	s3_pair_add(&ask.query, "uploadId", upload);
	return tell(bucket, &ask, said);
}

/* Uploads a file in parts. If completing fails without a response, the object may exist; the sweep
 * then finds it. */
static enum s3_outcome
put_parts(struct parts *p, char said[S3_SAID])
{
	unsigned count = (unsigned)((p->size + p->piece - 1) / p->piece);
	enum s3_outcome result = S3_GOOD;
	char ignored[S3_SAID];
	int error;

	stet_buf_str(&p->list, "<CompleteMultipartUpload"
			       " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
	for (unsigned i = 1; i <= count && result == S3_GOOD; i++)
		result = put_part(p, i, said);
	if (result == S3_GOOD)
		result = complete(p, said);
	error = errno;
	if (result != S3_GOOD)
		(void)abort_one(p->bucket, p->object, p->upload, ignored);
	errno = error;
	stet_buf_free(&p->list);
	return result;
}

static enum s3_outcome
put_large(const struct s3_bucket *bucket, const char *object, int from, uint64_t size,
    const char *sum, char said[S3_SAID])
{
	struct s3_ask ask = { .method = "POST", .object = object };
	struct parts p = {
		.bucket = bucket, .object = object, .from = from, .size = size, .piece = S3_SINGLE
	};
	enum s3_outcome result;
	struct s3_xml xml;

	while (size / p.piece >= PARTS_MAX)
		p.piece *= 2;
	s3_pair_add(&ask.query, "uploads", "");
	s3_pair_add(&ask.headers, "content-type", "application/octet-stream");
	s3_pair_add(&ask.headers, "x-amz-meta-sha256", sum);
	result = ask_xml(bucket, &ask, "InitiateMultipartUploadResult", &xml, said);
	if (result == S3_GOOD && *xml.upload == '\0') {
		(void)snprintf(said, S3_SAID, "the service gives no id to an upload in parts");
		result = S3_DOWN;
	}
	p.upload = xml.upload;
	if (result == S3_GOOD)
		result = put_parts(&p, said);
	s3xml_free(&xml);
	return result;
}

enum s3_outcome
s3_put(const struct s3_bucket *bucket, const char *object, int from, char said[S3_SAID])
{
	char sum[S3_SUM_SIZE];
	struct stat st;

	*said = '\0';
	if (fstat(from, &st) != 0 || !stet_file_digest(from, 0, UINT64_MAX, sum))
		return local(said);
	if ((uint64_t)st.st_size > S3_SINGLE)
		return put_large(bucket, object, from, (uint64_t)st.st_size, sum, said);
	return put_single(bucket, object, from, (uint64_t)st.st_size, sum, said);
}

/* ---- reading ---- */

enum s3_outcome
s3_get(const struct s3_bucket *bucket, const char *object, int to, int64_t deadline,
    char said[S3_SAID])
{
	const struct s3_ask ask = {
		.method = "GET", .object = object, .to_file = true, .to = to, .deadline = deadline
	};
	struct s3_answer answer;
	enum s3_outcome result = s3_ask(bucket, &ask, &answer);
	char is[S3_SUM_SIZE];
	int error = errno;

	if (result == S3_GOOD && answer.sum[0] != '\0') {
		if (!stet_file_digest(to, 0, UINT64_MAX, is))
			result = local(answer.said);
		else if (strcmp(is, answer.sum) != 0)
			result =
			    s3_broken(&answer, "the service sends other bytes than it was given");
		error = errno;
	}
	memcpy(said, answer.said, S3_SAID);
	s3_answer_free(&answer);
	errno = error;
	return result;
}

enum s3_outcome
s3_head(const struct s3_bucket *bucket, const char *object, uint64_t *size, char said[S3_SAID])
{
	const struct s3_ask ask = { .method = "HEAD", .object = object };
	struct s3_answer answer;
	enum s3_outcome result = s3_ask(bucket, &ask, &answer);

	*size = answer.length;
	memcpy(said, answer.said, S3_SAID);
	s3_answer_free(&answer);
	return result;
}

enum s3_outcome
s3_sum(
    const struct s3_bucket *bucket, const char *object, char sum[S3_SUM_SIZE], char said[S3_SAID])
{
	const struct s3_ask ask = { .method = "HEAD", .object = object };
	struct s3_answer answer;
	enum s3_outcome result = s3_ask(bucket, &ask, &answer);

	memcpy(sum, answer.sum, S3_SUM_SIZE);
	memcpy(said, answer.said, S3_SAID);
	s3_answer_free(&answer);
	return result;
}

/* ---- removing ---- */

enum s3_outcome
s3_delete(const struct s3_bucket *bucket, const char *object, char said[S3_SAID])
{
	const struct s3_ask ask = { .method = "DELETE", .object = object };
	enum s3_outcome result = tell(bucket, &ask, said);

	return result == S3_MISSING ? S3_GOOD : result;
}

/* ---- listing ---- */

static void
add_prefix(const struct s3_bucket *bucket, const char *name, struct stet_buf *out)
{
	if (bucket->prefix != NULL)
		stet_buf_printf(out, "%s/", bucket->prefix);
	stet_buf_str(out, name);
	stet_buf_str(out, ""); /* so that data is never NULL */
	out->data[out->len] = '\0';
}

/* Removes the site's prefix from the names. Returns false if a name lies outside of the folder. */
static bool
strip(const struct s3_bucket *bucket, const char *folder, struct s3_xml *page)
{
	struct stet_buf prefix = { 0 };
	bool good = true;

	add_prefix(bucket, folder, &prefix);
	for (size_t i = 0; i < page->count && good; i++) {
		char *key = page->item[i].key;
		size_t skip = prefix.len - strlen(folder);

		good = key != NULL && strncmp(key, prefix.data, prefix.len) == 0;
		if (good)
			memmove(key, key + skip, strlen(key) - skip + 1);
	}
	stet_buf_free(&prefix);
	return good;
}

enum s3_outcome
s3_list(const struct s3_bucket *bucket, const char *folder, const char *after, struct s3_xml *page,
    char said[S3_SAID])
{
	struct s3_ask ask = { .method = "GET" };
	struct stet_buf prefix = { 0 }, start = { 0 };
	enum s3_outcome result;

	add_prefix(bucket, folder, &prefix);
	add_prefix(bucket, after, &start);
	s3_pair_add(&ask.query, "list-type", "2");
	s3_pair_add(&ask.query, "max-keys", PAGE);
	s3_pair_add(&ask.query, "prefix", prefix.data);
	if (*after != '\0')
		s3_pair_add(&ask.query, "start-after", start.data);
	result = ask_xml(bucket, &ask, "ListBucketResult", page, said);
	/* Reject a page that does not advance: it would be requested forever. */
	if (result == S3_GOOD &&
	    (!strip(bucket, folder, page) ||
		(page->truncated &&
		    (page->count == 0 || strcmp(page->item[page->count - 1].key, after) <= 0)))) {
		(void)snprintf(said, S3_SAID, "the service lists what was not asked for");
		result = S3_DOWN;
	}
	stet_buf_free(&prefix);
	stet_buf_free(&start);
	return result;
}

static enum s3_outcome
abort_page(const struct s3_bucket *bucket, const struct s3_xml *page, int64_t before,
    uint64_t *gone, char said[S3_SAID])
{
	enum s3_outcome result = S3_GOOD;

	for (size_t i = 0; i < page->count && result == S3_GOOD; i++) {
		const struct s3_item *item = &page->item[i];

		/* An upload without a time cannot be known to be old. */
		if (item->upload == NULL || item->time == 0 || item->time >= before)
			continue;
		result = abort_one(bucket, item->key, item->upload, said);
		if (result == S3_MISSING)
			result = S3_GOOD;
		else if (result == S3_GOOD)
			++*gone;
	}
	return result;
}

/* Reads only the first page; later sweeps see the following uploads. */
enum s3_outcome
s3_abort(const struct s3_bucket *bucket, const char *folder, int64_t before, uint64_t *gone,
    char said[S3_SAID])
{
	struct s3_ask ask = { .method = "GET" };
	struct stet_buf prefix = { 0 };
	struct s3_xml page;
	enum s3_outcome result;

	*gone = 0;
	add_prefix(bucket, folder, &prefix);
	s3_pair_add(&ask.query, "max-uploads", PAGE);
	s3_pair_add(&ask.query, "prefix", prefix.data);
	s3_pair_add(&ask.query, "uploads", "");
	result = ask_xml(bucket, &ask, "ListMultipartUploadsResult", &page, said);
	if (result == S3_GOOD && !strip(bucket, folder, &page)) {
		(void)snprintf(said, S3_SAID, "the service lists what was not asked for");
		result = S3_DOWN;
	}
	if (result == S3_GOOD)
		result = abort_page(bucket, &page, before, gone, said);
	s3xml_free(&page);
	stet_buf_free(&prefix);
	return result;
}

bool
s3_probe(const struct s3_bucket *bucket, char said[S3_SAID])
{
	struct s3_xml page;
	enum s3_outcome result = s3_list(bucket, "", "", &page, said);

	s3xml_free(&page);
	return result == S3_GOOD;
}

/* ---- URLs for clients ---- */

bool
s3_presign(const struct s3_bucket *bucket, const char *method, const char *object,
    const struct s3_pairs *headers, const struct s3_pairs *query, unsigned seconds,
    struct stet_buf *url, char said[S3_SAID])
{
	struct s3_request r = { .headers = *headers, .query = *query };
	struct stet_buf host = { 0 }, path = { 0 };
	struct s3_keys keys;
	char *why = s3_keys_read(bucket, &keys);

	*said = '\0';
	if (why != NULL)
		(void)snprintf(said, S3_SAID, "%s", why);
	else {
		s3_locate(bucket, method, object, &r, &host, &path);
		s3sign_presign(&r, &keys, stet_now(NULL), seconds, url);
	}
	sodium_memzero(&keys, sizeof(keys));
	stet_buf_free(&host);
	stet_buf_free(&path);
	free(why);
	return *said == '\0';
}
