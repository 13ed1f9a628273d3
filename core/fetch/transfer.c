/*
 * transfer.c - one outgoing HTTP request through libcurl.
 *
 * A client may choose the URL, for a webhook or an import, and could aim at services inside the
 * network (server-side request forgery). So the address is checked when the socket is opened, after
 * name resolution: a name that resolves to a private address is refused, whatever it resolved to
 * before. Time and size of an answer are bounded.
 */
#include "fetch/transfer.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "call/tempfile.h"
#include "fetch/fetch.h"
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define TIMEOUT_MS 10000
#define CONNECT_MS 5000
#define BODY_MAX ((size_t)1 << 20)
#define URL_MAX_LEN 2048

/* Public addresses are ::ffff:0:0/96 (IPv4) and 2000::/3 except these: this machine, private and
 * shared networks, link-local, multicast, documentation, benchmarks, and prefixes that contain an
 * IPv4 address (Teredo, 6to4). NAT64 prefixes lie outside 2000::/3. */
static const char *const closed[] = { "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8",
	"169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24",
	"192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", "2001::/23", "2001:db8::/32",
	"2002::/16", "2620:4f:8000::/48", "3fff::/20" };
static const char *const open_to_all[] = { "::ffff:0:0/96", "2000::/3" };

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
start(void)
{
	stet_assert(curl_global_init_mem(
			CURL_GLOBAL_DEFAULT, xmalloc, free, xrealloc, xstrdup, xcalloc) == 0);
}

void
stet_fetch_library(void)
{
	pthread_once(&once, start);
}

/* ---- addresses ---- */

static bool
in_list(const struct address *a, const char *const *list, size_t count)
{
	struct address_block block;

	for (size_t i = 0; i < count; i++) {
		stet_assert(address_block_parse(list[i], &block));
		if (address_in(a, &block, 1))
			return true;
	}
	return false;
}

bool
fetch_is_public(const struct address *a)
{
	return in_list(a, open_to_all, sizeof(open_to_all) / sizeof(open_to_all[0])) &&
	       !in_list(a, closed, sizeof(closed) / sizeof(closed[0]));
}

static bool
may_connect(const struct transfer *t, const struct address *a)
{
	return address_in(a, t->allowed, t->allowed_count) ||
	       ((!t->plain || t->ask->plain) && fetch_is_public(a));
}

/* libcurl calls this for the resolved address that it is about to connect to. */
static curl_socket_t
open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *to)
{
	struct transfer *t = arg;
	struct address a;

	if (purpose != CURLSOCKTYPE_IPCXN || !address_from(&to->addr, &a) || !may_connect(t, &a)) {
		t->refused = true;
		return CURL_SOCKET_BAD;
	}
	return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

static void
read_allowed(struct transfer *t)
{
	char *const *list = t->call->gen->conf->fetch_allow;

	for (size_t i = 0; list[i] != NULL && t->allowed_count < TRANSFER_ALLOWED_MAX; i++)
		if (address_block_parse(list[i], &t->allowed[t->allowed_count]))
			t->allowed_count++;
}

/* ---- the response ---- */

/* A success goes to the file, if one is wanted. */
static size_t
take_to_file(struct transfer *t, const char *bytes, size_t len)
{
	if (t->fd == -1)
		t->status = tempfile_make(t->call, &t->path, &t->fd);
	if (len > t->most - t->written)
		t->out->cut = true;
	else if (t->status == STET_OK)
		t->status = tempfile_write(t->call, t->fd, t->path, bytes, len);
	t->written += len;
	return t->out->cut || t->status != STET_OK ? 0 : len;
}

static size_t
take(char *bytes, size_t one, size_t len, void *arg)
{
	struct transfer *t = arg;
	size_t room = t->most - t->body.len;
	long status = 0;

	(void)one;
	(void)curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
	if (t->ask->to_file && status >= 200 && status < 300)
		return take_to_file(t, bytes, len);
	if (len <= room) {
		buf_add(&t->body, bytes, len);
		return len;
	}
	buf_add(&t->body, bytes, room);
	t->out->cut = true;
	return 0; /* ends the transfer */
}

static int
go_on(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	struct transfer *t = arg;

	(void)a;
	(void)b;
	(void)c;
	(void)d;
	t->late = t->call->deadline != 0 && clock_monotonic() > t->call->deadline;
	return t->late;
}

/* The first value of a header of the response, owned by the call; NULL: it has none. */
static const char *
header_of(const struct transfer *t, CURL *curl, const char *name)
{
	struct curl_header *found = NULL;

	if (curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &found) != CURLHE_OK)
		return NULL;
	return stet_strdup(t->call, found->value);
}

