/* transport.c - what the bytes of a connection travel by: a socket, with TLS or without. */
#include "transport.h"
#include "log.h"
#include "tls.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The output leaves over TLS chain by chain: what has left of one shows when all of it has. */
#define RECORD_MAX 16384

static bool
set_up(struct conn *c, struct bufferevent *bev)
{
	c->bev = bev;
	/* With TLS, libevent may keep bytes back in a full input that nothing fetches later: there
	 * it is transport_flow that stops reading. */
	if (!c->secure)
		bufferevent_setwatermark(bev, EV_READ, 0, CONN_INPUT_MAX);
	bufferevent_setwatermark(bev, EV_WRITE, CONN_OUTPUT_MAX / 2, 0);
	return true;
}

bool
transport_open(struct conn *c, evutil_socket_t fd)
{
	struct event_base *base = worker_base(c->set->worker);
	struct bufferevent *bev = c->secure
				      ? tls_accept(base, fd)
				      : bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE);

	if (bev == NULL) {
		close(fd);
		return false;
	}
	return set_up(c, bev);
}

bool
transport_bare(struct conn *c)
{
	struct bufferevent *bev;
	bufferevent_data_cb on_read, on_write;
	bufferevent_event_cb on_event;
	void *arg;
	int fd;

	if (!c->secure || !tls_spoke_http(c->bev))
		return false;
	fd = fcntl(bufferevent_getfd(c->bev), F_DUPFD_CLOEXEC, 0);
	bev = fd == -1
		  ? NULL
		  : bufferevent_socket_new(worker_base(c->set->worker), fd, BEV_OPT_CLOSE_ON_FREE);
	if (bev == NULL) {
		if (fd != -1)
			close(fd);
		return false;
	}
	bufferevent_getcb(c->bev, &on_read, &on_write, &on_event, &arg);
	bufferevent_free(c->bev);
	c->secure = false;
	bufferevent_setcb(bev, on_read, on_write, on_event, arg);
	return set_up(c, bev) && bufferevent_enable(bev, EV_READ) == 0;
}

ssize_t
transport_send(struct conn *c, const struct iovec *v, int count, bool more)
{
	struct msghdr msg = { .msg_iov = (struct iovec *)(uintptr_t)v,
		.msg_iovlen = (size_t)count };
	ssize_t n;

	if (c->secure)
		return 0;
	n = sendmsg(bufferevent_getfd(c->bev), &msg, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
	if (n == -1 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return 0;
	return n;
}

void
transport_lend(
    struct conn *c, const void *bytes, size_t len, evbuffer_ref_cleanup_cb done, void *arg)
{
	struct evbuffer *out = bufferevent_get_output(c->bev);
	const char *at = bytes;
	int bad = 0;

	for (; c->secure && len > RECORD_MAX; at += RECORD_MAX, len -= RECORD_MAX)
		bad |= evbuffer_add_reference(out, at, RECORD_MAX, NULL, NULL);
	bad |= evbuffer_add_reference(out, at, len, done, arg);
	stet_assert(bad == 0); /* out of memory */
}

void
transport_flow(struct conn *c)
{
	size_t len = evbuffer_get_length(bufferevent_get_input(c->bev));
	bool reads = (bufferevent_get_enabled(c->bev) & EV_READ) != 0,
	     wanted = len < CONN_INPUT_MAX;

	if (!c->secure || c->eof || reads == wanted)
		return;
	if (wanted)
		(void)bufferevent_enable(c->bev, EV_READ);
	else
		(void)bufferevent_disable(c->bev, EV_READ);
}

void
transport_half(struct conn *c)
{
	/* TLS has stopped both ways. */
	if (c->secure)
		(void)bufferevent_enable(c->bev, EV_WRITE);
}

void
transport_reset(struct conn *c)
{
	struct linger reset = { .l_onoff = 1 };

	(void)setsockopt(bufferevent_getfd(c->bev), SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
}

void
transport_shut(struct conn *c)
{
	transport_goodbye(c);
	(void)shutdown(bufferevent_getfd(c->bev), SHUT_WR);
}

void
transport_goodbye(struct conn *c)
{
	if (c->secure)
		tls_goodbye(c->bev);
}

uint64_t
transport_taken(const struct conn *c)
{
	int held = 0;

	if (ioctl(bufferevent_getfd(c->bev), SIOCOUTQ, &held) == -1 || held < 0)
		held = 0;
	return c->queued - conn_pending(c) - (uint64_t)held;
}
