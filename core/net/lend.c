/* lend.c - output that refers to response bytes instead of copying them. */
#include "net/lend.h"
#include "base/arena.h"
#include "call/call.h"
#include "call/held.h"
#include "call/unsent.h"
#include "net/conn.h"
#include "net/transport.h"
#include "op/answer.h"

#include <stdlib.h>
#include <string.h>

#define SLACK_MAX 65536 /* a block with more unused bytes at its end is shrunk */

struct lent {
	struct caller client;
	uint64_t owed, held; /* as counted in call/unsent.h */
	char *block; /* owned; NULL: the bytes belong to `answer` */
	struct answer *answer;
};

static void
lent_free(const void *data, size_t len, void *arg)
{
	struct lent *l = arg;

	(void)data;
	(void)len;
	unsent_settle(&l->client, l->owed);
	unsent_release(l->held);
	if (l->answer != NULL)
		answer_return(l->answer);
	free(l->block);
	free(l);
}

static void
queue(struct conn *c, const struct lent *what, const char *at, size_t len)
{
	struct lent *l = xmalloc(sizeof(*l));

	*l = *what;
	l->client = c->caller;
	unsent_owe(&l->client, l->owed);
	unsent_hold(l->held);
	c->queued += len;
	transport_lend(c, at, len, lent_free, l);
}

void
lend_block(struct conn *c, char *block, size_t size, const char *at, size_t len)
{
	size_t begin = (size_t)(at - block);
	bool counted = size >= UNSENT_LEAST || conn_pending(c) >= UNSENT_LEAST;

	if (size - (begin + len) > SLACK_MAX) {
		size = begin + len;
		block = xrealloc(block, size);
	}
	queue(c,
	    &(struct lent){ .block = block, .owed = counted ? len : 0, .held = counted ? size : 0 },
	    block + begin, len);
}

void
lend_copy(struct conn *c, const void *at, size_t len)
{
	char *block = memcpy(xmalloc(len), at, len);

	lend_block(c, block, len, block, len);
}

void
lend_answer(struct conn *c, struct answer *answer, const char *at, size_t len)
{
	answer_lend(answer);
	queue(c, &(struct lent){ .answer = answer, .owed = len }, at, len);
}
