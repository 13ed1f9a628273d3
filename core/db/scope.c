/*
 * scope.c - runs a part of a call (stet_scope) whose memory is freed when the part ends, for loops
 * over many rows. If the part fails, its error is kept as text and its memory is freed all the
 * same. The memory stays if the reply points to it: the first bytes of a reply bring headers along.
 */
#include "base/buf.h"
#include "base/log.h"
#include "call/call.h"
#include "call/error.h"
#include "db/rows.h"
#include <stdlib.h>
#include <string.h>

static bool
reply_has_more(const struct call_reply *now, const struct call_reply *before)
{
	return now->headers != before->headers || now->surrogates != before->surrogates ||
	       now->etag != before->etag || now->type != before->type || now->file != before->file;
}

enum stet_status
stet_scope(struct stet_call *call, enum stet_status (*fn)(struct stet_call *, void *), void *arg)
{
	const struct call_mark mark = call_mark(call);
	const struct call_reply reply = call->reply;
	const struct call_commit *after = call->on_commit;
	struct buf text = { 0 };
	enum stet_status status;

	stet_error_clear(call);
	status = fn(call, arg);
	if (status != STET_OK) {
		call->error.status = status;
		error_add(&text, call);
	}
	stet_error_clear(call);
	rows_end_call(call);
	stet_assert(call->on_commit == after);
	if (!reply_has_more(&call->reply, &reply))
		call_release(call, &mark);
	if (status != STET_OK)
		stet_fail(call, status, NULL, "%s", text.data + strcspn(text.data, " ") + 1);
	buf_free(&text);
	return status;
}
