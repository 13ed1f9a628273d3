/*
 * send.c - sends replies. The head is made in a buffer of the worker and sent with the body in one
 * system call. What the kernel does not take is queued, without a copy where possible (lend.h).
 */
#include "net/send.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "call/metrics.h"
#include "call/part.h"
#include "call/timing.h"
#include "call/unsent.h"
#include "http/condition.h"
#include "http/http1.h"
#include "http/httpdate.h"
#include "http/router.h"
#include "net/accesslog.h"
#include "net/conn.h"
#include "net/cors.h"
#include "net/filesend.h"
#include "net/lend.h"
#include "net/loop.h"
#include "net/transport.h"
#include "op/answer.h"
#include "op/encode.h"
#include "op/file.h"
#include "op/header.h"
#include "op/open.h"
#include "op/part.h"
#include "op/reply.h"
#include "op/slow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum framing { LENGTH, CHUNKED, UNTIL_CLOSE, NO_BODY };

/* ---- heads ---- */

/* Adds the Date header, formatted once a second: "Date: Fri, 20 Nov 2026 12:00:00 GMT". */
static void
add_date(struct connset *set, struct buf *b)
{
	int64_t now = clock_now() / 1000;

	if (now != set->date_second || set->date[0] == '\0') {
		httpdate_text(now, set->date);
		set->date_second = now;
	}
	header_put(b, "Date", set->date);
}

/* Headers that a status requires, unless the op has set them itself. */
static void
add_status_headers(struct buf *b, const struct stet_call *call, const struct rendered *r)
{
	if (r->status == 401 && !header_has(r->headers, "WWW-Authenticate"))
		buf_str(b, "WWW-Authenticate: Bearer\r\n");
	if (r->status == 405 && !header_has(r->headers, "Allow"))
		header_methods(b, "Allow", op_part(call)->match.allowed);
	if (r->status == 503 && !header_has(r->headers, "Retry-After"))
		buf_str(b, "Retry-After: 1\r\n");
}

