/*
 * s3sign - lines: the name of an object, and values of parameters. The URL that is signed says the
 * same to another parser of URLs, with nothing in it that a request line or a header could not
 * hold, and the signature does not depend on the order in which parameters and headers were added.
 *
 * fuzz: with modules/files-s3/s3sign.c
 */
#include "../modules/files-s3/s3sign.h"
#include "fuzz.h"
#include <curl/curl.h>
#include <string.h>

#define NOW INT64_C(1763900000000)

static const struct s3_keys keys = { "AKIDEXAMPLE", "secret", "eu-test-1" };

/* Checks that the URL has only characters that need no escape anywhere. */
static void
check_bytes(const char *url)
{
	must(strspn(
		 url, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~%/?&=:") ==
	     strlen(url));
}

static void
check_path(CURLU *url, const char *path)
{
	char *text = NULL, *plain;
	int len = 0;

	must(curl_url_get(url, CURLUPART_PATH, &text, 0) == CURLUE_OK);
	plain = curl_easy_unescape(NULL, text, 0, &len);
	must(
	    plain != NULL && (size_t)len == strlen(path) && memcmp(plain, path, strlen(path)) == 0);
	curl_free(plain);
	curl_free(text);
}

static void
check_parameter(const char *part, size_t len, const struct s3_pairs *query)
{
	const char *equals = memchr(part, '=', len);
	size_t coded = equals != NULL ? (size_t)(part + len - equals - 1) : 0;
	char *value = NULL;
	int got = 0;

	must(equals != NULL);
	if (coded > 0) /* a count of 0 would mean all remaining bytes */
		must((value = curl_easy_unescape(NULL, equals + 1, (int)coded, &got)) != NULL);
	for (size_t i = 0; i < query->count; i++) {
		const struct s3_pair *p = &query->pair[i];

		if (strlen(p->name) == (size_t)(equals - part) &&
		    memcmp(p->name, part, strlen(p->name)) == 0)
			must(strlen(p->value) == (size_t)got &&
			     (got == 0 || memcmp(value, p->value, (size_t)got) == 0));
	}
	curl_free(value);
}

/* Each parameter occurs once with its value, and the parameters are sorted. */
static void
check_query(CURLU *url, const struct s3_pairs *query)
{
	const char *part, *before = NULL;
	char *text = NULL;
	size_t count = 0;

	must(curl_url_get(url, CURLUPART_QUERY, &text, 0) == CURLUE_OK);
	for (part = text; part != NULL;
	     part = strchr(part, '&') != NULL ? strchr(part, '&') + 1 : NULL) {
		size_t len = strcspn(part, "&");

		check_parameter(part, len, query);
		/* The signature is the last parameter, whatever the names of the others. */
		must(before == NULL || strncmp(part, "X-Amz-Signature", 15) == 0 ||
		     strncmp(before, part, strcspn(part, "=")) <= 0);
		before = part;
		count++;
	}
	must(count == query->count || count == query->count + 6);
	curl_free(text);
}

static void
check_url(const char *text, const struct s3_request *r)
{
	CURLU *url = curl_url();
	char *host = NULL;

	check_bytes(text);
	must(curl_url_set(url, CURLUPART_URL, text, CURLU_PATH_AS_IS) == CURLUE_OK);
	must(curl_url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK);
	must(strcmp(host, r->host) == 0);
	check_path(url, r->path);
	check_query(url, &r->query);
	curl_free(host);
	curl_url_cleanup(url);
}

static void
turn(struct s3_pairs *list)
{
	struct s3_pairs was = *list;

	for (size_t i = 0; i < was.count; i++)
		list->pair[i] = was.pair[was.count - 1 - i];
}

static void
check_signatures(struct s3_request r)
{
	struct stet_buf url[2] = { { 0 }, { 0 } }, said[2] = { { 0 }, { 0 } };
	char date[17];

	for (int i = 0; i < 2; i++) {
		s3sign_presign(&r, &keys, NOW, 3600, &url[i]);
		s3sign_header(&r, &keys, NOW, date, &said[i]);
		turn(&r.query);
		turn(&r.headers);
	}
	check_url(url[0].data, &r);
	must(strcmp(url[0].data, url[1].data) == 0 && strcmp(said[0].data, said[1].data) == 0);
	must(strcmp(date, "20251123T121320Z") == 0);
	must(strpbrk(said[0].data, "\r\n") == NULL);
	for (int i = 0; i < 2; i++) {
		stet_buf_free(&url[i]);
		stet_buf_free(&said[i]);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *rest = text, *line;
	struct stet_buf path = { 0 }, url = { 0 };
	struct s3_request r = {
		.method = "GET", .scheme = "https", .host = "s3.example.org", .sum = S3_EMPTY_SUM
	};
	static const char *const name[] = { "prefix", "start-after",
		"response-content-disposition" };

	must(text != NULL);
	line = strsep(&rest, "\n");
	stet_buf_printf(&path, "/files/%s", line);
	r.path = path.data;
	for (size_t i = 0; i < 3 && (line = strsep(&rest, "\n")) != NULL; i++)
		s3_pair_add(&r.query, name[i], line);
	s3_pair_add(&r.query, "uploads", "");
	s3_pair_add(&r.headers, "range", "bytes=0-");
	s3_pair_add(&r.headers, "content-type", rest != NULL ? rest : "image/png");
	s3sign_url(&r, &url);
	check_url(url.data, &r);
	check_signatures(r);
	stet_buf_free(&url);
	stet_buf_free(&path);
	free(text);
	return 0;
}
