/*
 * redirect.c - a redirect URI that a client has registered, a line break, and one that a request
 * names: if the second is accepted, it leads to the registered host and scheme, also for another
 * URL parser.
 * fuzz: with modules/oauth
 */
#include "../../modules/oauth/clients.h"
#include "fuzz.h"
#include <curl/curl.h>
#include <string.h>

/* Returns a part of a URL as curl parses it, to be freed; NULL if the URL lacks it. */
static char *
part(CURLU *url, CURLUPart which)
{
	char *text = NULL;

	return curl_url_get(url, which, &text, 0) == CURLUE_OK ? text : NULL;
}

static bool
same(CURLU *a, CURLU *b, CURLUPart which)
{
	char *x = part(a, which), *y = part(b, which);
	bool equal = x == NULL ? y == NULL : y != NULL && strcmp(x, y) == 0;

	curl_free(x);
	curl_free(y);
	return equal;
}

static void
check_host(CURLU *url, const char *scheme)
{
	char *host = part(url, CURLUPART_HOST);

	must(host != NULL && part(url, CURLUPART_USER) == NULL);
	must(strcmp(scheme, "https") == 0 || strcmp(host, "127.0.0.1") == 0 ||
	     strcmp(host, "[::1]") == 0 || strcmp(host, "localhost") == 0);
	curl_free(host);
}

static void
check_match(const char *registered, const char *uri)
{
	CURLU *a = curl_url(), *b = curl_url();
	char *scheme;

	must(strchr(uri, '#') == NULL);
	if (curl_url_set(b, CURLUPART_URL, uri, 0) == CURLUE_OK) {
		scheme = part(b, CURLUPART_SCHEME);
		check_host(b, scheme);
		must(curl_url_set(a, CURLUPART_URL, registered, 0) == CURLUE_OK);
		must(same(a, b, CURLUPART_SCHEME) && same(a, b, CURLUPART_HOST));
		must(same(a, b, CURLUPART_PATH) && same(a, b, CURLUPART_QUERY));
		must(same(a, b, CURLUPART_PORT) || strcmp(scheme, "http") == 0);
		curl_free(scheme);
	} else {
		must(strcmp(registered, uri) == 0);
	}
	curl_url_cleanup(a);
	curl_url_cleanup(b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *end;
	struct oauth_client client = { .id = "x" };
	const char *why;
	json_t *uris;

	must(text != NULL);
	end = strchr(text, '\n');
	if (end != NULL)
		*end++ = '\0';
	uris = end != NULL ? json_pack("[s]", text) : NULL; /* NULL: the text is not UTF-8 */
	if (uris != NULL) {
		client.redirect_uris = uris;
		/* Checks the URI like registration does. */
		if (redirect_allowed(text, &why)) {
			must(redirect_matches(&client, text));
			if (redirect_matches(&client, end))
				check_match(text, end);
		} else {
			must(why != NULL);
		}
		json_decref(uris);
	}
	free(text);
	return 0;
}