static void
set_body(struct transfer *t, CURL *curl)
{
	struct stet_fetched *out = t->out;
	const char *type = NULL, *location = NULL;
	long status = 0;

	(void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	(void)curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &location);
	out->location = stet_strdup(t->call, location);
	(void)curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &type);
	out->status = (int)status;
	out->type = stet_strdup(t->call, type);
	out->cache_control = header_of(t, curl, "Cache-Control");
	if (t->ask->header != NULL)
		out->header = header_of(t, curl, t->ask->header);
	out->body = stet_strndup(t->call, t->body.len > 0 ? t->body.data : "", t->body.len);
	out->len = t->path != NULL ? t->written : t->body.len;
	out->path = t->path;
	buf_free(&t->body);
	if (t->fd != -1 && close(t->fd) == -1 && t->status == STET_OK)
		t->status = stet_file_failed(t->call, t->path);
}

static enum stet_status
outcome(struct transfer *t, CURLcode code)
{
	t->out->refused = t->refused;
	t->out->cut |= code == CURLE_FILESIZE_EXCEEDED;
	if (t->status != STET_OK)
		return t->status;
	if (code == CURLE_OK || (t->out->cut && t->ask->cut && code == CURLE_WRITE_ERROR))
		return STET_OK;
	if (t->refused)
		return stet_fail(t->call, STET_VALIDATION_ERROR, "url",
		    "The address behind this URL may not be asked");
	if (t->out->cut)
		return stet_fail(t->call, STET_UPSTREAM_ERROR, "url",
		    "The answer is longer than %zu bytes", t->most);
	if (t->late)
		return stet_fail(t->call, STET_REQUEST_TIMEOUT, NULL, "The request took too long");
	return stet_fail(
	    t->call, STET_UPSTREAM_ERROR, "url", "No answer: %s", curl_easy_strerror(code));
}

/* ---- the request ---- */

#define SET(option_, value_) stet_assert(curl_easy_setopt(curl, option_, value_) == CURLE_OK)

static void
set_limits(CURL *curl, struct transfer *t)
{
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_PROTOCOLS_STR, t->plain ? "http" : "https");
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_PROXY, ""); /* no proxy, whatever the environment says */
	SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(CURLOPT_SSL_VERIFYPEER, 1L);
	SET(CURLOPT_SSL_VERIFYHOST, 2L);
	/* libcurl searches the system's directory of authorities, too. */
	if (t->call->gen->conf->fetch_ca != NULL)
		SET(CURLOPT_CAINFO, t->call->gen->conf->fetch_ca);
	SET(CURLOPT_FRESH_CONNECT, 1L);
	SET(CURLOPT_FORBID_REUSE, 1L);
	SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	SET(CURLOPT_TIMEOUT_MS, (long)(t->ask->timeout > 0 ? t->ask->timeout : TIMEOUT_MS));
	SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
	SET(CURLOPT_OPENSOCKETDATA, t);
	if (!t->ask->cut)
		SET(CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)t->most);
	SET(CURLOPT_WRITEFUNCTION, take);
	SET(CURLOPT_WRITEDATA, t);
	SET(CURLOPT_XFERINFOFUNCTION, go_on);
	SET(CURLOPT_XFERINFODATA, t);
	SET(CURLOPT_NOPROGRESS, 0L);
}

static struct curl_slist *
set_request(CURL *curl, const struct stet_fetch *ask)
{
	/* No "Expect: 100-continue": servers that do not know it cost a second. */
	struct curl_slist *list = curl_slist_append(NULL, "Expect:");

	if (ask->body != NULL) {
		SET(CURLOPT_POST, 1L);
		SET(CURLOPT_POSTFIELDS, ask->body);
		SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)ask->body_len);
	}
	if (ask->method != NULL)
		SET(CURLOPT_CUSTOMREQUEST, ask->method);
	SET(CURLOPT_USERAGENT, "stet");
	for (size_t i = 0; ask->headers != NULL && ask->headers[i] != NULL; i++) {
		stet_assert(strpbrk(ask->headers[i], "\r\n") == NULL);
		list = curl_slist_append(list, ask->headers[i]);
	}
	stet_assert(list != NULL);
	SET(CURLOPT_HTTPHEADER, list);
	return list;
}

static void
set_url(CURL *curl, const char *url)
{
	SET(CURLOPT_URL, url);
}

/* ---- URLs ---- */

/* Returns true for names that encode an IP address, such as 127.0.0.1.nip.io. They only serve to
 * get around lists of allowed or refused hosts. */
