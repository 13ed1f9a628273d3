/* send.c - replies onto the wire: heads, bodies with as few copies as possible, the access log. */
#include "send.h"
#include "answer.h"
#include "clock.h"
#include "condition.h"
#include "log.h"
#include "timing.h"
#include "transport.h"
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What is left of a reply after the first try: from this size on it is not copied. */
#define REFERENCE_MIN 16384

static const struct {
	int status;
	const char *line;
} lines[] = {
	{ 200, "HTTP/1.1 200 OK\r\n" },
	{ 201, "HTTP/1.1 201 Created\r\n" },
	{ 202, "HTTP/1.1 202 Accepted\r\n" },
	{ 204, "HTTP/1.1 204 No Content\r\n" },
	{ 302, "HTTP/1.1 302 Found\r\n" },
	{ 303, "HTTP/1.1 303 See Other\r\n" },
	{ 304, "HTTP/1.1 304 Not Modified\r\n" },
	{ 400, "HTTP/1.1 400 Bad Request\r\n" },
	{ 401, "HTTP/1.1 401 Unauthorized\r\n" },
	{ 403, "HTTP/1.1 403 Forbidden\r\n" },
	{ 404, "HTTP/1.1 404 Not Found\r\n" },
	{ 405, "HTTP/1.1 405 Method Not Allowed\r\n" },
	{ 406, "HTTP/1.1 406 Not Acceptable\r\n" },
	{ 408, "HTTP/1.1 408 Request Timeout\r\n" },
	{ 409, "HTTP/1.1 409 Conflict\r\n" },
	{ 410, "HTTP/1.1 410 Gone\r\n" },
	{ 410, "HTTP/1.1 410 Gone\r\n" },
	{ 413, "HTTP/1.1 413 Content Too Large\r\n" },
	{ 415, "HTTP/1.1 415 Unsupported Media Type\r\n" },
	{ 417, "HTTP/1.1 417 Expectation Failed\r\n" },
	{ 422, "HTTP/1.1 422 Unprocessable Content\r\n" },
	{ 429, "HTTP/1.1 429 Too Many Requests\r\n" },
	{ 431, "HTTP/1.1 431 Request Header Fields Too Large\r\n" },
	{ 500, "HTTP/1.1 500 Internal Server Error\r\n" },
	{ 501, "HTTP/1.1 501 Not Implemented\r\n" },
	{ 502, "HTTP/1.1 502 Bad Gateway\r\n" },
	{ 503, "HTTP/1.1 503 Service Unavailable\r\n" },
	{ 505, "HTTP/1.1 505 HTTP Version Not Supported\r\n" },
	{ 507, "HTTP/1.1 507 Insufficient Storage\r\n" },
};
static const char allowed_headers[] =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-CMS-Request";

enum framing { LENGTH, CHUNKED, UNTIL_CLOSE, NO_BODY };

/* ---- heads ---- */

static void
add_status(struct buf *b, int status)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (lines[i].status == status) {
			buf_str(b, lines[i].line);
			return;
		}
	}
	buf_printf(b, "HTTP/1.1 %d Status\r\n", status);
}

/* "Date: Fri, 20 Nov 2026 12:00:00 GMT", made once a second. */
static void
add_date(struct conn_set *set, struct buf *b)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	time_t now = (time_t)(clock_now() / 1000);
	struct tm tm;

	if (now != set->date_second || set->date[0] == '\0') {
		memset(&tm, 0, sizeof(tm));
		(void)gmtime_r(&now, &tm);
		(void)snprintf(set->date, sizeof(set->date),
		    "%.3s, %02u %.3s %04u %02u:%02u:%02u GMT", days + 3 * tm.tm_wday,
		    (unsigned)tm.tm_mday % 100U, months + 3 * tm.tm_mon,
		    (unsigned)(tm.tm_year + 1900) % 10000U, (unsigned)tm.tm_hour % 100U,
		    (unsigned)tm.tm_min % 100U, (unsigned)tm.tm_sec % 100U);
		set->date_second = now;
	}
	buf_add(b, "Date: ", 6);
	buf_str(b, set->date);
	buf_add(b, "\r\n", 2);
}

static void
add_number(struct buf *b, uint64_t n)
{
	char text[20];
	size_t at = sizeof(text);

	do
		text[--at] = (char)('0' + n % 10);
	while ((n /= 10) != 0);
	buf_add(b, text + at, sizeof(text) - at);
}

static void
add_header(struct buf *b, const char *name, const char *value)
{
	buf_str(b, name);
	buf_add(b, ": ", 2);
	buf_str(b, value);
	buf_add(b, "\r\n", 2);
}

static void
add_methods(struct buf *b, const char *header, unsigned allowed)
{
	bool first = true;

	if ((allowed & 1U << HTTP_GET) != 0)
		allowed |= 1U << HTTP_HEAD;
	allowed |= 1U << HTTP_OPTIONS;
	buf_str(b, header);
	for (int m = 0; m < HTTP_OTHER; m++) {
		if ((allowed & 1U << m) == 0)
			continue;
		buf_str(b, first ? ": " : ", ");
		buf_str(b, http_method_name[m]);
		first = false;
	}
	buf_add(b, "\r\n", 2);
}

