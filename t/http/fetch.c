/* fetch.c - see fetch.h. By libcurl, which nothing of stet's own stands between. */
#include "fetch.h"
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

#define WAIT_LONG_MS 20000

struct fetcher {
	CURL *curl;
	struct curl_slist *head;
	char bearer[256];
};

struct said {
	char *text;
	size_t len;
};

static struct curl_slist *
usual(const struct fetcher *f)
{
	return curl_slist_append(
	    curl_slist_append(NULL, f->bearer), "Content-Type: application/json");
}

struct fetcher *
fetch_new(const char *token)
{
	struct fetcher *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->curl = curl_easy_init();
	assert_non_null(f->curl);
	(void)snprintf(f->bearer, sizeof(f->bearer), "Authorization: Bearer %s", token);
	f->head = usual(f);
	return f;
}

void
fetch_free(struct fetcher *f)
{
	curl_slist_free_all(f->head);
	curl_easy_cleanup(f->curl);
	free(f);
}

void
fetch_with(struct fetcher *f, const char *header)
{
	curl_slist_free_all(f->head);
	f->head = usual(f);
	if (header != NULL)
		f->head = curl_slist_append(f->head, header);
}

static size_t
collect(char *data, size_t size, size_t count, void *to)
{
	struct said *s = to;

	(void)size;
	s->text = realloc(s->text, s->len + count + 1);
	if (s->text == NULL)
		return 0;
	memcpy(s->text + s->len, data, count);
	s->len += count;
	s->text[s->len] = '\0';
	return count;
}

static void
tell_odd(long status, const char *method, const char *path, const struct said *said)
{
	if (status != 0 && status != 200 && status != 201 && status != 404 && status != 503)
		printf("# %s %s: %ld %s\n", method, path, status,
		    said->text != NULL ? said->text : "");
}

int
fetch(struct fetcher *f, const struct daemon *d, const char *method, const char *path,
    const char *body, json_t **json)
{
	struct said said = { 0 };
	char url[256];
	long status = 0;

	(void)snprintf(url, sizeof(url), "http://127.0.0.1:%d" API "%s", d->port, path);
	curl_easy_reset(f->curl);
	curl_easy_setopt(f->curl, CURLOPT_URL, url);
	curl_easy_setopt(f->curl, CURLOPT_CUSTOMREQUEST, method);
	curl_easy_setopt(f->curl, CURLOPT_HTTPHEADER, f->head);
	curl_easy_setopt(f->curl, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(f->curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(f->curl, CURLOPT_TIMEOUT_MS, (long)WAIT_LONG_MS);
	curl_easy_setopt(f->curl, CURLOPT_WRITEFUNCTION, collect);
	curl_easy_setopt(f->curl, CURLOPT_WRITEDATA, &said);
	if (body != NULL)
		curl_easy_setopt(f->curl, CURLOPT_POSTFIELDS, body);
	if (curl_easy_perform(f->curl) == CURLE_OK)
		curl_easy_getinfo(f->curl, CURLINFO_RESPONSE_CODE, &status);
	if (json != NULL)
		*json = said.text != NULL ? json_loads(said.text, 0, NULL) : NULL;
	tell_odd(status, method, path, &said);
	free(said.text);
	return (int)status;
}

const json_t *
fetch_item(const json_t *answer)
{
	return json_object_get(json_object_get(answer, "data"), "item");
}
