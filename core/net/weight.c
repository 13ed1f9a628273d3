/* weight.c - counts what a connection holds beside bodies and larger answers. */
#include "net/weight.h"
#include "call/held.h"
#include "call/unsent.h"

#define RECORD_SIZE 17408 /* of TLS: OpenSSL has one in memory while it cannot be sent */

/* Buffers keep the size that they had at their fullest until they are empty. */
static size_t
fullest(size_t *most, size_t now)
{
	*most = now == 0 ? 0 : now > *most ? now : *most;
	return *most;
}

static size_t
input_of(const struct conn *c)
{
	return evbuffer_get_length(bufferevent_get_input(c->bev));
}

/* Output is counted by lend.c from UNSENT_LEAST on. */
static size_t
output_of(struct conn *c)
{
	size_t out = conn_pending(c);

	out = fullest(&c->out_most, out < UNSENT_LEAST ? out : UNSENT_LEAST);
	return out > 0 && c->secure ? out + RECORD_SIZE : out;
}

/* While another thread has the call it is what it was before. */
static size_t
call_of(const struct conn *c)
{
	if (c->call == NULL)
		return 0;
	if (c->state == CONN_BODY)
		return held_now(c->call);
	return c->call->io != NULL ? ((const struct exchange *)c->call->io)->weight : 0;
}

void
weight_came(struct conn *c)
{
	(void)fullest(&c->in_most, input_of(c));
}

static void
count(struct conn *c, size_t now)
{
	if (now > c->weight)
		unsent_hold(now - c->weight);
	else if (now < c->weight)
		unsent_release(c->weight - now);
	c->weight = now;
}

void
weight_settle(struct conn *c)
{
	size_t now = fullest(&c->in_most, input_of(c)) + output_of(c) + call_of(c);

	count(c, now < WEIGHT_LEAST ? 0 : now);
}

void
weight_drop(struct conn *c)
{
	count(c, 0);
}

bool
weight_output_waits(const struct conn *c)
{
	size_t out = conn_pending(c);

	return out >= UNSENT_LEAST || (out > 0 && unsent_full());
}

size_t
weight_input_max(const struct conn *c)
{
	switch (c->state) {
	case CONN_CALL:
	case CONN_FILE:
	case CONN_CLOSING:
		return WEIGHT_LEAST;
	case CONN_HEAD:
		return weight_output_waits(c) || unsent_full() ? WEIGHT_LEAST : CONN_INPUT_MAX;
	default:
		return CONN_INPUT_MAX;
	}
}
