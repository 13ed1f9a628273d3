/* bucketask.c - one request to the bucket: read, judged by its signature, answered. */
#include "bucketask.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/words.h"
#include "harness.h"
#include <ctype.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

#define SKEW_MAX_MS (INT64_C(15) * 60000)

/* ---- text ---- */

static const char *
find(const struct pair *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcasecmp(list[i].name, name) == 0)
			return list[i].value;
	return NULL;
}

const char *
ask_header(const struct ask *a, const char *name)
{
	return find(a->header, a->headers, name);
}

const char *
ask_query(const struct ask *a, const char *name)
{
	return find(a->query, a->queries, name);
}

static void
decode(char *text)
{
	char *to = text, hex[3] = { 0 };

	for (; *text != '\0'; text++) {
		if (*text == '%' && isxdigit((unsigned char)text[1]) &&
		    isxdigit((unsigned char)text[2])) {
			hex[0] = text[1];
			hex[1] = text[2];
			*to++ = (char)strtol(hex, NULL, 16);
			text += 2;
		} else
			*to++ = *text;
	}
	*to = '\0';
}

static void
encode(struct buf *out, const char *text, const char *also)
{
	for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
		if (isalnum(*c) || strchr("-_.~", *c) != NULL || strchr(also, *c) != NULL)
			buf_char(out, (char)*c);
		else
			buf_printf(out, "%%%02X", *c);
}

static void
hex(const unsigned char *bytes, size_t len, char *out)
{
	for (size_t i = 0; i < len; i++)
		(void)snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

void
ask_sum(const char *bytes, size_t len, char out[65])
{
	unsigned char sum[32];

	assert_int_equal(EVP_Digest(bytes, len, sum, NULL, EVP_sha256(), NULL), 1);
	hex(sum, 32, out);
}

static void
hmac(unsigned char out[32], const void *key, size_t key_len, const char *text)
{
	unsigned char made[32];
	unsigned len = 32;

	assert_non_null(HMAC(EVP_sha256(), key, (int)key_len, (const unsigned char *)text,
	    strlen(text), made, &len));
	memcpy(out, made, 32);
}

/* ---- answers ---- */

static void
send_all(int fd, const char *bytes, size_t len)
{
	ssize_t n;

	while (len > 0 && (n = send(fd, bytes, len, MSG_NOSIGNAL)) > 0) {
		bytes += n;
		len -= (size_t)n;
	}
}

void
ask_answer(
    struct ask *a, int status, const char *headers, const char *body, size_t len, size_t sent)
{
	time_t now = (time_t)((clock_now() + a->b->skew) / 1000);
	struct buf out = { 0 };
	char date[64];
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", &tm);
	buf_printf(
	    &out, "HTTP/1.1 %d X\r\nDate: %s\r\nConnection: close\r\n%s", status, date, headers);
	if (status != 204)
		buf_printf(&out, "Content-Length: %zu\r\n", len);
	buf_str(&out, "\r\n");
	if (strcmp(a->method, "HEAD") != 0)
		buf_add(&out, body, sent);
	send_all(a->fd, out.data, out.len);
	buf_free(&out);
}

void
ask_answer_xml(struct ask *a, int status, struct buf *xml)
{
	ask_answer(a, status, "Content-Type: application/xml\r\n", xml->data, xml->len, xml->len);
	buf_free(xml);
}

void
ask_refuse(struct ask *a, int status, const char *code)
{
	struct buf xml = { 0 };

	buf_printf(&xml,
	    "<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>No, since %s</Message></Error>",
	    code, code);
	ask_answer_xml(a, status, &xml);
}

/* ---- signatures ---- */

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct pair *)a)->name, ((const struct pair *)b)->name);
}