static bool
has_pair(const struct call_pair *p, const char *name)
{
	for (; p != NULL; p = p->next)
		if (strcasecmp(p->name, name) == 0)
			return true;
	return false;
}

/* The origins that the site allows, ended by NULL; NULL: there is no site. */
static char **
origins(const struct stet_call *call)
{
	if (call->gen != NULL)
		return call->gen->conf->cors_origins;
	return call->site != NULL ? site_conf(call->site).cors_origins : NULL;
}

/* The request's Origin when the site allows it, else NULL. */
static const char *
allowed_origin(const struct stet_call *call)
{
	char **o = origins(call);
	const char *origin;

	if (o == NULL || o[0] == NULL || call->head == NULL)
		return NULL;
	origin = http1_header(call->head, "origin");
	return origin != NULL && conf_origin(o, origin) ? origin : NULL;
}

static void
add_cors(struct buf *b, const struct stet_call *call)
{
	const char *origin = allowed_origin(call);
	char **allowed = origins(call);

	if (allowed == NULL || allowed[0] == NULL)
		return;
	buf_str(b, "Vary: Origin\r\n");
	if (origin == NULL)
		return;
	add_header(b, "Access-Control-Allow-Origin", origin);
	buf_str(b, "Access-Control-Expose-Headers: ETag, Idempotency-Replayed, Retry-After\r\n");
}

/* Headers that a status calls for, unless the op has said them itself. */
static void
add_status_headers(struct buf *b, const struct stet_call *call, const struct rendered *r)
{
	if (r->status == 401 && !has_pair(r->headers, "WWW-Authenticate"))
		buf_str(b, "WWW-Authenticate: Bearer\r\n");
	if (r->status == 405)
		add_methods(b, "Allow", call->match.allowed);
	if (r->status == 503 && !has_pair(r->headers, "Retry-After"))
		buf_str(b, "Retry-After: 1\r\n");
}

static void
add_framing(struct conn *c, struct buf *b, const struct rendered *r, enum framing how, uint64_t len)
{
	const struct stet_call *call = c->call;

	if (how != NO_BODY && r->type != NULL)
		add_header(b, "Content-Type", r->type);
	if (how == LENGTH) {
		buf_add(b, "Content-Length: ", 16);
		add_number(b, len);
		buf_add(b, "\r\n", 2);
	} else if (how == CHUNKED) {
		buf_str(b, "Transfer-Encoding: chunked\r\n");
	}
	if (c->last)
		buf_str(b, "Connection: close\r\n");
	else if (call->head != NULL && call->head->minor == 0)
		buf_str(b, "Connection: keep-alive\r\n");
}

static struct buf *
make_head(struct conn *c, const struct rendered *r, enum framing how, uint64_t len)
{
	const struct stet_call *call = c->call;
	struct buf *b = &c->set->head;

	b->len = 0;
	add_status(b, r->status);
	add_date(c->set, b);
	add_framing(c, b, r, how, len);
	buf_str(b, "X-Content-Type-Options: nosniff\r\n"
		   "Referrer-Policy: strict-origin-when-cross-origin\r\n");
	if (!has_pair(r->headers, "Cache-Control"))
		buf_str(b, "Cache-Control: private, no-store\r\n");
	if (c->secure && call->gen != NULL && call->gen->conf->hsts >= 0)
		buf_printf(b, "Strict-Transport-Security: max-age=%lld\r\n",
		    (long long)(call->gen->conf->hsts / 1000));
	add_header(b, "X-Request-Id", call->id);
	if (r->etag != NULL && condition_good_tag(r->etag)) {
		buf_add(b, "ETag: \"", 7);
		buf_str(b, r->etag);
		buf_add(b, "\"\r\n", 3);
	}
	timing_put(b, call);
	add_status_headers(b, call, r);
	for (const struct call_pair *p = r->headers; p != NULL; p = p->next)
		add_header(b, p->name, p->value);
	add_cors(b, call);
	return b;
}

static void
end_head(struct buf *b)
{
	buf_add(b, "\r\n", 2);
}

/* ---- conditions ---- */

static bool
not_modified(const struct stet_call *call, const struct rendered *r)
{
	return call->head != NULL && r->etag != NULL && r->status == 200 &&
	       condition_none_match(call->head, r->etag);
}

/* ---- bytes out ---- */

#define PIECES 4

/* Skip n bytes of the pieces. */
static void
advance(struct iovec *v, size_t n)
{
	for (int i = 0; i < PIECES && n > 0; i++) {
		size_t take = n < v[i].iov_len ? n : v[i].iov_len;

		v[i].iov_base = (char *)v[i].iov_base + take;
		v[i].iov_len -= take;
		n -= take;
	}
}

static void
free_call(const void *data, size_t len, void *arg)
{
	(void)data;
	(void)len;
	call_free(arg);
}

/* What the kernel did not take waits in the output. Large data is not copied: the call then lives
 * until it has left. Returns whether it does. */
