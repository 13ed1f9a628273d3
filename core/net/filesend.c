/*
 * filesend.c - sends a file as fast as the peer takes it. Without TLS the kernel copies it from the
 * file to the socket; with TLS it is read in pieces. libevent's file segments are not used: they
 * treat a full socket as closed, and for TLS they map the file, so that truncating it would kill
 * the process. Parts that are not in the page cache are first read in the slow lane, so that the
 * worker never waits for the disk.
 */
#include "net/filesend.h"
#include "base/arena.h"
#include "base/log.h"
#include "call/call.h"
#include "call/metrics.h"
#include "net/accesslog.h"
#include "net/conn.h"
#include "net/lend.h"
#include "net/loop.h"
#include "net/send.h"
#include "net/transport.h"
#include "op/file.h"
#include "op/slow.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#define TURN ((size_t)512 << 10) /* bytes sent before other connections get their turn */
#define PIECE ((size_t)64 << 10)
#define WINDOW ((uint64_t)1 << 20) /* bytes checked, and read from the disk, at a time */

enum moved {
	MOVED_ALL,
	MOVED_SOME, /* the turn is over or the output is full: more later */
	MOVED_BROKEN /* the peer is gone, or the file cannot be read */
};

/* Logs that the file cannot be read, or is shorter than announced in the head. */
static enum moved
failed(const struct conn *c, ssize_t n)
{
	stet_log(c->call, STET_ERROR, "a file that was being sent %s",
	    n == 0 ? "became shorter" : strerror(errno));
	return MOVED_BROKEN;
}

static bool
is_gone(int error)
{
	return error == EPIPE || error == ECONNRESET || error == ENOTCONN || error == ETIMEDOUT;
}

/* ---- from the disk ---- */

struct fill {
	struct loop *loop;
	struct conn *conn; /* for the worker thread only; NULL: closed */
	int fd; /* owned: a duplicate */
	uint64_t from, to;
};

/* The range is in memory. Runs on the worker. */
static void
fill_done(void *arg)
{
	struct fill *fill = arg;
	struct conn *c = fill->conn;

	if (c != NULL) {
		c->call->reply.file->fill = NULL;
		c->began = true; /* the time that the disk takes does not count against the peer */
		c->set->go_on(c);
	}
	close(fill->fd);
	free(fill);
}

/* Reads the range into the page cache. Runs in the slow lane. A read error is ignored here: the
 * sending thread meets it again. */
static void
fill_run(void *arg)
{
	struct fill *fill = arg;
	char *piece = xmalloc(PIECE);
	uint64_t at = fill->from;
	ssize_t n = 1;

	while (at < fill->to && (n > 0 || errno == EINTR)) {
		n = pread(fill->fd, piece, PIECE, (off_t)at);
		at += n > 0 ? (uint64_t)n : 0;
	}
	free(piece);
	/* Prefetch the next window while these bytes are sent. */
	(void)readahead(fill->fd, (off_t)fill->to, WINDOW);
	loop_post(fill->loop, fill_done, fill);
}

static bool
fill_begin(struct conn *c, struct file *f)
{
	struct fill *fill = xmalloc(sizeof(*fill));

	*fill = (struct fill){ .loop = c->set->loop,
		.conn = c,
		.fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 0),
		.from = f->at,
		.to = f->here };
	if (fill->fd >= 0 && slow_submit_idle(fill_run, fill)) {
		metrics_add(METRIC_FILE_READS, 1);
		f->fill = fill;
		return true;
	}
	if (fill->fd >= 0)
		close(fill->fd);
	free(fill);
	return false;
}

/* Tests only the first and the last byte of the window, since the kernel reads neighbouring pages
 * together. */
static bool
in_memory(const struct file *f)
{
	char byte;

	return (file_peek(f, &byte, 1, f->at) != -1 || errno != EAGAIN) &&
	       (file_peek(f, &byte, 1, f->here - 1) != -1 || errno != EAGAIN);
}