static void
add_framing(struct conn *c, struct buf *b, const struct rendered *r, enum framing how, uint64_t len)
{
	const struct stet_call *call = c->call;

	if (how != NO_BODY && r->type != NULL)
		header_put(b, "Content-Type", r->type);
	if (how != NO_BODY && r->coding != CODING_NONE)
		header_put(b, "Content-Encoding", encode_name[r->coding]);
	if (how == LENGTH) {
		header_number(b, "Content-Length", len);
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
	header_status(b, r->status);
	add_date(c->set, b);
	add_framing(c, b, r, how, len);
	buf_str(b, "X-Content-Type-Options: nosniff\r\n"
		   "Referrer-Policy: strict-origin-when-cross-origin\r\n");
	if (r->file != NULL)
		file_put(b, r->file, how != NO_BODY);
	if (!header_has(r->headers, "Cache-Control") &&
	    (r->file == NULL || r->file->cache == NULL) && !open_put(b, call, r))
		buf_str(b, "Cache-Control: private, no-store\r\n");
	if (c->secure && call->gen != NULL && call->gen->conf->hsts >= 0)
		buf_printf(b, "Strict-Transport-Security: max-age=%lld\r\n",
		    (long long)(call->gen->conf->hsts / 1000));
	header_put(b, "X-Request-Id", call->id);
	if (r->etag != NULL) {
		buf_add(b, "ETag: \"", 7);
		buf_str(b, r->etag);
		buf_add(b, "\"\r\n", 3);
	}
	timing_put(b, call);
	add_status_headers(b, call, r);
	for (const struct call_pair *p = r->headers; p != NULL; p = p->next)
		header_put(b, p->name, p->value);
	cors_put(b, call, encode_may(call, r));
	return b;
}

static void
end_head(struct buf *b)
{
	buf_add(b, "\r\n", 2);
}

/* ---- conditions ---- */

/* Replaces the reply by an error. */
static void
refuse(struct stet_call *call, struct rendered *r, enum stet_status status)
{
	stet_fail(call, status, NULL, "%s", stet_status_text(status));
	reply_render(call, r);
}

/* Applies the requested range of the file, or sets 416. */
static void
choose_part(struct stet_call *call, struct rendered *r)
{
	const struct file *f = r->file;

	if (!file_range(r->file, call->head)) {
		stet_header(call, "Content-Range",
		    stet_printf(call, "bytes */%llu", (unsigned long long)f->size));
		refuse(call, r, STET_RANGE_NOT_SATISFIABLE);
	} else if (f->part) {
		r->status = 206;
	}
}

/* Applies conditional headers: 304 if the client's copy is current, 412 if a precondition
 * failed. */
static void
apply_conditions(struct stet_call *call, struct rendered *r)
{
	struct condition_of it = { .tag = r->etag, .modified = CONDITION_UNDATED };

	if (call->head == NULL || r->status != 200 || (r->etag == NULL && r->file == NULL))
		return;
	if (r->file != NULL)
		it = file_condition(r->file);
	switch (condition_judge(call->head, &it)) {
	case CONDITION_UNMODIFIED:
		if (op_part(call)->answer != NULL)
			metrics_add(METRIC_CACHE_UNMODIFIED, 1);
		r->status = 304;
		break;
	case CONDITION_FAILED:
		refuse(call, r, STET_PRECONDITION_FAILED);
		break;
	case CONDITION_NONE:
		if (r->file != NULL)
			choose_part(call, r);
		break;
	}
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

/* A body being compressed in the slow lane, so that the worker can serve other connections. */
struct packed {
	enum coding coding;
	struct iovec v[PIECES - 1];
	struct buf out;
	bool good;
};

/* The part of a call: its body, being compressed; NULL: it is not. */
static struct call_part packed_part = { .size = sizeof(struct packed *) };

CALL_PART_ADD(packed_part)

static struct packed **
packed_of(const struct stet_call *call)
{
	return call_part(call, &packed_part);
}

static void
packed_free(void *arg)
{
	struct packed *p = arg;

	buf_free(&p->out);
}

static struct buf *
packed_buffer(struct stet_call *call)
{
	struct packed *p = *packed_of(call);

	return p != NULL ? &p->out : NULL;
}

/* Returns the buffer of the call that holds these bytes, or NULL. */
static struct buf *
buffer_of(struct stet_call *call, const char *at)
{
	struct buf *some[] = { &call->out.buf, &call->reply.raw, packed_buffer(call) };

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		if (some[i] != NULL && some[i]->data != NULL && at >= some[i]->data &&
		    at < some[i]->data + some[i]->cap)
			return some[i];
	return NULL;
}

/* Queues a large body without copying it if that is possible: by a reference to the cached
 * answer, or by taking the buffer over from the call. */
static void
queue_body(
    struct conn *c, const char *at, size_t len, struct stet_call *call, struct answer *shared)
{
	struct buf *buf = buffer_of(call, at);

	if (shared != NULL) {
		lend_answer(c, shared, at, len);
	} else if (buf != NULL) {
		lend_block(c, buf->data, buf->cap, at, len);
		*buf = (struct buf){ 0 };
	} else {
		lend_copy(c, at, len);
	}
}

/* Queues what the kernel did not take. `shared` is the cached answer that holds the body, or
 * NULL. */
static void
queue_rest(struct conn *c, struct iovec *v, struct stet_call *call, struct answer *shared)
{
	struct evbuffer *out = bufferevent_get_output(c->bev);

	for (int i = 0; i < PIECES; i++) {
		size_t len = v[i].iov_len;

		if (len == 0)
			continue;
		if (i == 2 && len >= UNSENT_LEAST) {
			queue_body(c, v[i].iov_base, len, call, shared);
		} else if (conn_pending(c) >= UNSENT_LEAST) {
			lend_copy(c, v[i].iov_base, len);
		} else {
			stet_assert(evbuffer_add(out, v[i].iov_base, len) == 0);
			c->queued += len;
		}
	}
}

static struct iovec
piece(const void *base, size_t len)
{
	return (struct iovec){ .iov_base = (void *)(uintptr_t)base, .iov_len = len };
}

/* Sends as much as the kernel takes, if no output waits. The call ends here: the rest is queued
 * without it. */
static void
transmit(struct conn *c, struct iovec v[PIECES], struct stet_call *call, struct answer *shared)
{
	c->answer_due = call->deadline;
	if (conn_pending(c) == 0) {
		ssize_t n = transport_send(c, v, PIECES, false);

		if (n == -1) {
			call_free(call);
			c->broken = true;
			return;
		}
		advance(v, (size_t)n);
		c->queued += (uint64_t)n;
	}
	if (v[0].iov_len + v[1].iov_len + v[2].iov_len + v[3].iov_len > 0)
		queue_rest(c, v, call, shared);
	call_free(call);
}

/* ---- replies ---- */

/* Returns the cached answer of the call, or caches what the handler returned if that is allowed.
 * NULL: not cached. */
static struct answer *
render(struct conn *c, struct rendered *r)
{
	if (op_part(c->call)->answer != NULL) {
		answer_render(op_part(c->call)->answer, r);
		return op_part(c->call)->answer;
	}
	reply_render(c->call, r);
	return *packed_of(c->call) == NULL ? answer_keep(c->set->answers, c->call, r) : NULL;
}

static void
come_back(void *arg)
{
	struct stet_call *call = arg;

	op_part(call)->done(call);
}

static void
pack(void *arg)
{
	struct stet_call *call = arg;
	struct packed *p = *packed_of(call);
	struct encoder *e = encoder_new();

	p->good = encode(e, p->coding, p->v, PIECES - 1, &p->out);
	encoder_free(e);
	loop_post(op_part(call)->worker, come_back, call);
}

static uint64_t
total(const struct iovec v[PIECES])
{
	return v[1].iov_len + v[2].iov_len + v[3].iov_len;
}

/* Returns true if the body is being compressed in another thread. */
static bool
pack_elsewhere(struct conn *c, enum coding coding, const struct iovec v[PIECES])
{
	struct stet_call *call = c->call;
	struct packed *p;

	if (*packed_of(call) != NULL || op_part(call)->io == NULL || total(v) <= ENCODE_HERE)
		return false;
	p = *packed_of(call) = stet_alloc(call, sizeof(*p));
	p->coding = coding;
	memcpy(p->v, v + 1, sizeof(p->v));
	stet_defer(call, packed_free, p);
	c->state = CONN_CALL;
	return slow_submit(pack, call);
}

static void
free_bytes(void *bytes)
{
	free(bytes);
}

/* Compresses the body, in this thread or another. Returns false if it stays uncompressed. */
static bool
compress(struct conn *c, struct answer *kept, enum coding coding, struct iovec v[PIECES])
{
	struct packed *p = *packed_of(c->call);
	struct buf out = { 0 };

	if (p != NULL) {
		out = p->out;
		if (!p->good)
			return false;
	} else if (encode(c->set->encoder, coding, v + 1, PIECES - 1, &out)) {
		stet_defer(c->call, free_bytes, out.data);
	} else {
		buf_free(&out);
		return false;
	}
	answer_keep_coded(c->set->answers, kept, coding, out.data, out.len);
	v[1] = v[3] = piece(NULL, 0);
	v[2] = piece(out.data, out.len);
	return true;
}

/* Puts the body into the coding that the client accepts, with the entity tag of that coding.
 * Returns false if another thread compresses it first. */
static bool
put_in_coding(struct conn *c, struct answer *kept, struct rendered *r, const char *plain,
    struct iovec v[PIECES])
{
	size_t len;
	const char *bytes = answer_coded(kept, (enum coding)r->coding, &len);

	if (bytes != NULL) {
		v[1] = v[3] = piece(NULL, 0);
		v[2] = piece(bytes, len);
		return true;
	}
	if (pack_elsewhere(c, (enum coding)r->coding, v))
		return false;
	if (!compress(c, kept, (enum coding)r->coding, v)) {
		r->coding = CODING_NONE;
		r->etag = plain;
	}
	return true;
}

/* Sends the head at once; the file follows (filesend.c). */
static void
send_file(struct conn *c, const struct rendered *r)
{
	const struct buf *b = make_head(c, r, LENGTH, r->file->end - r->file->begin);
	struct iovec v;
	ssize_t n = 0;

	end_head(&c->set->head);
	v = piece(b->data, b->len);
	if (conn_pending(c) == 0)
		n = transport_send(c, &v, 1, true);
	filesend_begin(c);
	if (n == -1) {
		c->broken = true;
		return;
	}
	c->answer_due = 0; /* no time limit: the minimum rate applies to files */
	c->queued += b->len;
	if ((size_t)n < b->len)
		stet_assert(bufferevent_write(c->bev, b->data + n, b->len - (size_t)n) == 0);
}

static void
lay_out(const struct rendered *r, struct iovec v[PIECES])
{
	memset(v, 0, PIECES * sizeof(*v));
	if (r->type == NULL || r->status == 304)
		return;
	v[1] = piece(r->prefix, strlen(r->prefix));
	v[2] = piece(r->data, r->len);
	v[3] = piece(r->suffix, strlen(r->suffix));
}

static uint64_t
length_of(const struct rendered *r, const struct iovec v[PIECES])
{
	return r->file != NULL ? r->file->end - r->file->begin : total(v);
}

/* Returns true if the reply is a file to be sent in pieces. A small file is read here instead. */
static bool
send_apart(struct conn *c, const struct rendered *r, struct iovec v[PIECES])
{
	uint64_t len = length_of(r, v);
	const char *few;

	if (r->file == NULL || len == 0)
		return false;
	few = file_few(c->call, r->file);
	if (few == NULL)
		send_file(c, r);
	else
		v[2] = piece(few, (size_t)len);
	return few == NULL;
}

/* If a cached answer has the body, send its bytes, so that all connections share them. Returns
 * that answer, or NULL. */
static struct answer *
share(struct answer *kept, const struct rendered *r, struct iovec v[PIECES])
{
	size_t len;
	const char *bytes = answer_coded(kept, (enum coding)r->coding, &len);

	if (bytes == NULL || total(v) != len)
		return NULL;
	v[1] = v[3] = piece(NULL, 0);
	v[2] = piece(bytes, len);
	return kept;
}

bool
send_reply(struct conn *c)
{
	struct stet_call *call = c->call;
	bool bare = call->head != NULL && call->head->method == HTTP_HEAD;
	struct iovec v[PIECES];
	struct answer *kept;
	struct rendered r;
	const char *plain;
	enum framing how;
	struct buf *b;

	kept = render(c, &r);
	plain = r.etag;
	lay_out(&r, v);
	r.coding = encode_choose(call, &r, total(v));
	apply_conditions(call, &r);
	if (call->error.status != STET_OK)
		kept = NULL; /* an error replaced it, maybe of the same length */
	lay_out(&r, v);
	if (r.type == NULL && r.status == 200)
		r.status = 204;
	how = r.status == 304 || r.status == 204 ? NO_BODY : LENGTH;
	if (how == LENGTH && r.coding != CODING_NONE && !put_in_coding(c, kept, &r, plain, v))
		return false;
	if (how == LENGTH && !bare && send_apart(c, &r, v))
		return false;
	b = make_head(c, &r, how, length_of(&r, v));
	end_head(b);
	accesslog_add(c, call, r.status, bare ? 0 : total(v));
	if (bare)
		memset(v, 0, sizeof(v));
	kept = share(kept, &r, v);
	v[0] = piece(b->data, b->len);
	c->call = NULL;
	transmit(c, v, call, kept);
	return true;
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
	struct op_part *part = op_part(call);
	struct rendered r = { .status = 204 };
	struct iovec v[PIECES] = { 0 };
	struct buf *b;

	if (strcmp(call->head->path, "*") == 0)
		part->match.allowed = (1U << HTTP_OTHER) - 1;
	else
		router_find(call->gen->router, HTTP_OPTIONS, call->head->path, &part->match);
	if (part->match.allowed == 0) {
		stet_fail(call, STET_NOT_FOUND, NULL, "Not found");
		send_reply(c);
		return;
	}
	b = make_head(c, &r, NO_BODY, 0);
	header_methods(b, "Allow", part->match.allowed);
	cors_preflight(b, call, part->match.allowed);
	end_head(b);
	v[0] = piece(b->data, b->len);
	accesslog_add(c, call, r.status, 0);
	c->call = NULL;
	transmit(c, v, call, NULL);
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
	c->answer_due = 0; /* until the stream ends: its handler has its own deadline */
	c->queued += b->len;
}
