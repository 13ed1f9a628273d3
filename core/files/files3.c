/*
 * files3.c - files of modules as objects of a bucket. An object is fetched into the site's cache
 * (filecache.h) before its descriptor is returned. It is fetched whole, once for all concurrent
 * callers, by a thread that may block. A new file goes into the cache, too.
 */
#include "files/files3.h"
#include "base/log.h"
#include "base/words.h"
#include "call/call.h"
#include "call/metrics.h"
#include "call/tempfile.h"
#include "files/filecache.h"
#include "files/filesum.h"
#include "files/s3.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stet/file.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define S3_PUT_MAX ((uint64_t)5 << 30) /* bytes of one PUT: limit of the service */

/* Returns the object's name, which the caller frees, since a file may be removed without a call. */
static char *
object_of(const struct file_place *p)
{
	return words_format("%s/%s", p->module, p->key);
}

/* Logs the service's message. Clients learn only that files are unavailable now. */
static enum stet_status
failed(struct stet_call *call, const char *object, enum s3_outcome outcome, const char *said)
{
	if (outcome == S3_LOCAL)
		return file_failed(call, object);
	if (outcome == S3_MISSING)
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	if (outcome == S3_REFUSED)
		return stet_fault(call, "bucket, %s: %s", object, said);
	stet_log(call, STET_WARN, "bucket, %s: %s", object, said);
	return stet_fail(
	    call, STET_UNAVAILABLE, NULL, "Files cannot be reached at present, try again later");
}

/* ---- storing ---- */

static enum stet_status
put_open(struct stet_call *call, const struct file_place *p, const char *object, int fd)
{
	char said[S3_SAID];
	uint64_t size;
	enum s3_outcome outcome = s3_head(p->conf, object, &size, said);

	if (outcome == S3_GOOD)
		return stet_fail(call, STET_CONFLICT, NULL, "There is a file %s already", p->key);
	if (outcome == S3_MISSING)
		outcome = s3_put(p->conf, object, fd, said);
	return outcome == S3_GOOD ? STET_OK : failed(call, object, outcome, said);
}

static enum stet_status
put(struct stet_call *call, const struct file_place *p, const char *from)
{
	char *object = object_of(p);
	int fd = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	enum stet_status status = fd >= 0 ? put_open(call, p, object, fd) : file_failed(call, from);

	if (fd >= 0)
		close(fd);
	if (status == STET_OK) {
		filecache_add(p, from);
		(void)unlink(from); /* still there if the cache did not take it */
	}
	free(object);
	return status;
}

/* ---- reading ---- */

/* Downloads the object. If the disk is full, empties the cache and tries again. */
static enum s3_outcome
get(const struct file_place *p, const char *object, int64_t deadline, int fd, char said[S3_SAID])
{
	enum s3_outcome outcome = s3_get(p->conf, object, fd, deadline, said);

	if (outcome != S3_LOCAL || (errno != ENOSPC && errno != EDQUOT))
		return outcome;
	filecache_clear(p->conf);
	return ftruncate(fd, 0) == 0 ? s3_get(p->conf, object, fd, deadline, said) : outcome;
}

/* Fetches the file and opens it. The temporary file becomes the cached one, unless it is too
 * large. */
