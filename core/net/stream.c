/*
 * stream.c - replies that are sent while their handler runs (STET_STREAM). The handler's thread
 * fills `waiting`; the worker takes all of it at once, as one chunk. The handler blocks while more
 * than CONN_OUTPUT_MAX bytes are unsent.
 */
#include "net/stream.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "db/reader.h"
#include "http/http1.h"
#include "net/accesslog.h"
#include "net/conn.h"
#include "net/connqueue.h"
#include "net/lend.h"
#include "net/loop.h"
#include "net/send.h"
#include "net/transport.h"
#include "op/part.h"
#include "op/reply.h"
#include "op/slow.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE_MAX 65536
#define SOON_MS 100 /* a client that blocks the handler for longer is a slow reader */
#define CROWDED_MS 1000 /* limit for slow readers if no other thread is free */

struct stream {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	struct buf waiting; /* written by the handler, not taken by the worker yet */
	size_t unsent; /* taken by the worker, not by the kernel yet */
	bool asked; /* the worker has been told that bytes wait */
	bool dead;
	bool ready; /* `head` is set */
	struct rendered head; /* rendered at the first byte */
	/* For the worker only. */
	bool began, chunked, skip;
	uint64_t bytes;
};

/* ---- the handler's side ---- */

static bool
is_full(const struct stream *s)
{
	return s->waiting.len + s->unsent >= CONN_OUTPUT_MAX;
}

/* Waits for room. Call it under the lock. Returns false at the deadline (clock_monotonic), or if
 * the client is gone. */
static bool
wait_until(struct stream *s, int64_t deadline)
{
	struct timespec until = { .tv_sec = deadline / 1000, .tv_nsec = deadline % 1000 * 1000000 };

	while (!s->dead && is_full(s))
		if (pthread_cond_timedwait(&s->moved, &s->lock, &until) != 0)
			return false;
	return !s->dead;
}

/* Waits for room for a slow reader. Call it under the lock, which is released meanwhile. The pool
 * may start another thread instead of this one, and this thread frees most of its cached memory. */
static bool
wait_long(struct stream *s, int64_t deadline)
{
	bool room;

	pthread_mutex_unlock(&s->lock);
	if (!slow_wait_begins() && deadline > clock_monotonic() + CROWDED_MS)
		deadline = clock_monotonic() + CROWDED_MS;
	reader_rest();
	pthread_mutex_lock(&s->lock);
	room = wait_until(s, deadline);
	pthread_mutex_unlock(&s->lock);
	slow_wait_ends();
	pthread_mutex_lock(&s->lock);
	return room;
}

static bool
wait_for_room(struct stream *s, int64_t deadline)
{
	int64_t soon;

	if (s->dead || !is_full(s))
		return !s->dead;
	soon = clock_monotonic() + SOON_MS;
	if (wait_until(s, soon < deadline ? soon : deadline))
		return true;
	return !s->dead && soon < deadline && wait_long(s, deadline);
}

static void pull(void *);

static bool
push(struct stet_call *call, const void *bytes, size_t len)
{
	struct stream *s = ((struct exchange *)op_part(call)->io)->stream;
	bool room, ask;

	pthread_mutex_lock(&s->lock);
	room = wait_for_room(s, call->deadline);
	ask = room && !s->asked;
	if (room) {
		if (!s->ready) {
			reply_render(call, &s->head);
			s->ready = true;
		}
		buf_add(&s->waiting, bytes, len);
		s->asked = true;
	}
	pthread_mutex_unlock(&s->lock);
	if (ask)
		loop_post(op_part(call)->worker, pull, call);
	return room;
}

/* call->stream */
static bool
write_bytes(struct stet_call *call, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len > 0) {
		size_t piece = len < PIECE_MAX ? len : PIECE_MAX;

		if (!push(call, at, piece))
			return false;
		at += piece;
		len -= piece;
	}
	return true;
}

/* ---- the worker's side ---- */

