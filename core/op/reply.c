/* reply.c - renders the reply of a call: the envelope around the handler's output, or the error. */
#include "op/reply.h"
#include "base/log.h"
#include "call/call.h"
#include "call/error.h"
#include "http/condition.h"
#include "http/http1.h"
#include "module/running.h"
#include "op/file.h"
#include "op/idempotency.h"
#include "op/open.h"
#include <string.h>
#include <xxhash.h>

static void
render_error(struct stet_call *call, struct rendered *r)
{
	struct stet_json *j = &call->out;

	j->buf.len = 0;
	j->depth = 0;
	j->comma = false;
	stet_object(j, NULL);
	stet_put_error(call, j);
	stet_close(j);
	r->status = stet_status_http(error_outcome(call));
	r->prefix = "{\"success\":false,\"error\":";
	r->etag = NULL;
}

void
stet_etag_mix(struct stet_call *call, const void *p, size_t len)
{
	XXH128_hash_t h = XXH3_128bits_withSeed(p, len, call->reply.mixed[0]);

	/* never 0, which means "not used", but with negligible probability */
	call->reply.mixed[0] = h.low64 ^ 1;
	call->reply.mixed[1] = call->reply.mixed[1] * 31 + h.high64;
}

static const char *
hexadecimal(struct stet_call *call, uint64_t high, uint64_t low)
{
	static const char hex[] = "0123456789abcdef";
	char *text = stet_alloc(call, 33);

	for (int i = 0; i < 16; i++) {
		text[i] = hex[high >> (60 - 4 * i) & 15];
		text[16 + i] = hex[low >> (60 - 4 * i) & 15];
	}
	return text;
}

static const char *
digest(struct stet_call *call, const char *data, size_t len)
{
	if (call->reply.mixed[0] == 0)
		stet_etag_mix(call, data, len);
	return hexadecimal(call, call->reply.mixed[1], call->reply.mixed[0]);
}

/* Lets the op write its own reply for the failure. Returns true if it has. */
static bool
refused(struct stet_call *call)
{
	struct running running;

	if (call->op == NULL || call->op->row.refuse == NULL)
		return false;
	call->reply.raw.len = 0;
	call->reply.type = NULL;
	call->reply.status = 0;
	call->owner = call->op->owner;
	running_enter(&running, call, call->op->owner, RUNNING_OP, call->op->name);
	call->op->row.refuse(call);
	running_leave(&running);
	return call->reply.type != NULL;
}

const char *
reply_tag(struct stet_call *call)
{
	const struct buf *b = call->reply.type != NULL ? &call->reply.raw : &call->out.buf;

	if (call->reply.etag != NULL)
		return call->reply.etag;
	return b->len > 0 ? digest(call, b->data, b->len) : digest(call, "null", 4);
}

bool
stet_unchanged(struct stet_call *call)
{
	call->reply.etag = reply_tag(call);
	return call->head != NULL &&
	       condition_judge(call->head, &(struct condition_of){ call->reply.etag,
					       CONDITION_UNDATED }) == CONDITION_UNMODIFIED;
}

static bool
tagged(const struct stet_call *call)
{
	return call->head != NULL && call->op != NULL && call->op->row.lane == STET_READ &&
	       (call->op->row.flags & STET_STREAM) == 0 &&
	       (call->head->method == HTTP_GET || call->head->method == HTTP_HEAD);
}

/* A status that forbids a body (204, 304) has no Content-Type either. */
static void
render_raw(const struct stet_call *call, struct rendered *r)
{
	if (call->reply.status != 0)
		r->status = call->reply.status;
	r->type = call->reply.status != 0 && call->reply.raw.len == 0 ? NULL : call->reply.type;
	r->data = call->reply.raw.data;
	r->len = call->reply.raw.len;
}

static bool
render_file(const struct stet_call *call, struct rendered *r)
{
	if (call->error.status != STET_OK || call->reply.file == NULL)
		return false;
	*r = (struct rendered){ .status = 200,
		.type = call->reply.file->type,
		.prefix = "",
		.suffix = "",
		.data = "",
		.etag = call->reply.file->tag,
		.headers = call->reply.headers,
		.file = call->reply.file };
	return true;
}

static int
good_status(const struct stet_call *call)
{
	return call->op != NULL &&
		       ((call->op->row.flags & STET_CREATED) != 0 || call->reply.created)
		   ? 201
		   : 200;
}

/* Returns the part of the envelope before the result. */
static const char *
opening(const struct stet_call *call)
{
	if (call->op != NULL && (call->op->row.flags & STET_DATA_ONLY) != 0)
		return "{\"data\":";
	return "{\"success\":true,\"data\":";
}

void
reply_render(struct stet_call *call, struct rendered *r)
{
	bool failed = call->error.status != STET_OK, raw;

	if (idempotency_render(call, r) || render_file(call, r))
		return;
	if (!failed)
		open_name(call);
	raw = failed ? refused(call) : call->reply.type != NULL;
	*r = (struct rendered){ .status = good_status(call),
		.type = "application/json",
		.headers = call->reply.headers };
	r->prefix = raw ? "" : opening(call);
	r->suffix = raw ? "" : "}";
	r->etag = call->reply.etag;
	if (failed && !raw)
		render_error(call, r);
	if (raw) {
		render_raw(call, r);
	} else {
		r->data = call->out.buf.len > 0 ? call->out.buf.data : "null";
		r->len = call->out.buf.len > 0 ? call->out.buf.len : 4;
		stet_assert(call->out.depth == 0);
	}
	if (!failed && r->etag == NULL && tagged(call))
		r->etag = digest(call, r->data, r->len);
}