static enum stet_status
fetch(struct stet_call *call, const struct file_place *p, int *fd)
{
	char *object = object_of(p), said[S3_SAID];
	enum s3_outcome outcome;
	enum stet_status status;
	const char *path;

	status = tempfile_make(call, &path, fd);
	if (status == STET_OK) {
		outcome = get(p, object, call->deadline, *fd, said);
		if (outcome == S3_GOOD)
			filecache_add(p, path);
		else
			status = failed(call, object, outcome, said);
	}
	if (status != STET_OK && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	free(object);
	return status;
}

static enum stet_status
open_file(struct stet_call *call, const struct file_place *p, int *fd)
{
	enum stet_status status;
	bool flies;

	*fd = filecache_open(p);
	/* A worker must not wait for another machine; stet_file_here has reported that it would. */
	if (*fd < 0 && call->lane == STET_READ && call->post != NULL)
		return stet_fail(
		    call, STET_UNAVAILABLE, NULL, "The file is not here yet, try again later");
	metrics_add(*fd >= 0 ? METRIC_KEPT_HITS : METRIC_KEPT_MISSES, 1);
	if (*fd >= 0)
		return STET_OK;
	flies = filecache_fly(p);
	*fd = filecache_open(p); /* another thread may have fetched it meanwhile */
	/* If that thread failed, or the file is too large to cache, each caller fetches it
	 * itself. */
	status = *fd >= 0 ? STET_OK : fetch(call, p, fd);
	if (flies)
		filecache_landed(p);
	return status;
}

static bool
is_here(const struct file_place *p)
{
	return filecache_has(p);
}

/* ---- removing ---- */

/* Removes the object. `named` is ignored, because backups contain no objects. */
static bool
remove_file(const struct file_place *p, bool named)
{
	char *object = object_of(p), said[S3_SAID];
	uint64_t size;
	enum s3_outcome outcome = s3_head(p->conf, object, &size, said);
	bool was = outcome == S3_GOOD;

	(void)named;
	filecache_drop(p);
	if (was)
		outcome = s3_delete(p->conf, object, said);
	if (outcome != S3_GOOD && outcome != S3_MISSING)
		log_line(STET_WARN, "cannot remove %s from the bucket: %s", object, said);
	free(object);
	return was && outcome == S3_GOOD;
}

/* ---- listing ---- */

struct listing {
	struct file_place place;
	int64_t put_at;
	file_seen *fn;
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
each(struct stet_call *call, const struct conf_site *conf, const char *module, file_seen *fn,
    void *arg)
{
	struct listing l = { { conf, module, NULL, NULL }, 0, fn, arg };
	char *folder = words_format("%s/", module), *after = words_format("%s", ""), said[S3_SAID];
	enum stet_status status = STET_OK;
	enum s3_outcome outcome;
	struct s3_xml page;
	bool more = true;

	while (more && status == STET_OK) {
		outcome = s3_list(conf, folder, after, &page, said);
		if (outcome != S3_GOOD)
			status = failed(call, folder, outcome, said);
		else
			status = see_page(call, &l, folder, &page);
		more = page.truncated;
		if (page.count > 0 && outcome == S3_GOOD) {
			free(after);
			after = words_format("%s", page.item[page.count - 1].key);
		}
		s3xml_free(&page);
	}
	free(folder);
	free(after);
	return status;
}

static enum stet_status
tidy(struct stet_call *call, const struct conf_site *conf, const char *module, int64_t before)
{
	char *folder = words_format("%s/", module), said[S3_SAID];
	uint64_t gone;
	enum s3_outcome outcome = s3_abort(conf, folder, before, &gone, said);

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
url(struct stet_call *call, const struct file_place *p, const struct file_url *ask,
    const char **out)
{
	struct s3_pairs headers = { .count = 0 }, query = { .count = 0 };
	char *object = object_of(p), said[S3_SAID];
	struct buf text = { 0 };
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
		     p->conf, ask->method, object, &headers, &query, ask->seconds, &text, said))
		*out = stet_strdup(call, text.data);
	else
		status = failed(call, object, S3_REFUSED, said);
	buf_free(&text);
	free(object);
	return status;
}

static enum stet_status
take_open(struct stet_call *call, const struct file_place *p, uint64_t most, int fd, uint64_t *size)
{
	char *object = object_of(p), said[S3_SAID];
	enum s3_outcome outcome = s3_head(p->conf, object, size, said);
	enum stet_status status = STET_OK;

	if (outcome == S3_GOOD && *size > most)
		status = stet_fail(call, STET_PAYLOAD_TOO_LARGE, NULL, "The file has %llu bytes",
		    (unsigned long long)*size);
	else if (outcome == S3_GOOD)
		outcome = s3_get(p->conf, object, fd, call->deadline, said);
	if (outcome != S3_GOOD)
		status = failed(call, object, outcome, said);
	free(object);
	return status;
}

static enum stet_status
take(struct stet_call *call, const struct file_place *p, uint64_t most, const char **path,
    uint64_t *size)
{
	struct stat st;
	enum stet_status status;
	int fd;

	STET_TRY(tempfile_make(call, path, &fd));
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
sum_fetched(struct stet_call *call, const struct file_place *p, char out[STET_SHA256_SIZE])
{
	char *object = object_of(p), said[S3_SAID];
	enum s3_outcome outcome;
	enum stet_status status;
	const char *path;
	int fd = -1;

	status = tempfile_make(call, &path, &fd);
	if (status == STET_OK && (outcome = get(p, object, call->deadline, fd, said)) != S3_GOOD)
		status = failed(call, object, outcome, said);
	else if (status == STET_OK && !filesum(fd, out))
		status = file_failed(call, path);
	if (fd >= 0) {
		close(fd);
		(void)unlink(path); /* now, since a call may check many files */
	}
	free(object);
	return status;
}

/* Never uses the cache, which has the bytes sent and not those that the service stored. */
static enum stet_status
sum(struct stet_call *call, const struct file_place *p, char out[STET_SHA256_SIZE])
{
	char *object = object_of(p), said[S3_SAID];
	enum s3_outcome outcome = s3_sum(p->conf, object, out, said);
	enum stet_status status =
	    outcome == S3_GOOD ? STET_OK : failed(call, object, outcome, said);

	if (status == STET_OK && *out == '\0')
		status = sum_fetched(call, p, out);
	free(object);
	return status;
}

static const char *
origin(struct stet_call *call, const struct conf_site *conf)
{
	struct buf host = { 0 }, path = { 0 };
	struct s3_request r;
	const char *out;

	s3_locate(conf, "GET", NULL, &r, &host, &path);
	out = stet_printf(call, "%s://%s", r.scheme, r.host);
	buf_free(&host);
	buf_free(&path);
	return out;
}

const struct file_driver files3_driver = { "s3", put, open_file, remove_file, each, is_here, tidy,
	url, take, sum, origin };
