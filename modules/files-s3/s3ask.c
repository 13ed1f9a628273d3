/* s3ask.c - requests to the bucket of a site. */
#include "s3ask.h"
#include "s3xml.h"
#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/fetch.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ATTEMPTS 3
#define PAUSE_MS 100 /* before the second attempt; then twice as long each time */
#define CONNECT_MS 10000
#define IDLE_MAX 8 /* idle connections kept for later requests */
#define SKEW_MS 60000 /* a smaller clock difference is not reported */
#define SKEW_MOST 900000 /* difference that services accept */
#define USUAL_REGION "us-east-1"

struct transfer {
	const struct s3_bucket *bucket;
	const struct s3_ask *ask;
	struct s3_answer *answer;
	CURL *curl;
	uint64_t sent; /* bytes of the body */
	uint64_t received; /* bytes in the file, over all attempts */
	bool begun; /* a success response for the file has a valid head */
	bool stalled, late, beyond;
	int local; /* errno of the local file; 0: none */
	int64_t moved; /* time of the last progress, and the bytes then */
	curl_off_t bytes;
};

/* ---- connections ---- */

static struct {
	pthread_mutex_t lock;
	CURL *idle[IDLE_MAX];
	size_t count;
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int64_t
monotonic(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static CURL *
handle_take(void)
{
	CURL *curl = NULL;

	stet_fetch_library();
	pthread_mutex_lock(&pool.lock);
	if (pool.count > 0)
		curl = pool.idle[--pool.count];
	pthread_mutex_unlock(&pool.lock);
	if (curl == NULL)
		curl = curl_easy_init();
	s3_must(curl != NULL);
	return curl;
}

static void
handle_give(CURL *curl, bool good)
{
	curl_easy_reset(curl);
	pthread_mutex_lock(&pool.lock);
	if (good && pool.count < IDLE_MAX) {
		pool.idle[pool.count++] = curl;
		curl = NULL;
	}
	pthread_mutex_unlock(&pool.lock);
	if (curl != NULL)
		curl_easy_cleanup(curl);
}

/* ---- credentials and address ---- */

static char *
take_line(char **rest, char *out, size_t size)
{
	char *line = strsep(rest, "\n");

	if (line == NULL)
		return stet_format_dup(
		    "%s", "it holds two lines: the id of the key, and its secret");
	line[strcspn(line, "\r")] = '\0';
	if (*line == '\0' || strlen(line) >= size)
		return stet_format_dup("%s", "a line of it is empty or too long");
	for (const char *c = line; *c != '\0'; c++)
		if (*c <= ' ' || *c > '~')
			return stet_format_dup("%s", "it has characters that no key has");
	memcpy(out, line, strlen(line) + 1);
	return NULL;
}

char *
s3_keys_read(const struct s3_bucket *bucket, struct s3_keys *keys)
{
	char text[300] = "", *rest = text, *said;
	char *why = stet_secret_file(bucket->credentials_file, text, sizeof(text));

	memset(keys, 0, sizeof(*keys));
	keys->region = bucket->region != NULL ? bucket->region : USUAL_REGION;
	if (why == NULL)
		why = take_line(&rest, keys->id, sizeof(keys->id));
	if (why == NULL)
		why = take_line(&rest, keys->secret, sizeof(keys->secret));
	sodium_memzero(text, sizeof(text));
	if (why == NULL)
		return NULL;
	sodium_memzero(keys, sizeof(*keys));
	said = stet_format_dup("s3-credentials-file %s: %s", bucket->credentials_file, why);
	free(why);
	return said;
}

void
s3_locate(const struct s3_bucket *bucket, const char *method, const char *object,
    struct s3_request *r, struct stet_buf *host, struct stet_buf *path)
{
	bool secure = strncmp(bucket->endpoint, "https://", 8) == 0;
	const char *authority = bucket->endpoint + (secure ? 8 : 7);

	if (bucket->style == S3_HOST)
		stet_buf_printf(host, "%s.", bucket->name);
	stet_buf_str(host, authority);
	stet_buf_char(path, '/');
	if (bucket->style == S3_PATH)
		stet_buf_printf(path, "%s%s", bucket->name, object != NULL ? "/" : "");
	if (object != NULL && bucket->prefix != NULL)
		stet_buf_printf(path, "%s/", bucket->prefix);
	if (object != NULL)
		stet_buf_str(path, object);
	r->method = method;
	r->scheme = secure ? "https" : "http";
	r->host = host->data;
	r->path = path->data;
}

/* ---- bytes ---- */

static size_t
give(char *to, size_t one, size_t room, void *arg)
{
	struct transfer *t = arg;
	uint64_t left = t->ask->len - t->sent;
	size_t n = one * room < left ? one * room : (size_t)left;
	ssize_t got = pread(t->ask->from, to, n, (off_t)t->ask->at + (off_t)t->sent);

	if (got < 0 || (size_t)got < n) {
		t->local = got < 0 ? errno : EIO; /* the file became shorter */
		return CURL_READFUNC_ABORT;
	}
	t->sent += n;
	return n;
}

/* libcurl repeats the body if a reused connection turns out to be closed. */
static int
rewind_body(void *arg, curl_off_t to, int from)
{
	struct transfer *t = arg;

	if (from != SEEK_SET || to < 0 || (uint64_t)to > t->ask->len)
		return CURL_SEEKFUNC_FAIL;
	t->sent = (uint64_t)to;
	return CURL_SEEKFUNC_OK;
}

static const char *
header(CURL *curl, const char *name)
{
	struct curl_header *h = NULL;

	return curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &h) == CURLHE_OK ? h->value : "";
}

static long
status_of(CURL *curl)
{
	long status = 0;

	(void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	return status;
}

/* Returns true if the response continues the file at its current end, and is of the same object. */
static bool
check_head(struct transfer *t)
{
	const char *range = header(t->curl, "Content-Range"), *slash = strrchr(range, '/');
	const char *etag = header(t->curl, "ETag");
	curl_off_t length = -1;
	char begin[40];

	(void)curl_easy_getinfo(t->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
	if (length < 0)
		return false;
	if (t->received == 0) {
		t->answer->length = (uint64_t)length;
		(void)snprintf(t->answer->etag, sizeof(t->answer->etag), "%s", etag);
		return status_of(t->curl) == 200;
	}
	(void)snprintf(begin, sizeof(begin), "bytes %llu-", (unsigned long long)t->received);
	return status_of(t->curl) == 206 && strncmp(range, begin, strlen(begin)) == 0 &&
	       slash != NULL && strtoull(slash + 1, NULL, 10) == t->answer->length &&
	       strcmp(etag, t->answer->etag) == 0 &&
	       t->received + (uint64_t)length == t->answer->length;
}

static size_t
take_to_file(struct transfer *t, const char *bytes, size_t len)
{
	size_t done = 0;

	if (!t->begun)
		t->begun = check_head(t);
	if (!t->begun || len > t->answer->length - t->received)
		return 0;
	while (done < len) {
		ssize_t n =
		    pwrite(t->ask->to, bytes + done, len - done, (off_t)(t->received + done));

		if (n == -1 && errno != EINTR) {
			t->local = errno;
			return 0;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	t->received += len;
	return len;
}

static size_t
take(char *bytes, size_t one, size_t len, void *arg)
{
	struct transfer *t = arg;
	long status = status_of(t->curl);

	(void)one;
	if (t->ask->to_file && status >= 200 && status < 300)
		return take_to_file(t, bytes, len);
	t->beyond = len > S3_MEMORY_MAX - t->answer->body.len;
	if (t->beyond)
		return 0;
	stet_buf_add(&t->answer->body, bytes, len);
	return len;
}

static int
go_on(void *arg, curl_off_t down_all, curl_off_t down, curl_off_t up_all, curl_off_t up)
{
	struct transfer *t = arg;
	int64_t now = monotonic();

	(void)down_all;
	(void)up_all;
	if (down + up != t->bytes) {
		t->bytes = down + up;
		t->moved = now;
	}
	t->stalled = now - t->moved > t->bucket->timeout;
	t->late = t->ask->deadline != 0 && now > t->ask->deadline;
	return t->stalled || t->late;
}

/* ---- the request ---- */

#define SET(option_, value_) s3_must(curl_easy_setopt(curl, option_, value_) == CURLE_OK)

static void
set_limits(CURL *curl, struct transfer *t)
{
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_PATH_AS_IS, 1L);
	SET(CURLOPT_PROXY, "");
	SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	if (t->bucket->ca != NULL)
		SET(CURLOPT_CAINFO, t->bucket->ca);
	SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	SET(CURLOPT_WRITEFUNCTION, take);
	SET(CURLOPT_WRITEDATA, t);
	SET(CURLOPT_XFERINFOFUNCTION, go_on);
	SET(CURLOPT_XFERINFODATA, t);
	SET(CURLOPT_NOPROGRESS, 0L);
}

static void
set_method(CURL *curl, struct transfer *t)
{
	const struct s3_ask *ask = t->ask;

	if (strcmp(ask->method, "HEAD") == 0)
		SET(CURLOPT_NOBODY, 1L);
	else if (strcmp(ask->method, "POST") == 0) {
		SET(CURLOPT_POST, 1L);
		SET(CURLOPT_POSTFIELDS, ask->text != NULL ? ask->text : "");
		SET(CURLOPT_POSTFIELDSIZE, ask->text != NULL ? (long)strlen(ask->text) : 0L);
	} else if (strcmp(ask->method, "PUT") == 0) {
		SET(CURLOPT_UPLOAD, 1L);
		SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)ask->len);
		SET(CURLOPT_READFUNCTION, give);
		SET(CURLOPT_READDATA, t);
		SET(CURLOPT_SEEKFUNCTION, rewind_body);
		SET(CURLOPT_SEEKDATA, t);
	} else
		SET(CURLOPT_CUSTOMREQUEST, ask->method);
}

static void
add_header(struct curl_slist **list, const char *name, const char *value)
{
	char *line = stet_format_dup("%s: %s", name, value);
	struct curl_slist *more = curl_slist_append(*list, line);

	s3_must(more != NULL && strpbrk(line, "\r\n") == NULL);
	*list = more;
	free(line);
}

/* Requests only the missing part of an object, provided that it has not changed. */
static void
add_rest(const struct transfer *t, struct s3_request *r, struct stet_buf *range)
{
	if (t->received == 0)
		return;
	stet_buf_printf(range, "bytes=%llu-", (unsigned long long)t->received);
	s3_pair_add(&r->headers, "range", range->data);
	s3_pair_add(&r->headers, "if-match", t->answer->etag);
}

/* Signs the request and hands it to libcurl. The caller frees the headers. */
static struct curl_slist *
set_request(CURL *curl, const struct transfer *t, const struct s3_keys *keys)
{
	struct s3_request r = { .query = t->ask->query,
		.headers = t->ask->headers,
		.sum = t->ask->sum != NULL ? t->ask->sum : S3_EMPTY_SUM };
	struct stet_buf host = { 0 }, path = { 0 }, url = { 0 }, range = { 0 },
			authorization = { 0 };
	/* No "Expect: 100-continue": servers that do not know it cost a second. */
	struct curl_slist *list = curl_slist_append(NULL, "Expect:");
	char date[17];

	s3_locate(t->bucket, t->ask->method, t->ask->object, &r, &host, &path);
	add_rest(t, &r, &range);
	s3sign_header(&r, keys, stet_now(NULL), date, &authorization);
	s3sign_url(&r, &url);
	SET(CURLOPT_URL, url.data);
	SET(CURLOPT_USERAGENT, "stet");
	for (size_t i = 0; i < r.headers.count; i++)
		add_header(&list, r.headers.pair[i].name, r.headers.pair[i].value);
	add_header(&list, "Host", r.host);
	add_header(&list, "x-amz-content-sha256", r.sum);
	add_header(&list, "x-amz-date", date);
	add_header(&list, "Authorization", authorization.data);
	SET(CURLOPT_HTTPHEADER, list);
	stet_buf_free(&host);
	stet_buf_free(&path);
	stet_buf_free(&url);
	stet_buf_free(&range);
	stet_buf_free(&authorization);
	return list;
}

/* ---- results ---- */

/* Sets the message, with unprintable bytes replaced: it comes from another machine. */
static void
say(struct s3_answer *answer, const char *text)
{
	(void)snprintf(answer->said, sizeof(answer->said), "%s", text);
	for (char *c = answer->said; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
}

enum s3_outcome
s3_broken(struct s3_answer *answer, const char *why)
{
	say(answer, why);
	return S3_DOWN;
}

/* Reports how far the local clock is off, by the Date of the response. A response to HEAD has no
 * error code: there a refusal and a difference over SKEW_MOST suffice. */
static void
say_skew(struct transfer *t, const char *code)
{
	time_t theirs = curl_getdate(header(t->curl, "Date"), NULL);
	int64_t off = theirs > 0 ? stet_now(NULL) - (int64_t)theirs * 1000 : 0;
	char *text = NULL;

	if (strcmp(code, "RequestTimeTooSkewed") != 0 &&
	    (*code != '\0' || t->answer->status != 403 || (off < SKEW_MOST && off > -SKEW_MOST)))
		return;
	if (off >= SKEW_MS || off <= -SKEW_MS)
		text = stet_format_dup("the clock of this machine is %lld minutes %s that of the"
				       " service, which refuses that (%s)",
		    (long long)((off < 0 ? -off : off) / 60000), off < 0 ? "behind" : "before",
		    *code != '\0' ? code : "403");
	else
		text = stet_format_dup(
		    "the service says that the clock of this machine is wrong (%s)", code);
	say(t->answer, text);
	free(text);
}

static void
say_refusal(struct transfer *t)
{
	struct s3_xml xml;
	bool good = s3xml_read(
	    t->answer->body.data != NULL ? t->answer->body.data : "", t->answer->body.len, &xml);
	const char *code = good ? xml.code : "", *message = good ? xml.message : "";
	char *text = stet_format_dup("the service answers %d%s%s%s%s to %s", t->answer->status,
	    *code != '\0' ? " " : "", code, *message != '\0' ? ", " : "", message, t->ask->method);

	say(t->answer, text);
	say_skew(t, code);
	s3xml_free(&xml);
	free(text);
}

static void
say_failure(struct transfer *t, CURLcode code)
{
	char *text;

	if (t->late)
		text = stet_format_dup("%s", "the request took too long");
	else if (t->stalled)
		text = stet_format_dup("the service said nothing for %lld seconds",
		    (long long)(t->bucket->timeout / 1000));
	else if (t->beyond)
		text = stet_format_dup("%s", "the service says more than fits into memory");
	else if (code == CURLE_WRITE_ERROR)
		text =
		    stet_format_dup("%s", "the service does not send the file that it announced");
	else
		text = stet_format_dup("no answer: %s", curl_easy_strerror(code));
	say(t->answer, text);
	free(text);
}

static void
read_head(struct transfer *t)
{
	struct s3_answer *answer = t->answer;
	const char *sum = header(t->curl, "x-amz-meta-sha256");
	curl_off_t length = -1;

	answer->status = (int)status_of(t->curl);
	if (strlen(sum) == sizeof(answer->sum) - 1)
		memcpy(answer->sum, sum, sizeof(answer->sum));
	if (t->ask->to_file)
		return;
	(void)curl_easy_getinfo(t->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
	answer->length = length > 0 ? (uint64_t)length : 0;
	(void)snprintf(answer->etag, sizeof(answer->etag), "%s", header(t->curl, "ETag"));
}

/* Checks that a requested file is complete. For an empty file the head was not checked yet. */
static enum s3_outcome
whole(struct transfer *t)
{
	if (t->ask->to_file && !t->begun)
		t->begun = check_head(t);
	if (!t->ask->to_file || (t->begun && t->received == t->answer->length))
		return S3_GOOD;
	return s3_broken(t->answer, "the service does not send the file that it announced");
}

static enum s3_outcome
outcome(struct transfer *t, CURLcode code)
{
	errno = t->local;
	if (t->local != 0) {
		(void)snprintf(t->answer->said, S3_SAID, "%s", strerror(t->local));
		return S3_LOCAL;
	}
	if (code != CURLE_OK) {
		say_failure(t, code);
		return S3_DOWN;
	}
	read_head(t);
	if (t->answer->status >= 200 && t->answer->status < 300)
		return whole(t);
	say_refusal(t);
	if (t->answer->status == 404)
		return S3_MISSING;
	return t->answer->status >= 500 || t->answer->status == 429 || t->answer->status == 412
		   ? S3_DOWN
		   : S3_REFUSED;
}

static void
count(const struct transfer *t, uint64_t received, enum s3_outcome result)
{
	static const char *const name[] = { [S3_GOOD] = "good",
		[S3_MISSING] = "missing",
		[S3_REFUSED] = "refused",
		[S3_DOWN] = "down",
		[S3_LOCAL] = "local" };

	stet_driver_asked(t->ask->method, name[result], t->sent, received);
}

static enum s3_outcome
ask_once(struct transfer *t, const struct s3_keys *keys)
{
	CURL *curl = t->curl = handle_take();
	struct curl_slist *headers;
	enum s3_outcome result;
	uint64_t before = t->received;
	CURLcode code;

	t->sent = 0;
	t->begun = t->stalled = t->late = t->beyond = false;
	t->bytes = 0;
	t->moved = monotonic();
	t->answer->body.len = 0;
	t->answer->status = 0;
	set_limits(curl, t);
	set_method(curl, t);
	headers = set_request(curl, t, keys);
	code = curl_easy_perform(curl);
	result = outcome(t, code);
	count(t, t->received - before, result);
	curl_slist_free_all(headers);
	handle_give(curl, code == CURLE_OK);
	if (t->answer->status == 412) /* the object has changed: start again */
		t->received = 0;
	return result;
}

/* Sleeps before the next attempt, with jitter, so that clients that failed together do not retry
 * together. */
static void
rest(int attempt)
{
	uint32_t ms = (uint32_t)PAUSE_MS << attempt;
	struct timespec left;

	ms += randombytes_uniform(ms);
	left = (struct timespec){ .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };
	while (nanosleep(&left, &left) != 0)
		continue;
}

enum s3_outcome
s3_ask(const struct s3_bucket *bucket, const struct s3_ask *ask, struct s3_answer *answer)
{
	struct transfer t = { .bucket = bucket, .ask = ask, .answer = answer };
	struct s3_keys keys;
	enum s3_outcome result = S3_REFUSED;
	char *why;

	memset(answer, 0, sizeof(*answer));
	why = s3_keys_read(bucket, &keys);
	if (why != NULL)
		say(answer, why);
	for (int i = 0; why == NULL && i < ATTEMPTS; i++) {
		if (i > 0)
			rest(i - 1);
		result = ask_once(&t, &keys);
		if (result != S3_DOWN || t.late)
			break;
	}
	sodium_memzero(&keys, sizeof(keys));
	free(why);
	return result;
}

void
s3_answer_free(struct s3_answer *answer)
{
	stet_buf_free(&answer->body);
}
