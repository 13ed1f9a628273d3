/* probe.c - one request to a site's own URL. */
#include "probe.h"
#include "buf.h"
#include "call.h"
#include "site.h"
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_SECONDS 5L
#define ANSWER_MAX 65536
#define PATH "/_cms/api/auth/me" /* which tells nobody anything but that it is there */

static size_t
take(char *data, size_t size, size_t count, void *arg)
{
	struct buf *b = arg;

	if (b->len + size * count > ANSWER_MAX)
		return 0;
	buf_add(b, data, size * count);
	return size * count;
}

/* The envelope of an error: other programs' answers look otherwise. */
static char *
judge(const struct buf *answer, long status)
{
	size_t position;
	const char *why;
	json_t *body =
	    answer->len > 0 ? json_parse(answer->data, answer->len, &why, &position) : NULL;
	const char *code =
	    json_string_value(json_object_get(json_object_get(body, "error"), "code"));
	char *words = NULL;

	if (status == 401 && code != NULL && strcmp(code, stet_status_name(STET_UNAUTHORIZED)) == 0)
		words = NULL;
	else if (code != NULL)
		words = site_words("it answers %ld %s", status, code);
	else
		words = site_words("what answers there, with %ld, is not stet", status);
	json_decref(body);
	return words;
}

char *
probe_site(const struct conf_site *site)
{
	char *url = site_words("%s" PATH, site->base_url), *words, text[CURL_ERROR_SIZE] = "";
	CURL *curl = curl_easy_init();
	struct buf answer = { 0 };
	long status = 0;
	CURLcode code;

	if (curl == NULL)
		code = CURLE_OUT_OF_MEMORY;
	else {
		curl_easy_setopt(curl, CURLOPT_URL, url);
		curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, text);
		curl_easy_setopt(curl, CURLOPT_TIMEOUT, WAIT_SECONDS);
		curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
		curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
		curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
		curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
		if (site->fetch_ca != NULL)
			curl_easy_setopt(curl, CURLOPT_CAINFO, site->fetch_ca);
		code = curl_easy_perform(curl);
		curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
		curl_easy_cleanup(curl);
	}
	words = code == CURLE_OK
		    ? judge(&answer, status)
		    : site_words("%s", *text != '\0' ? text : curl_easy_strerror(code));
	buf_free(&answer);
	free(url);
	return words;
}
