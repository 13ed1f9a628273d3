/* body.c - request bodies: read into memory or into files, or discarded. */
#include "net/body.h"
#include "base/arena.h"
#include "base/buf.h"
#include "call/json.h"
#include "http/http1.h"
#include "http/multipart.h"
#include "net/bodyroom.h"
#include "net/spool.h"

#include <string.h>
#include <strings.h>

#define MAX_DEFAULT (10ULL * 1024 * 1024)
/* A refused request's body up to this size is read and discarded, so that the connection can stay
 * open. */
#define DISCARD_MAX 65536
#define WEIGHED_LEAST 16384 /* smaller bodies are part of the cost of a call */

bool
body_follows(const struct http1_head *head)
{
	return head->chunked || head->length > 0;
}

static void
free_text(void *arg)
{
	struct body *b = arg;

	buf_free(&b->text);
	bodyroom_give(b->held);
}

/* Reserves memory for `more` bytes of text, or fails. */
static enum stet_status
hold(struct body *b, size_t more)
{
	uint64_t grown = buf_cap(&b->text, more) - b->held;

	STET_TRY(bodyroom_take(b->call, grown));
	b->held += grown;
	return STET_OK;
}

static void
free_weight(void *arg)
{
	bodyroom_give(*(uint64_t *)arg);
}

enum stet_status
body_weigh(struct stet_call *call, const char *text, size_t len)
{
	uint64_t bytes = len < WEIGHED_LEAST ? 0 : json_weight(text, len), *weight;

	if (bytes < WEIGHED_LEAST)
		return STET_OK;
	weight = stet_alloc(call, sizeof(*weight));
	*weight = bytes;
	if (*weight > bodyroom_most())
		return stet_fail(call, STET_PAYLOAD_TOO_LARGE, NULL,
		    "The request body has too many values: send it in parts");
	STET_TRY(bodyroom_take(call, *weight));
	stet_defer(call, free_weight, weight);
	return STET_OK;
}

/* Accepts JSON instead of a form. It is kept in memory, so it may not be as large as a file. */
static bool
takes_json(struct body *b, const char *type)
{
	if ((b->call->op->row.flags & STET_OR_JSON) == 0 || type == NULL ||
	    strncasecmp(type, "application/json", 16) != 0 || strchr("; \t", type[16]) == NULL)
		return false;
	b->max = b->max < MAX_DEFAULT ? b->max : MAX_DEFAULT;
	return true;
}

static enum stet_status
choose_sink(struct body *b)
{
	const char *type = http1_header(b->call->head, "content-type");
	uint32_t flags = b->call->op->row.flags;
	char boundary[71];

	if ((flags & STET_MULTIPART) != 0 && !takes_json(b, type)) {
		if (type == NULL || !multipart_boundary(type, boundary))
			return stet_fail(b->call, STET_VALIDATION_ERROR, NULL,
			    "The body must be multipart/form-data with a boundary");
		b->to = TO_SPOOL;
		return spool_new(b->call, type, boundary, &b->spool);
	}
	if ((flags & STET_SPOOL) != 0) {
		b->to = TO_SPOOL;
		return spool_new(b->call, type, NULL, &b->spool);
	}
	b->to = TO_MEMORY;
	stet_defer(b->call, free_text, b);
	return STET_OK;
}

static enum stet_status
too_large(struct body *b)
{
	return stet_fail(b->call, STET_PAYLOAD_TOO_LARGE, NULL,
	    "The request body is larger than %llu bytes", (unsigned long long)b->max);
}

static uint64_t
most_of(struct stet_call *call)
{
	const struct stet_op *op = &call->op->row;

	if (op->body_most != NULL)
		return op->body_most(call);
	return op->body_max != 0 ? op->body_max : MAX_DEFAULT;
}

struct body *
body_open(struct stet_call *call)
{
	const struct http1_head *head = call->head;
	struct body *b = arena_alloc(&call->arena, sizeof(*b));

	b->call = call;
	b->left = head->length;
	if (call->error.status != STET_OK) {
		b->to = TO_NOBODY;
		b->max = DISCARD_MAX;
		return head->expect_continue || head->chunked || head->length > b->max ? NULL : b;
	}
	b->max = most_of(call);
	if (head->length > b->max) {
		(void)too_large(b);
		return NULL;
	}
	return choose_sink(b) == STET_OK ? b : NULL;
}

bool
body_is_whole(const struct body *b, size_t available)
{
	return b->to == TO_MEMORY && b->seen == 0 && !b->call->head->chunked &&
	       available >= b->left;
}

static enum stet_status
take(struct body *b, const char *data, size_t len)
{
	b->seen += len;
	if (b->seen > b->max)
		return too_large(b);
	if (b->to == TO_MEMORY) {
		STET_TRY(hold(b, len));
		buf_add(&b->text, data, len);
	}
	if (b->to == TO_SPOOL && len > 0)
		return spool_write(b->spool, data, len);
	return STET_OK;
}

long
body_feed(struct body *b, const char *in, size_t len)
{
	const char *data = in;
	size_t size = len;
	long used;

	if (b->call->head->chunked) {
		used = http1_chunk(&b->chunks, in, len, &data, &size);
		b->done = b->chunks.done;
		if (used == -1) {
			stet_fail(b->call, STET_INVALID_REQUEST, NULL, "Malformed chunked body");
			return -1;
		}
	} else {
		if (size > b->left)
			size = (size_t)b->left;
		b->left -= size;
		b->done = b->left == 0;
		used = (long)size;
	}
	return take(b, data, size) == STET_OK ? used : -1;
}

bool
body_end(struct body *b)
{
	return b->to != TO_NOBODY && (b->to != TO_SPOOL || spool_end(b->spool) == STET_OK);
}
