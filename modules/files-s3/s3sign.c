/*
 * s3sign.c - AWS Signature Version 4. The signature covers a canonical text of the request: method,
 * encoded path, sorted parameters, sorted headers, digest of the body. The key is derived from the
 * secret, the day, the region and the service.
 */
#include "s3sign.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DATE_SIZE 17 /* 20260101T000000Z */

/* ---- pairs ---- */

void
s3_pair_add(struct s3_pairs *list, const char *name, const char *value)
{
	s3_must(list->count < S3_PAIRS);
	list->pair[list->count++] = (struct s3_pair){ name, value };
}

/* Names need no encoding, so their order is also that of the encoded names. */
static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct s3_pair *)a)->name, ((const struct s3_pair *)b)->name);
}

static void
sort(struct s3_pairs *list)
{
	qsort(list->pair, list->count, sizeof(list->pair[0]), by_name);
}

/* ---- text ---- */

void
s3sign_encode(struct stet_buf *out, const char *text, bool is_path)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-_.~";

	for (; *text != '\0'; text++)
		if (strchr(plain, *text) != NULL || (is_path && *text == '/'))
			stet_buf_char(out, *text);
		else
			stet_buf_printf(out, "%%%02X", (unsigned)(unsigned char)*text);
}

/* Appends the query. A parameter without a value keeps its "=". */
static void
add_query(struct stet_buf *out, const struct s3_pairs *query)
{
	struct s3_pairs sorted = *query;

	sort(&sorted);
	for (size_t i = 0; i < sorted.count; i++) {
		if (i > 0)
			stet_buf_char(out, '&');
		s3sign_encode(out, sorted.pair[i].name, false);
		stet_buf_char(out, '=');
		s3sign_encode(out, sorted.pair[i].value, false);
	}
}

void
s3sign_url(const struct s3_request *r, struct stet_buf *out)
{
	stet_buf_printf(out, "%s://%s", r->scheme, r->host);
	s3sign_encode(out, r->path, true);
	if (r->query.count > 0)
		stet_buf_char(out, '?');
	add_query(out, &r->query);
}

/* Appends a header value as signed: trimmed, with runs of spaces collapsed. */
static void
add_value(struct stet_buf *out, const char *value)
{
	bool space = false, any = false;

	for (; *value != '\0'; value++) {
		if (*value == ' ') {
			space = true;
			continue;
		}
		if (space && any)
			stet_buf_char(out, ' ');
		stet_buf_char(out, *value);
		space = false;
		any = true;
	}
}

static void
add_names(struct stet_buf *out, const struct s3_pairs *headers)
{
	for (size_t i = 0; i < headers->count; i++) {
		if (i > 0)
			stet_buf_char(out, ';');
		stet_buf_str(out, headers->pair[i].name);
	}
}

/* ---- the signature ---- */

static void
mac(unsigned char out[crypto_auth_hmacsha256_BYTES], const void *key, size_t key_len,
    const char *text, size_t len)
{
	crypto_auth_hmacsha256_state state;

	crypto_auth_hmacsha256_init(&state, key, key_len);
	crypto_auth_hmacsha256_update(&state, (const unsigned char *)text, len);
	crypto_auth_hmacsha256_final(&state, out);
	sodium_memzero(&state, sizeof(state));
}

