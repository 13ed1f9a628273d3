/*
 * files-s3.c - a driver of files: files of modules as objects of a bucket, PREFIX/MODULE/KEY
 * (core/adr/0058).
 */
#include "keys.h"
#include "s3.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/module.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define S3_PUT_MAX ((uint64_t)5 << 30) /* bytes of one PUT: limit of the service */

/* Returns the object's name, which the caller frees, since a file may be removed without a call. */
static char *
object_of(const struct stet_file_place *p)
{
	return stet_format_dup("%s/%s", p->module, p->key);
}

/* Logs the service's message. Clients learn only that files are unavailable now. */
static enum stet_status
failed(struct stet_call *call, const char *object, enum s3_outcome outcome, const char *said)
{
	if (outcome == S3_LOCAL)
		return stet_file_failed(call, object);
	if (outcome == S3_MISSING)
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	if (outcome == S3_REFUSED)
		return stet_fault(call, "bucket, %s: %s", object, said);
	stet_log(call, STET_WARN, "bucket, %s: %s", object, said);
	return stet_fail(
	    call, STET_UNAVAILABLE, NULL, "Files cannot be reached at present, try again later");
}

/* Makes an empty temporary file of the call. *fd is -1 on failure. */
static enum stet_status
make_file(struct stet_call *call, const char **path, int *fd)
{
	*fd = -1;
	STET_TRY(stet_file_temporary(call, "", 0, path));
	*fd = open(*path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	return *fd >= 0 ? STET_OK : stet_file_failed(call, *path);
}

/* ---- storing ---- */

static enum stet_status
put_open(struct stet_call *call, const struct stet_file_place *p, const char *object, int fd)
{
	const struct s3_bucket bucket = keys_bucket(p->conf);
	char said[S3_SAID];
	uint64_t size;
	enum s3_outcome outcome = s3_head(&bucket, object, &size, said);

	if (outcome == S3_GOOD)
		return stet_fail(call, STET_CONFLICT, NULL, "There is a file %s already", p->key);
	if (outcome == S3_MISSING)
		outcome = s3_put(&bucket, object, fd, said);
	return outcome == S3_GOOD ? STET_OK : failed(call, object, outcome, said);
}

static enum stet_status
put(struct stet_call *call, const struct stet_file_place *p, const char *from)
{
	char *object = object_of(p);
	int fd = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	enum stet_status status =
	    fd >= 0 ? put_open(call, p, object, fd) : stet_file_failed(call, from);

	if (fd >= 0)
		close(fd);
	free(object);
	return status;
}

/* ---- reading ---- */

static enum stet_status
get(struct stet_call *call, const struct stet_file_place *p, int fd)
{
	const struct s3_bucket bucket = keys_bucket(p->conf);
	char *object = object_of(p), said[S3_SAID];
	enum s3_outcome outcome = s3_get(&bucket, object, fd, stet_deadline(call), said);
	int error = outcome == S3_LOCAL ? errno : 0;
	enum stet_status status =
	    outcome == S3_GOOD ? STET_OK : failed(call, object, outcome, said);

	free(object);
	errno = error;
	return status;
}

/* ---- removing ---- */

/* Removes the object. `named` is ignored, because backups contain no objects. */
static bool
remove_file(const struct stet_file_place *p, bool named)
{
	const struct s3_bucket bucket = keys_bucket(p->conf);
	char *object = object_of(p), said[S3_SAID];
	uint64_t size;
	enum s3_outcome outcome = s3_head(&bucket, object, &size, said);
	bool was = outcome == S3_GOOD;

	(void)named;
	if (was)
		outcome = s3_delete(&bucket, object, said);
	if (outcome != S3_GOOD && outcome != S3_MISSING)
		stet_log(NULL, STET_WARN, "cannot remove %s from the bucket: %s", object, said);
	free(object);
	return was && outcome == S3_GOOD;
}

/* ---- listing ---- */

struct listing {
	struct stet_file_place place;
	int64_t put_at;
	stet_file_seen *fn;
	void *arg;
};

static enum stet_status
see(struct stet_call *call, void *arg)
{
	struct listing *l = arg;

	return l->fn(call, &l->place, l->put_at, l->arg);
}

/* Reports the files of a page. An unreadable time counts as now, so that the file is not removed as
 * old. */
static enum stet_status
see_page(struct stet_call *call, struct listing *l, const char *folder, const struct s3_xml *page)
{
	for (size_t i = 0; i < page->count; i++) {
		const struct s3_item *item = &page->item[i];

		l->place.key = item->key + strlen(folder);
		l->put_at = item->time != 0 ? item->time : (int64_t)time(NULL);
		if (stet_file_key_good(l->place.key))
			STET_TRY(stet_scope(call, see, l));
	}
	return STET_OK;
}

static enum stet_status
each(struct stet_call *call, const struct stet_conf *conf, const char *module, stet_file_seen *fn,
    void *arg)
{
	const struct s3_bucket bucket = keys_bucket(conf);
	struct listing l = { { conf, module, NULL, NULL }, 0, fn, arg };
	char *folder = stet_format_dup("%s/", module), *after = stet_format_dup("%s", ""),
	     said[S3_SAID];
	enum stet_status status = STET_OK;
	enum s3_outcome outcome;
	struct s3_xml page;
	bool more = true;

	while (more && status == STET_OK) {
		outcome = s3_list(&bucket, folder, after, &page, said);
		if (outcome != S3_GOOD)
			status = failed(call, folder, outcome, said);
		else
			status = see_page(call, &l, folder, &page);
		more = page.truncated;
		if (page.count > 0 && outcome == S3_GOOD) {
			free(after);
			after = stet_format_dup("%s", page.item[page.count - 1].key);
		}
		s3xml_free(&page);
	}
	free(folder);
	free(after);
	return status;
}

static enum stet_status
tidy(struct stet_call *call, const struct stet_conf *conf, const char *module, int64_t before)
{
	const struct s3_bucket bucket = keys_bucket(conf);
	char *folder = stet_format_dup("%s/", module), said[S3_SAID];
	uint64_t gone;
	enum s3_outcome outcome = s3_abort(&bucket, folder, before, &gone, said);

	if (outcome != S3_GOOD)
		stet_log(call, STET_WARN, "bucket, unfinished uploads below %s: %s", folder, said);
	else if (gone > 0)
		stet_log(call, STET_INFO, "bucket: %llu unfinished uploads below %s are removed",
		    (unsigned long long)gone, folder);
	free(folder);
	return STET_OK;
}

/* ---- URLs for clients ---- */

/* Signs a URL. Type and length are part of the signature of a PUT, so nothing else can be stored
 * with it. A file too large for one PUT has no URL. */
static enum stet_status
url(struct stet_call *call, const struct stet_file_place *p, const struct stet_file_request *ask,
    const char **out)
{
	const struct s3_bucket bucket = keys_bucket(p->conf);
	struct s3_pairs headers = { .count = 0 }, query = { .count = 0 };
	char *object = object_of(p), said[S3_SAID];
	struct stet_buf text = { 0 };
	enum stet_status status = STET_OK;
	bool put = strcmp(ask->method, "PUT") == 0;

	if (put) {
		s3_pair_add(&headers, "content-length",
		    stet_printf(call, "%llu", (unsigned long long)ask->size));
		s3_pair_add(&headers, "content-type", ask->type);
	} else {
		if (ask->cache != NULL)
			s3_pair_add(&query, "response-cache-control", ask->cache);
		if (ask->disposition != NULL)
			s3_pair_add(&query, "response-content-disposition", ask->disposition);
		if (ask->type != NULL)
			s3_pair_add(&query, "response-content-type", ask->type);
	}
	if (put && ask->size > S3_PUT_MAX)
		*out = NULL;
	else if (s3_presign(
		     &bucket, ask->method, object, &headers, &query, ask->seconds, &text, said))
		*out = stet_strdup(call, text.data);
	else
		status = failed(call, object, S3_REFUSED, said);
	stet_buf_free(&text);
	free(object);
	return status;
}

static enum stet_status
take_open(
    struct stet_call *call, const struct stet_file_place *p, uint64_t most, int fd, uint64_t *size)
{
	const struct s3_bucket bucket = keys_bucket(p->conf);
	char *object = object_of(p), said[S3_SAID];
	enum s3_outcome outcome = s3_head(&bucket, object, size, said);
	enum stet_status status = STET_OK;

	if (outcome == S3_GOOD && *size > most)
		status = stet_fail(call, STET_PAYLOAD_TOO_LARGE, NULL, "The file has %llu bytes",
		    (unsigned long long)*size);
	else if (outcome == S3_GOOD)
		outcome = s3_get(&bucket, object, fd, stet_deadline(call), said);
	if (outcome != S3_GOOD)
		status = failed(call, object, outcome, said);
	free(object);
	return status;
}

static enum stet_status
take(struct stet_call *call, const struct stet_file_place *p, uint64_t most, const char **path,
    uint64_t *size)
{
	struct stat st;
	enum stet_status status;
	int fd;

	STET_TRY(make_file(call, path, &fd));
	status = take_open(call, p, most, fd, size);
	/* The object may have been replaced since the HEAD. */
	if (status == STET_OK && (fstat(fd, &st) != 0 || (uint64_t)st.st_size > most))
		status = stet_fail(
		    call, STET_PAYLOAD_TOO_LARGE, NULL, "The file was replaced meanwhile");
	else if (status == STET_OK)
		*size = (uint64_t)st.st_size;
	close(fd);
	return status;
}

/* ---- checksums ---- */

/* Computes the sum of a downloaded object. Needed if a client stored the object, since no sum is
 * noted then. */
static enum stet_status
sum_fetched(struct stet_call *call, const struct stet_file_place *p, char out[STET_SHA256_SIZE])
{
	enum stet_status status;
	const char *path;
	int fd = -1, error;

	status = make_file(call, &path, &fd);
	if (status == STET_OK)
		status = get(call, p, fd);
	error = errno;
	if (status == STET_OK && !stet_file_digest(fd, 0, UINT64_MAX, out))
		status = stet_file_failed(call, path);
	if (fd >= 0) {
		close(fd);
		(void)unlink(path); /* now, since a call may check many files */
	}
	errno = error;
	return status;
}

/* Never uses the cache: it has the bytes that were sent, which may differ from the stored ones. */
static enum stet_status
sum(struct stet_call *call, const struct stet_file_place *p, char out[STET_SHA256_SIZE])
{
	const struct s3_bucket bucket = keys_bucket(p->conf);
	char *object = object_of(p), said[S3_SAID];
	enum s3_outcome outcome = s3_sum(&bucket, object, out, said);
	enum stet_status status =
	    outcome == S3_GOOD ? STET_OK : failed(call, object, outcome, said);

	if (status == STET_OK && *out == '\0')
		status = sum_fetched(call, p, out);
	free(object);
	return status;
}

static const char *
origin(struct stet_call *call, const struct stet_conf *conf)
{
	const struct s3_bucket bucket = keys_bucket(conf);
	struct stet_buf host = { 0 }, path = { 0 };
	struct s3_request r;
	const char *out;

	if (stet_conf_number(conf, "s3-redirect") == 0)
		return NULL;
	s3_locate(&bucket, "GET", NULL, &r, &host, &path);
	out = stet_printf(call, "%s://%s", r.scheme, r.host);
	stet_buf_free(&host);
	stet_buf_free(&path);
	return out;
}

/* ---- for administrators ---- */

static bool
probe(const struct stet_conf *conf, char *text, size_t size)
{
	const struct s3_bucket bucket = keys_bucket(conf);
	char said[S3_SAID] = "";
	bool good;

	*text = '\0';
	if (bucket.endpoint == NULL)
		return true;
	good = s3_probe(&bucket, said);
	(void)snprintf(text, size, "the bucket %s at %s%s %s", bucket.name, bucket.endpoint,
	    good ? "" : ":", good ? "answers" : said);
	return good;
}

static const struct stet_file_driver drivers[] = {
	{ .name = "s3",
	    .put = put,
	    .get = get,
	    .remove = remove_file,
	    .each = each,
	    .tidy = tidy,
	    .url = url,
	    .take = take,
	    .sum = sum,
	    .origin = origin,
	    .check = keys_check,
	    .probe = probe },
};

STET_MODULE(files_s3) = { STET_MODULE_HEAD_AS("files-s3"), .version = "1.0.0",
	.summary = "Stores files in a bucket of an S3 service", .license = "MIT",
	.file_drivers = STET_TABLE(drivers), .conf_keys = STET_TABLE(keys_conf) };