/* Returns true if bytes can be sent without waiting for the disk. If no other thread can read
 * them, the worker waits. */
static bool
look(struct conn *c, struct file *f)
{
	if (f->fill != NULL)
		return false;
	if (f->at < f->here)
		return true;
	f->here = f->end - f->at < WINDOW ? f->end : f->at + WINDOW;
	return in_memory(f) || !fill_begin(c, f);
}

/* ---- by the kernel ---- */

static enum moved
send_direct(struct conn *c, struct file *f)
{
	int to = bufferevent_getfd(c->bev);
	size_t turn = TURN;

	while (f->at < f->here && turn > 0) {
		size_t want = f->here - f->at < turn ? (size_t)(f->here - f->at) : turn;
		off_t from = (off_t)f->at;
		ssize_t n = sendfile(to, f->fd, &from, want);

		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1 && errno == EAGAIN)
			return MOVED_SOME;
		if (n == -1 && (errno == EINVAL || errno == ENOSYS)) {
			f->copied = true;
			return MOVED_SOME;
		}
		if (n == -1 && is_gone(errno))
			return MOVED_BROKEN;
		if (n <= 0)
			return failed(c, n);
		f->at += (uint64_t)n;
		c->queued += (uint64_t)n;
		turn -= (size_t)n;
	}
	return f->at == f->end ? MOVED_ALL : MOVED_SOME;
}

/* ---- by us ---- */

static enum moved
send_copied(struct conn *c, struct file *f)
{
	while (f->at < f->here && conn_pending(c) < 2 * PIECE) {
		size_t want = f->here - f->at < PIECE ? (size_t)(f->here - f->at) : PIECE;
		char *piece = xmalloc(want);
		ssize_t n = pread(f->fd, piece, want, (off_t)f->at);

		if (n <= 0) {
			free(piece);
			if (n == -1 && errno == EINTR)
				continue;
			return failed(c, n);
		}
		lend_block(c, piece, want, piece, (size_t)n);
		f->at += (uint64_t)n;
	}
	return f->at == f->end ? MOVED_ALL : MOVED_SOME;
}

/* ---- both ---- */

static void
on_writable(evutil_socket_t fd, short what, void *arg)
{
	struct conn *c = arg;

	(void)fd;
	(void)what;
	c->set->go_on(c);
}

void
filesend_begin(struct conn *c)
{
	struct file *f = c->call->reply.file;

	f->copied = c->secure;
	f->here = f->at;
	/* Tells the kernel to read ahead in larger steps while the bytes at hand are sent. */
	(void)posix_fadvise(f->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	f->writable =
	    event_new(c->set->loop->base, bufferevent_getfd(c->bev), EV_WRITE, on_writable, c);
	stet_assert(f->writable != NULL);
	c->state = CONN_FILE;
}

bool
filesend_waits(const struct conn *c)
{
	return c->state == CONN_FILE && c->call->reply.file->fill != NULL;
}

void
filesend_drop(struct conn *c)
{
	struct stet_call *call = c->call;
	struct file *f = call->reply.file;

	if (f->fill != NULL)
		f->fill->conn = NULL;
	event_free(f->writable);
	f->writable = NULL;
	accesslog_add(c, call, f->part ? 206 : 200, f->at - f->begin);
}

bool
filesend_step(struct conn *c)
{
	struct stet_call *call = c->call;
	struct file *f = call->reply.file;
	enum moved moved;

	/* Bytes already queued must leave first. */
	if ((!f->copied && conn_pending(c) > 0) || !look(c, f))
		return false;
	moved = f->copied ? send_copied(c, f) : send_direct(c, f);
	if (moved == MOVED_BROKEN) {
		transport_reset(c);
		c->broken = true;
		return false;
	}
	if (moved == MOVED_SOME && conn_pending(c) == 0)
		event_add(f->writable, NULL);
	if (moved != MOVED_ALL)
		return false;
	filesend_drop(c);
	c->call = NULL;
	call_free(call);
	return true;
}
