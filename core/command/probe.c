/* probe.c - sends a request to a site's own URL and interprets the response. */
#include "command/probe.h"
#include "base/arena.h"
#include "base/words.h"
#include "command/request.h"
#include "site/proof.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WAIT_SECONDS 5
#define ANSWER_MAX 65536
#define PATH "/_cms/api/auth/site/"
/* a documentation address (RFC 5737) that shows what proxies do with X-Forwarded-For */
#define NOBODY "192.0.2.1"

static void
perform(const struct conf_site *site, const char *token, struct response *x)
{
	char *url = words_format("%s" PATH "%s", site->base_url, token);
	static const char *const headers[] = { "X-Forwarded-For: " NOBODY,
		"Cache-Control: no-cache", NULL };

	request_send(&(struct request){ .url = url,
			 .headers = headers,
			 .ca = site->fetch_ca,
			 .seconds = WAIT_SECONDS,
			 .most = ANSWER_MAX },
	    x);
	free(url);
}

/* ---- another server, or none ---- */

static void
find(struct probe_finding *f, char *text, const char *advice)
{
	f->text = text;
	f->advice = xstrdup(advice);
}

static void
find_error(struct probe_finding *f, const struct response *x)
{
	const char *said = response_problem(x);

	switch (x->code) {
	case CURLE_COULDNT_RESOLVE_HOST:
		find(f, words_format("its name has no address: %s", said),
		    "DNS has to know it. This machine may ask another DNS than clients do.");
		return;
	case CURLE_COULDNT_CONNECT:
	case CURLE_OPERATION_TIMEDOUT:
		find(f, words_format("nobody can be reached: %s", said),
		    "Does the daemon, or a proxy, listen there, and does a firewall let it be asked?"
		    " Some networks do not lead a machine back to its own public address.");
		return;
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
		find(f, words_format("TLS fails: %s", said),
		    "Is TLS spoken there, with a certificate that is of this name, whole, and not"
		    " expired? An authority of your own is named in fetch-ca.");
		return;
	default:
		find(f, words_format("it cannot be asked: %s", said), "See the words of libcurl.");
	}
}

static void
find_redirect(struct probe_finding *f, const char *base, const char *to)
{
	size_t len = strcspn(to, "?");
	const char *path = strstr(to, PATH);

	if (path != NULL)
		len = (size_t)(path - to);
	find(f, words_format("it redirects to %.*s", (int)len, to),
	    strncmp(base, "http:", 5) == 0 && strncmp(to, "https:", 6) == 0
		? "base-url should begin with https: links are made of it, and browsers do not"
		  " send what they POST twice."
		: "base-url should say where it leads to, or nothing should redirect there.");
}

/* Identifies another server. Errors of stet have a known envelope; those of other programs do
 * not. */
static void
find_other(struct probe_finding *f, const struct response *x)
{
	const json_t *error = json_object_get(x->json, "error");
	const char *code = json_string_value(json_object_get(error, "code"));
	const char *text = json_string_value(json_object_get(error, "message"));

	if (code != NULL && x->status == 404)
		find(f, words_format("another stet site answers: %s", text != NULL ? text : code),
		    "Does a proxy or DNS lead to another daemon, or is the host another site's in"
		    " stet.conf? A daemon that is older than this command answers so, too.");
	else if (code != NULL)
		find(f,
		    words_format(
			"it answers %ld %s: %s", x->status, code, text != NULL ? text : ""),
		    "The daemon's log says more.");
	else if (x->status >= 502 && x->status <= 504)
		find(f, words_format("a proxy answers %ld for the daemon", x->status),
		    "The proxy cannot reach stetd: does it ask where that listens?");
	else
		find(f, words_format("what answers there, with %ld, is not stet", x->status),
		    "A proxy or DNS leads elsewhere, or the path of base-url is not passed on.");
}

/* ---- this site, possibly behind a proxy ---- */

/* Returns true if the daemon listens on the URL's port. */
static bool
direct(const struct conf *conf, const char *url)
{
	bool tls = strncmp(url, "https:", 6) == 0;
	char *const *listen = tls ? conf->tls_listen : conf->listen;
	const char *host = strstr(url, "://") + 3, *end = host + strcspn(host, "/");
	const char *port = *host == '[' ? strchr(host, ']') + 1 : host + strcspn(host, ":/");
	char *want = port < end ? words_format("%.*s", (int)(end - port), port)
				: words_format(tls ? ":443" : ":80");
	bool found = false;

	for (; *listen != NULL && !found; listen++)
		found = strcmp(strrchr(*listen, ':'), want) == 0;
	free(want);
	return found;
}

static bool
same_host(const char *url, const char *host)
{
	const char *own = strstr(url, "://") + 3;
	size_t len = *own == '[' ? strcspn(own, "]") + 1 : strcspn(own, ":/");

	return strlen(host) == len && strncasecmp(own, host, len) == 0;
}

static void
find_proxy(const struct conf *conf, const struct conf_site *site, const json_t *data,
    struct probe_finding *f)
{
	const char *host = json_string_value(json_object_get(data, "host"));
	const char *client = json_string_value(json_object_get(data, "client"));
	const char *chain = json_string_value(json_object_get(data, "forwardedFor"));

	if (host != NULL && !same_host(site->base_url, host))
		find(f++, words_format("a proxy on the way makes the host %s of it", host),
		    "Have it pass Host on as it came: sites are told apart by it"
		    " (stet-proxy(7)).");
	if (direct(conf, site->base_url))
		return;
	if (chain == NULL || strcmp(chain, NOBODY) == 0)
		find(f, words_format("a proxy on the way does not say for whom it asks"),
		    "Have it add its client to X-Forwarded-For: limits and logs take all clients"
		    " for one (stet-proxy(7)).");
	else if (client != NULL && strstr(chain, client) == NULL)
		find(f, words_format("the proxy %s is not believed for whom it asks", client),
		    "Name it in trusted-proxies: limits and logs take all clients for one.");
}

bool
probe_site(const struct conf *conf, const struct conf_site *site,
    struct probe_finding found[PROBE_FINDINGS])
{
	char token[PROOF_TOKEN_SIZE], *why = NULL;
	struct response x;
	const json_t *data;
	bool proved;

	memset(found, 0, PROBE_FINDINGS * sizeof(*found));
	if (!proof_begin(site->data, token, &why)) {
		find(found, why, "Run it as the user of the site's files, or as root.");
		return false;
	}
	perform(site, token, &x);
	proof_end(site->data, token);
	data = json_object_get(x.json, "data");
	proved = x.code == CURLE_OK && x.status == 200 && json_object_get(data, "client") != NULL;
	if (proved)
		find_proxy(conf, site, data, found);
	else if (x.code != CURLE_OK)
		find_error(found, &x);
	else if (x.redirect != NULL)
		find_redirect(found, site->base_url, x.redirect);
	else
		find_other(found, &x);
	response_free(&x);
	return proved;
}