static void
add_query(struct buf *out, const struct ask *a)
{
	struct pair sorted[PAIRS];
	bool any = false;

	memcpy(sorted, a->query, sizeof(sorted));
	qsort(sorted, a->queries, sizeof(sorted[0]), by_name);
	for (size_t i = 0; i < a->queries; i++) {
		if (strcmp(sorted[i].name, "X-Amz-Signature") == 0)
			continue;
		if (any)
			buf_char(out, '&');
		encode(out, sorted[i].name, "");
		buf_char(out, '=');
		encode(out, sorted[i].value, "");
		any = true;
	}
}

/* Adds the signed headers. Returns false if one is missing, or if they are not sorted. */
static bool
add_headers(struct buf *out, const struct ask *a, const char *names)
{
	char *list = strdup(names), *rest = list, *name;
	const char *last = "";
	bool good = true, host = false;

	while (good && (name = strsep(&rest, ";")) != NULL) {
		const char *value = ask_header(a, name);

		good = value != NULL && strcmp(last, name) < 0;
		host |= strcmp(name, "host") == 0;
		if (good)
			buf_printf(out, "%s:%s\n", name, value);
		last = name;
	}
	buf_printf(out, "\n%s\n", names);
	free(list);
	return good && host;
}

static void
signature_of(const char *date, const char *canonical, char out[65])
{
	char sum[65], *text;
	unsigned char key[32];
	char day[9];

	(void)snprintf(day, sizeof(day), "%.8s", date);
	ask_sum(canonical, strlen(canonical), sum);
	text = words_format(
	    "AWS4-HMAC-SHA256\n%s\n%s/" BUCKET_REGION "/s3/aws4_request\n%s", date, day, sum);
	hmac(key, "AWS4" BUCKET_SECRET, strlen("AWS4" BUCKET_SECRET), day);
	hmac(key, key, 32, BUCKET_REGION);
	hmac(key, key, 32, "s3");
	hmac(key, key, 32, "aws4_request");
	hmac(key, key, 32, text);
	hex(key, 32, out);
	free(text);
}

static bool
matches(struct ask *a, const char *date, const char *names, const char *sum, const char *given)
{
	struct buf text = { 0 };
	char is[65];
	bool good;

	buf_printf(&text, "%s\n", a->method);
	encode(&text, a->path, "/");
	buf_char(&text, '\n');
	add_query(&text, a);
	buf_char(&text, '\n');
	good = add_headers(&text, a, names);
	buf_str(&text, sum);
	signature_of(date, text.data, is);
	good = good && strcmp(is, given) == 0;
	if (!good)
		(void)snprintf(a->b->said, sizeof(a->b->said), "%s", text.data);
	buf_free(&text);
	return good;
}

static int64_t
time_of(const char *date)
{
	struct tm tm = { 0 };
	const char *end = strptime(date, "%Y%m%dT%H%M%SZ", &tm);

	return end != NULL && *end == '\0' ? (int64_t)timegm(&tm) * 1000 : 0;
}

/* Returns NULL if the signature is right, else the error code. */
static const char *
judge_url(struct ask *a)
{
	const char *date = ask_query(a, "X-Amz-Date"), *names = ask_query(a, "X-Amz-SignedHeaders");
	const char *span = ask_query(a, "X-Amz-Expires"), *who = ask_query(a, "X-Amz-Credential");
	int64_t now = clock_now() + a->b->skew;

	if (date == NULL || names == NULL || span == NULL || who == NULL ||
	    strncmp(who, BUCKET_ID "/", strlen(BUCKET_ID "/")) != 0)
		return "AuthorizationQueryParametersError";
	if (now > time_of(date) + strtol(span, NULL, 10) * 1000 ||
	    now < time_of(date) - SKEW_MAX_MS)
		return "AccessDenied";
	return matches(a, date, names, "UNSIGNED-PAYLOAD", ask_query(a, "X-Amz-Signature"))
		   ? NULL
		   : "SignatureDoesNotMatch";
}

