/* request.c - sends requests of the command line to the URL of a site. */
#include "command/request.h"
#include "base/arena.h"
#include "base/words.h"
#include "call/json.h"
#include "http/address.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SILENCE_SECONDS 60L
#define CONNECT_SECONDS 10L

/* A response being read. */
struct reading {
	CURL *curl;
	const struct request *request;
	struct response *response;
};

static bool
is_json(const char *type)
{
	return type != NULL && strncasecmp(type, "application/json", 16) == 0;
}

/* Returns true if the body goes to the caller's stream. */
static bool
passes(const struct reading *r)
{
	const char *type = NULL;
	long status = 0;

	curl_easy_getinfo(r->curl, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(r->curl, CURLINFO_CONTENT_TYPE, &type);
	return r->request->to != NULL && status >= 200 && status < 300 && !is_json(type);
}

static size_t
take(char *data, size_t size, size_t count, void *arg)
{
	const struct reading *r = arg;

	if (passes(r))
		return fwrite(data, size, count, r->request->to) * size;
	if (r->response->body.len + size * count > r->request->most)
		return 0;
	buf_add(&r->response->body, data, size * count);
	return size * count;
}

static struct curl_slist *
headers_of(const struct request *r)
{
	struct curl_slist *list = NULL;
	char *line;

	for (size_t i = 0; r->headers != NULL && r->headers[i] != NULL; i++)
		list = curl_slist_append(list, r->headers[i]);
	if (r->token != NULL) {
		line = words_format("Authorization: Bearer %s", r->token);
		list = curl_slist_append(list, line);
		free(line);
	}
	if (r->body != NULL) {
		line = words_format("Content-Type: %s", r->type);
		list = curl_slist_append(list, line);
		free(line);
	}
	return list;
}

static void
set_options(const struct reading *reading, struct curl_slist *headers)
{
	const struct request *r = reading->request;
	const char *ca = r->ca != NULL ? r->ca : getenv("SSL_CERT_FILE");
	CURL *curl = reading->curl;

	curl_easy_setopt(curl, CURLOPT_URL, r->url);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reading->response->error);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(curl, CURLOPT_USERAGENT, "stet");
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, reading);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_SECONDS);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT, r->seconds);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, SILENCE_SECONDS);
	if (r->body != NULL)
		curl_easy_setopt(curl, CURLOPT_POSTFIELDS, r->body);
	if (r->method != NULL)
		curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, r->method);
	if (ca != NULL)
		curl_easy_setopt(curl, CURLOPT_CAINFO, ca);
}

void
request_send(const struct request *r, struct response *out)
{
	struct reading reading = { curl_easy_init(), r, out };
	struct curl_slist *headers = headers_of(r);
	char *redirect = NULL, *type = NULL;
	const char *why;
	size_t position;

	*out = (struct response){ .code = CURLE_OUT_OF_MEMORY };
	if (reading.curl != NULL) {
		set_options(&reading, headers);
		out->code = curl_easy_perform(reading.curl);
		curl_easy_getinfo(reading.curl, CURLINFO_RESPONSE_CODE, &out->status);
		curl_easy_getinfo(reading.curl, CURLINFO_REDIRECT_URL, &redirect);
		curl_easy_getinfo(reading.curl, CURLINFO_CONTENT_TYPE, &type);
		out->redirect = redirect != NULL ? xstrdup(redirect) : NULL;
		out->type = type != NULL ? xstrdup(type) : NULL;
	}
	if (out->body.len > 0)
		out->json = json_parse(out->body.data, out->body.len, &why, &position);
	curl_slist_free_all(headers);
	curl_easy_cleanup(reading.curl);
}

void
response_free(struct response *r)
{
	free(r->redirect);
	free(r->type);
	buf_free(&r->body);
	json_decref(r->json);
}

const char *
response_problem(const struct response *r)
{
	return *r->error != '\0' ? r->error : curl_easy_strerror(r->code);
}

/* ---- URLs of sites ---- */

static bool
is_here(const char *host)
{
	size_t len = strlen(host);
	char *plain =
	    *host == '[' && len > 2 ? words_format("%.*s", (int)len - 2, host + 1) : xstrdup(host);
	struct address address;
	bool here = strcasecmp(plain, "localhost") == 0 ||
		    (address_parse(plain, &address) && address_is_local(&address));

	free(plain);
	return here;
}

/* Returns a part of the URL, to be released by curl_free, or NULL. */
static char *
part_of(CURLU *url, CURLUPart part)
{
	char *text = NULL;

	return curl_url_get(url, part, &text, 0) == CURLUE_OK ? text : NULL;
}

static const char *
unfit(CURLU *url)
{
	char *scheme = part_of(url, CURLUPART_SCHEME), *host = part_of(url, CURLUPART_HOST);
	char *more[] = { part_of(url, CURLUPART_USER), part_of(url, CURLUPART_QUERY),
		part_of(url, CURLUPART_FRAGMENT) };
	const char *why = NULL;

	if (scheme == NULL || host == NULL ||
	    (strcmp(scheme, "https") != 0 && strcmp(scheme, "http") != 0))
		why = "is not the URL of a site: it begins with https://";
	else if (strcmp(scheme, "http") == 0 && !is_here(host))
		why = "is not encrypted: http is for this computer alone, since tokens are sent";
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		if (more[i] != NULL)
			why = "is more than the URL of a site, such as https://example.org";
		curl_free(more[i]);
	}
	curl_free(scheme);
	curl_free(host);
	return why;
}

char *
request_site_url(const char *typed, char **why)
{
	CURLU *url = curl_url();
	const char *wrong = "is not a URL";
	char *whole, *out = NULL;
	size_t len;

	if (url != NULL &&
	    curl_url_set(url, CURLUPART_URL, typed,
		strstr(typed, "://") == NULL ? CURLU_DEFAULT_SCHEME : 0) == CURLUE_OK)
		wrong = unfit(url);
	if (wrong == NULL && (whole = part_of(url, CURLUPART_URL)) != NULL) {
		for (len = strlen(whole); len > 0 && whole[len - 1] == '/';)
			len--;
		out = words_format("%.*s", (int)len, whole);
		curl_free(whole);
	}
	if (out == NULL)
		*why = words_format("%s %s", typed, wrong != NULL ? wrong : "is not a URL");
	curl_url_cleanup(url);
	return out;
}