static void
send_piece(struct conn *c, struct stream *s, struct buf *piece)
{
	struct evbuffer *out = bufferevent_get_output(c->bev);
	int head = 0, tail = 0;

	s->bytes += piece->len;
	if (s->chunked)
		head = evbuffer_add_printf(out, "%zx\r\n", piece->len);
	lend_block(c, piece->data, piece->cap, piece->data, piece->len);
	if (s->chunked)
		tail = evbuffer_add(out, "\r\n", 2);
	stet_assert(head >= 0 && tail == 0); /* out of memory */
	c->queued += (size_t)head + (s->chunked ? 2 : 0);
}

static void
begin(struct conn *c, struct stream *s)
{
	const struct http1_head *head = c->call->head;

	s->began = true;
	s->skip = head->method == HTTP_HEAD;
	s->chunked = head->minor >= 1;
	if (!s->chunked)
		c->last =
		    true; /* without chunks the end of the reply is the end of the connection */
	send_stream_head(c, &s->head, s->chunked);
}

/* Takes the bytes that wait. */
static void
pull(void *arg)
{
	struct stet_call *call = arg;
	struct exchange *x = op_part(call)->io;
	struct stream *s = x->stream;
	struct conn *c = x->conn;
	struct buf piece;

	pthread_mutex_lock(&s->lock);
	piece = s->waiting;
	s->waiting = (struct buf){ 0 };
	s->asked = false;
	pthread_mutex_unlock(&s->lock);
	if (c == NULL) {
		buf_free(&piece);
		return;
	}
	if (!s->began)
		begin(c, s);
	if (s->skip)
		buf_free(&piece);
	else
		send_piece(c, s, &piece);
	stream_moved(c);
	connqueue_settle(c);
}

void
stream_part(struct stet_call *call)
{
	struct exchange *x = op_part(call)->io;
	struct stream *s = x->stream;
	struct buf piece = call->reply.raw;

	if (piece.len == 0)
		return;
	call->reply.raw = (struct buf){ 0 };
	if (!s->began) {
		reply_render(call, &s->head);
		begin(x->conn, s);
	}
	if (s->skip)
		buf_free(&piece);
	else
		send_piece(x->conn, s, &piece);
}

void
stream_moved(struct conn *c)
{
	struct exchange *x = op_part(c->call)->io;
	struct stream *s = x->stream;

	if (s == NULL)
		return;
	pthread_mutex_lock(&s->lock);
	s->unsent = conn_pending(c);
	if (s->waiting.len + s->unsent < CONN_OUTPUT_MAX)
		pthread_cond_signal(&s->moved);
	pthread_mutex_unlock(&s->lock);
}

void
stream_dead(struct exchange *x)
{
	pthread_mutex_lock(&x->stream->lock);
	x->stream->dead = true;
	pthread_cond_broadcast(&x->stream->moved);
	pthread_mutex_unlock(&x->stream->lock);
}

bool
stream_began(const struct exchange *x)
{
	return x->stream->began;
}

bool
stream_end(struct conn *c)
{
	struct stet_call *call = c->call;
	struct exchange *x = op_part(call)->io;
	struct stream *s = x->stream;

	if (!s->began)
		return false;
	if (call->error.status != STET_OK) {
		/* It is too late for an error status. The missing end shows the client that the
		 * reply is incomplete. */
		transport_reset(c);
		accesslog_add(c, call, s->head.status, s->bytes);
		c->call = NULL;
		call_free(call);
		c->broken = true;
		return true;
	}
	stream_part(call); /* in the read lane: the rest */
	if (s->chunked && !s->skip) {
		stet_assert(evbuffer_add(bufferevent_get_output(c->bev), "0\r\n\r\n", 5) == 0);
		c->queued += 5;
	}
	c->answer_due = call->deadline;
	accesslog_add(c, call, s->head.status, s->bytes);
	c->call = NULL;
	call_free(call);
	return true;
}

static void
destroy(void *arg)
{
	struct stream *s = arg;

	pthread_cond_destroy(&s->moved);
	pthread_mutex_destroy(&s->lock);
	buf_free(&s->waiting);
}

void
stream_begin(struct stet_call *call, struct exchange *x)
{
	struct stream *s = arena_alloc(&call->arena, sizeof(*s));
	pthread_condattr_t attr;

	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->moved, &attr);
	pthread_condattr_destroy(&attr);
	stet_defer(call, destroy, s);
	x->stream = s;
	if (call->op->row.lane == STET_SLOW)
		call->stream = write_bytes;
}