static bool
queue_rest(struct conn *c, struct iovec *v, struct stet_call *call)
{
	struct evbuffer *out = bufferevent_get_output(c->bev);
	bool kept = false;
	int bad = 0;

	for (int i = 0; i < PIECES; i++) {
		if (v[i].iov_len == 0)
			continue;
		c->queued += v[i].iov_len;
		if (i == 2 && v[i].iov_len >= REFERENCE_MIN) {
			transport_lend(c, v[i].iov_base, v[i].iov_len, free_call, call);
			kept = true;
		} else {
			bad |= evbuffer_add(out, v[i].iov_base, v[i].iov_len);
		}
	}
	stet_assert(bad == 0); /* out of memory */
	return kept;
}

static struct iovec
piece(const void *base, size_t len)
{
	return (struct iovec){ .iov_base = (void *)(uintptr_t)base, .iov_len = len };
}

/* Send at once what the kernel takes, if nothing waits before it. The call ends here. */
static void
transmit(struct conn *c, struct iovec v[PIECES], struct stet_call *call)
{
	bool kept = false;

	if (conn_pending(c) == 0) {
		ssize_t n = transport_send(c, v, PIECES);

		if (n == -1) {
			call_free(call);
			conn_drop(c);
			return;
		}
		advance(v, (size_t)n);
		c->queued += (uint64_t)n;
	}
	if (v[0].iov_len + v[1].iov_len + v[2].iov_len + v[3].iov_len > 0)
		kept = queue_rest(c, v, call);
	if (!kept)
		call_free(call);
}

/* ---- replies ---- */

/* What was kept, or what the handler left; that is kept then, if it may be. */
static void
render(struct conn *c, struct rendered *r)
{
	if (c->call->answer != NULL) {
		answer_render(c->call->answer, r);
		return;
	}
	reply_render(c->call, r);
	answer_keep(c->set->answers, c->call, r);
}

void
send_reply(struct conn *c)
{
	struct stet_call *call = c->call;
	bool bare = call->head != NULL && call->head->method == HTTP_HEAD;
	struct iovec v[PIECES] = { 0 };
	struct rendered r;
	uint64_t len;
	struct buf *b;

	render(c, &r);
	if (not_modified(call, &r)) {
		r.status = 304;
		if (call->answer != NULL)
			answer_not_modified();
		b = make_head(c, &r, NO_BODY, 0);
		len = 0;
	} else if (r.type == NULL) {
		r.status = r.status == 200 ? 204 : r.status;
		b = make_head(c, &r, r.status == 204 ? NO_BODY : LENGTH, 0);
		len = 0;
	} else {
		len = strlen(r.prefix) + r.len + strlen(r.suffix);
		b = make_head(c, &r, LENGTH, len);
	}
	if (len > 0 && !bare) {
		v[1] = piece(r.prefix, strlen(r.prefix));
		v[2] = piece(r.data, r.len);
		v[3] = piece(r.suffix, strlen(r.suffix));
	}
	end_head(b);
	v[0] = piece(b->data, b->len);
	send_logged(c, call, r.status, bare ? 0 : len);
	c->call = NULL;
	transmit(c, v, call);
}

void
send_refusal(struct conn *c, enum stet_status status, const char *why)
{
	c->call = call_new();
	stet_fail(c->call, status, NULL, "%s", why != NULL ? why : stet_status_text(status));
	send_reply(c);
}

void
send_options(struct conn *c)
{
	struct stet_call *call = c->call;
	const char *origin = allowed_origin(call);
	struct rendered r = { .status = 204 };
	struct iovec v[PIECES] = { 0 };
	struct buf *b;

	if (strcmp(call->head->path, "*") == 0)
		call->match.allowed = (1U << HTTP_OTHER) - 1;
	else
		router_find(call->gen->router, HTTP_OPTIONS, call->head->path, &call->match);
	if (call->match.allowed == 0) {
		stet_fail(call, STET_NOT_FOUND, NULL, "Not found");
		send_reply(c);
		return;
	}
	b = make_head(c, &r, NO_BODY, 0);
	add_methods(b, "Allow", call->match.allowed);
	if (origin != NULL && http1_header(call->head, "access-control-request-method") != NULL) {
		add_methods(b, "Access-Control-Allow-Methods", call->match.allowed);
		add_header(b, "Access-Control-Allow-Headers", allowed_headers);
		buf_str(b, "Access-Control-Max-Age: 7200\r\n");
	}
	end_head(b);
	v[0] = piece(b->data, b->len);
	send_logged(c, call, r.status, 0);
	c->call = NULL;
	transmit(c, v, call);
}

void
send_continue(struct conn *c)
{
	static const char line[] = "HTTP/1.1 100 Continue\r\n\r\n";

	stet_assert(bufferevent_write(c->bev, line, sizeof(line) - 1) == 0);
	c->queued += sizeof(line) - 1;
}

void
send_stream_head(struct conn *c, const struct rendered *r, bool chunked)
{
	struct buf *b = make_head(c, r, chunked ? CHUNKED : UNTIL_CLOSE, 0);

	end_head(b);
	stet_assert(bufferevent_write(c->bev, b->data, b->len) == 0);
	c->queued += b->len;
}
