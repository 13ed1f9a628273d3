/* weight.c - counts the memory of a connection other than bodies and large responses. */
#include "net/weight.h"
#include "call/held.h"
#include "call/unsent.h"
#include "op/part.h"

/* Memory of TLS: what OpenSSL keeps for a connection, and for each incomplete or unsent record. */
#define SESSION_SIZE 14336
#define RECORD_SIZE 17408

/* Returns the peak size of a buffer, which keeps that size until it is empty. */
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

/* Counts output below UNSENT_LEAST; lend.c counts the rest. */
static size_t
output_of(struct conn *c)
{
	size_t out = conn_pending(c);

	return fullest(&c->out_most, out < UNSENT_LEAST ? out : UNSENT_LEAST);
}

static size_t
tls_of(struct conn *c)
{
	if (!c->secure)
		return 0;
	c->record = c->record && tls_pending(c->bev);
	return SESSION_SIZE + (c->record ? RECORD_SIZE : 0) +
	       (conn_pending(c) > 0 ? RECORD_SIZE : 0);
}

/* Returns the memory of the call. In its lane this is the amount before its handler ran. */
static size_t
call_of(const struct conn *c)
{
	const struct exchange *x;

	if (c->call == NULL)
		return 0;
	if (c->state == CONN_BODY)
		return held_now(c->call);
	x = op_part(c->call)->io;
	return x != NULL ? atomic_load_explicit(&x->weight, memory_order_relaxed) : 0;
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

static void
on_record(struct tls_watch *watch)
{
	struct conn *c = (struct conn *)((char *)watch - offsetof(struct conn, watch));

	if (!c->record)
		count(c, c->weight + RECORD_SIZE);
	c->record = true;
}

void
weight_begin(struct conn *c)
{
	c->watch.on_record = on_record;
}

void
weight_came(struct conn *c)
{
	(void)fullest(&c->in_most, input_of(c));
}

void
weight_settle(struct conn *c)
{
	size_t now = fullest(&c->in_most, input_of(c)) + output_of(c) + tls_of(c) + call_of(c);

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