static void
sum_of(const struct stet_buf *text, char out[S3_SUM_SIZE])
{
	unsigned char sum[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(sum, (const unsigned char *)text->data, text->len);
	sodium_bin2hex(out, S3_SUM_SIZE, sum, sizeof(sum));
}

/* Computes the digest of the canonical request. */
static void
canonical(const struct s3_request *r, const struct s3_pairs *headers, const char *body,
    char sum[S3_SUM_SIZE])
{
	struct stet_buf text = { 0 };

	stet_buf_printf(&text, "%s\n", r->method);
	s3sign_encode(&text, r->path, true);
	stet_buf_char(&text, '\n');
	add_query(&text, &r->query);
	stet_buf_char(&text, '\n');
	for (size_t i = 0; i < headers->count; i++) {
		stet_buf_printf(&text, "%s:", headers->pair[i].name);
		add_value(&text, headers->pair[i].value);
		stet_buf_char(&text, '\n');
	}
	stet_buf_char(&text, '\n');
	add_names(&text, headers);
	stet_buf_printf(&text, "\n%s", body);
	sum_of(&text, sum);
	stet_buf_free(&text);
}

static void
sign(const struct s3_keys *keys, const char *date, const char *scope, const char *request,
    char out[S3_SUM_SIZE])
{
	unsigned char key[crypto_auth_hmacsha256_BYTES];
	struct stet_buf text = { 0 };

	stet_buf_printf(&text, "AWS4%s", keys->secret);
	mac(key, text.data, text.len, date, 8);
	sodium_memzero(text.data, text.len);
	mac(key, key, sizeof(key), keys->region, strlen(keys->region));
	mac(key, key, sizeof(key), "s3", 2);
	mac(key, key, sizeof(key), "aws4_request", 12);
	text.len = 0;
	stet_buf_printf(&text, "AWS4-HMAC-SHA256\n%s\n%s\n%s", date, scope, request);
	mac(key, key, sizeof(key), text.data, text.len);
	sodium_bin2hex(out, S3_SUM_SIZE, key, sizeof(key));
	sodium_memzero(key, sizeof(key));
	stet_buf_free(&text);
}

static void
write_date(int64_t now, char date[DATE_SIZE])
{
	time_t seconds = (time_t)(now / 1000);
	struct tm tm;

	s3_must(gmtime_r(&seconds, &tm) != NULL &&
		strftime(date, DATE_SIZE, "%Y%m%dT%H%M%SZ", &tm) == DATE_SIZE - 1);
}

static void
add_scope(struct stet_buf *out, const char *date, const struct s3_keys *keys)
{
	stet_buf_printf(out, "%.8s/%s/s3/aws4_request", date, keys->region);
}

void
s3sign_header(const struct s3_request *r, const struct s3_keys *keys, int64_t now,
    char date[DATE_SIZE], struct stet_buf *out)
{
	struct s3_pairs headers = r->headers;
	char request[S3_SUM_SIZE], signature[S3_SUM_SIZE];
	struct stet_buf scope = { 0 };

	write_date(now, date);
	s3_pair_add(&headers, "host", r->host);
	s3_pair_add(&headers, "x-amz-content-sha256", r->sum);
	s3_pair_add(&headers, "x-amz-date", date);
	sort(&headers);
	add_scope(&scope, date, keys);
	canonical(r, &headers, r->sum, request);
	sign(keys, date, scope.data, request, signature);
	stet_buf_printf(
	    out, "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=", keys->id, scope.data);
	add_names(out, &headers);
	stet_buf_printf(out, ", Signature=%s", signature);
	stet_buf_free(&scope);
}

void
s3sign_presign(const struct s3_request *plain, const struct s3_keys *keys, int64_t now,
    unsigned seconds, struct stet_buf *url)
{
	struct s3_request r = *plain;
	char date[DATE_SIZE], request[S3_SUM_SIZE], signature[S3_SUM_SIZE];
	struct stet_buf credential = { 0 }, scope = { 0 }, names = { 0 }, span = { 0 };

	write_date(now, date);
	add_scope(&scope, date, keys);
	s3_pair_add(&r.headers, "host", r.host);
	sort(&r.headers);
	add_names(&names, &r.headers);
	stet_buf_printf(&credential, "%s/%s", keys->id, scope.data);
	stet_buf_printf(&span, "%u", seconds);
	s3_pair_add(&r.query, "X-Amz-Algorithm", "AWS4-HMAC-SHA256");
	s3_pair_add(&r.query, "X-Amz-Credential", credential.data);
	s3_pair_add(&r.query, "X-Amz-Date", date);
	s3_pair_add(&r.query, "X-Amz-Expires", span.data);
	s3_pair_add(&r.query, "X-Amz-SignedHeaders", names.data);
	canonical(&r, &r.headers, S3_UNSIGNED, request);
	sign(keys, date, scope.data, request, signature);
	s3sign_url(&r, url);
	stet_buf_printf(url, "&X-Amz-Signature=%s", signature);
	stet_buf_free(&credential);
	stet_buf_free(&scope);
	stet_buf_free(&names);
	stet_buf_free(&span);
}