static bool
is_wildcard(const char *host)
{
	static const char *const zones[] = { "nip.io", "sslip.io", "xip.io", "traefik.me", "lvh.me",
		"localtest.me" };
	size_t len = strlen(host);

	while (len > 0 && host[len - 1] == '.')
		len--;
	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		size_t z = strlen(zones[i]);

		if (len >= z && strncasecmp(host + len - z, zones[i], z) == 0 &&
		    (len == z || host[len - z - 1] == '.'))
			return true;
	}
	return false;
}

/* Returns the scheme of the parsed URL. NULL: *why says what is wrong. */
static const char *
scheme_of(CURLU *url, const char *text, const char **why)
{
	char *scheme = NULL, *user = NULL, *host = NULL;
	const char *found = NULL;

	*why = "is not a URL";
	if (strlen(text) <= URL_MAX_LEN && curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK &&
	    curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
	    curl_url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK) {
		if (strcmp(scheme, "https") == 0)
			found = "https";
		else if (strcmp(scheme, "http") == 0)
			found = "http";
		else
			*why = "is not an https URL";
	}
	/* libcurl takes one slash for two, and three. */
	if (found != NULL &&
	    (strncmp(text + strlen(found), "://", 3) != 0 || text[strlen(found) + 3] == '/'))
		found = NULL;
	if (found != NULL && is_wildcard(host)) {
		*why = "names a wildcard DNS service";
		found = NULL;
	}
	if (found != NULL && curl_url_get(url, CURLUPART_USER, &user, 0) == CURLUE_OK) {
		*why = "holds a name or a password";
		found = NULL;
	}
	curl_free(scheme);
	curl_free(user);
	curl_free(host);
	return found;
}

/* Returns the reason why the URL is not allowed, or NULL. */
static const char *
refuses(struct stet_call *call, const char *text, bool plain)
{
	const char *why = "is not a URL", *scheme;
	CURLU *url;

	stet_fetch_library();
	url = curl_url();
	stet_assert(url != NULL);
	scheme = scheme_of(url, text, &why);
	curl_url_cleanup(url);
	if (scheme == NULL)
		return why;
	if (strcmp(scheme, "http") == 0 && !plain && call->gen->conf->fetch_allow[0] == NULL)
		return "is not an https URL";
	return NULL;
}

const char *
stet_fetch_refuses(struct stet_call *call, const char *text)
{
	return refuses(call, text, false);
}

/* Scheme, host and port; owned by the call. */
static const char *
origin_of(struct stet_call *call, const char *text)
{
	CURLU *url = curl_url();
	char *scheme = NULL, *host = NULL, *port = NULL;
	const char *origin = "";

	stet_assert(url != NULL);
	if (curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK &&
	    curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
	    curl_url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
	    curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK)
		origin = stet_printf(call, "%s://%s:%s", scheme, host, port);
	curl_free(scheme);
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(url);
	return origin;
}

const char *
transfer_next(struct stet_call *call, const char *url, struct stet_fetch *ask,
    const struct stet_fetched *out, int *left)
{
	if (out->location == NULL || (*left)-- <= 0)
		return NULL;
	if (ask->headers != NULL &&
	    strcasecmp(origin_of(call, url), origin_of(call, out->location)) != 0)
		ask->headers = NULL;
	return out->location;
}

enum stet_status
transfer_begin(struct transfer *t, struct stet_call *call, const char *url,
    const struct stet_fetch *ask, struct stet_fetched *out)
{
	const char *why = refuses(call, url, ask->plain);

	*t = (struct transfer){ .call = call, .ask = ask, .out = out, .fd = -1 };
	*out = (struct stet_fetched){ .body = "", .refused = why != NULL };
	if (why != NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "url", "%s", why);
	if (call_replaced(call))
		return stet_fail(call, STET_UNAVAILABLE, NULL, "Another daemon does this now");
	t->most = ask->most > 0 ? ask->most : BODY_MAX;
	t->plain = strncasecmp(url, "http:", 5) == 0;
	read_allowed(t);
	t->curl = curl_easy_init();
	stet_assert(t->curl != NULL);
	set_limits(t->curl, t);
	set_url(t->curl, url);
	t->headers = set_request(t->curl, ask);
	return STET_OK;
}

void
transfer_close(struct transfer *t)
{
	set_body(t, t->curl);
	curl_slist_free_all(t->headers);
	curl_easy_cleanup(t->curl);
}

enum stet_status
transfer_end(struct transfer *t, CURLcode code)
{
	transfer_close(t);
	return outcome(t, code);
}