static const char *
judge_header(struct ask *a)
{
	const char *text = ask_header(a, "Authorization"), *date = ask_header(a, "x-amz-date");
	const char *sum = ask_header(a, "x-amz-content-sha256"), *names, *given;
	char is[65], list[256];
	int64_t now = clock_now() + a->b->skew;

	if (text == NULL || date == NULL || sum == NULL ||
	    strncmp(text, "AWS4-HMAC-SHA256 Credential=" BUCKET_ID "/",
		strlen("AWS4-HMAC-SHA256 Credential=" BUCKET_ID "/")) != 0 ||
	    (names = strstr(text, ", SignedHeaders=")) == NULL ||
	    (given = strstr(text, ", Signature=")) == NULL)
		return "AccessDenied";
	if (now - time_of(date) > SKEW_MAX_MS || time_of(date) - now > SKEW_MAX_MS)
		return "RequestTimeTooSkewed";
	names += strlen(", SignedHeaders=");
	(void)snprintf(list, sizeof(list), "%.*s", (int)(given - names), names);
	if (!matches(a, date, list, sum, given + strlen(", Signature=")))
		return "SignatureDoesNotMatch";
	ask_sum(a->body, a->len, is);
	return strcmp(sum, is) == 0 ? NULL : "XAmzContentSHA256Mismatch";
}

const char *
ask_judge(struct ask *a)
{
	return ask_query(a, "X-Amz-Signature") != NULL ? judge_url(a) : judge_header(a);
}

/* ---- requests ---- */

static bool
read_head(struct ask *a, size_t *rest)
{
	size_t len = 0;
	char *end = NULL;
	ssize_t n;

	while (end == NULL && len < HEAD_MAX - 1) {
		n = recv(a->fd, a->head + len, HEAD_MAX - 1 - len, 0);
		if (n <= 0)
			return false;
		len += (size_t)n;
		a->head[len] = '\0';
		end = strstr(a->head, "\r\n\r\n");
	}
	if (end == NULL)
		return false;
	*rest = len - (size_t)(end + 4 - a->head);
	a->body = xcalloc(1, *rest + 1);
	memcpy(a->body, end + 4, *rest);
	end[2] = '\0';
	return true;
}

static void
read_query(struct ask *a, char *text)
{
	char *one, *value;

	while (text != NULL && a->queries < PAIRS && (one = strsep(&text, "&")) != NULL) {
		value = strchr(one, '=');
		assert_non_null(value); /* signers differ about parameters without a value */
		*value++ = '\0';
		decode(one);
		decode(value);
		a->query[a->queries++] = (struct pair){ one, value };
	}
}

static bool
read_lines(struct ask *a)
{
	char *rest = a->head, *line = strsep(&rest, "\r"), *target, *value;

	a->method = strsep(&line, " ");
	target = strsep(&line, " ");
	if (target == NULL)
		return false;
	a->path = strsep(&target, "?");
	read_query(a, target);
	decode(a->path);
	while (rest != NULL && a->headers < PAIRS && (line = strsep(&rest, "\r")) != NULL) {
		line += *line == '\n';
		value = strchr(line, ':');
		if (value == NULL)
			continue;
		*value++ = '\0';
		a->header[a->headers++] = (struct pair){ line, value + strspn(value, " ") };
	}
	return true;
}

static bool
read_body(struct ask *a, size_t have)
{
	const char *length = ask_header(a, "Content-Length");
	ssize_t n;

	a->len = length != NULL ? strtoul(length, NULL, 10) : 0;
	a->body = xrealloc(a->body, (a->len > have ? a->len : have) + 1);
	while (have < a->len) {
		n = recv(a->fd, a->body + have, a->len - have, 0);
		if (n <= 0)
			return false;
		have += (size_t)n;
	}
	return true;
}

bool
ask_read(struct ask *a)
{
	size_t have = 0;

	return read_head(a, &have) && read_lines(a) && read_body(a, have);
}
