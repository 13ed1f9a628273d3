/* scope.c - a part of a call whose memory ends before the call does; and errors that are survived.
 */
#include "base/log.h"
#include "call/call.h"
#include "db/db.h"
#include <stdlib.h>
#include <string.h>

static void
add_error(struct buf *out, const struct stet_call *call)
{
	enum stet_status status = call_outcome(call);
	const struct call_issue *issue = call->error.issues;

	buf_str(out, stet_status_name(status));
	buf_str(out, ": ");
	if (issue == NULL)
		buf_str(
		    out, call->error.text != NULL ? call->error.text : stet_status_text(status));
	for (; issue != NULL; issue = issue->next) {
		buf_str(out, issue->path);
		buf_str(out, *issue->path != '\0' ? ": " : "");
		buf_str(out, issue->message);
		buf_str(out, issue->next != NULL ? "; " : "");
	}
}

char *
stet_error_text(struct stet_call *call)
{
	struct buf out = { 0 };
	char *text;

	if (call->error.status == STET_OK)
		return stet_strdup(call, "");
	add_error(&out, call);
	text = stet_strndup(call, out.data, out.len);
	buf_free(&out);
	return text;
}

void
stet_error_clear(struct stet_call *call)
{
	memset(&call->error, 0, sizeof(call->error));
}

struct call_mark
call_mark(const struct stet_call *call)
{
	const struct arena_block *head = call->arena.head;

	return (struct call_mark){ call->defers, call->arena.head, head != NULL ? head->used : 0,
		call->slots, call->limits };
}

void
call_release(struct stet_call *call, const struct call_mark *mark)
{
	while (call->defers != mark->defers) {
		struct call_defer *d = call->defers;

		call->defers = d->next;
		d->fn(d->arg);
	}
	while (call->arena.head != mark->head) {
		struct arena_block *b = call->arena.head;

		call->arena.head = b->next;
		free(b);
	}
	if (mark->head != NULL)
		mark->head->used = mark->used;
	call->slots = mark->slots;
	call->limits = mark->limits;
}

enum stet_status
stet_scope(struct stet_call *call, enum stet_status (*fn)(struct stet_call *, void *), void *arg)
{
	const struct call_mark mark = call_mark(call);
	const struct call_pair *headers = call->reply.headers;
	struct buf text = { 0 };
	enum stet_status status;

	stet_error_clear(call);
	status = fn(call, arg);
	if (status != STET_OK) {
		call->error.status = status;
		add_error(&text, call);
	}
	stet_error_clear(call);
	db_call_end(call);
	stet_assert(call->reply.headers == headers);
	call_release(call, &mark);
	if (status != STET_OK)
		stet_fail(call, status, NULL, "%s", text.data + strcspn(text.data, " ") + 1);
	buf_free(&text);
	return status;
}
