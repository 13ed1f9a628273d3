/* transport.c - how the bytes of a connection travel: by a socket, with TLS or without. */
#include "net/transport.h"
#include "base/log.h"
#include "net/conn.h"
#include "net/loop.h"
#include "net/tls.h"
#include "net/weight.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* With TLS, output leaves its buffer in whole chains, so progress shows only after each chain. */
#define RECORD_MAX 16384

#define READ_MAX 16384 /* bytes read from a socket at a time */

/* Reads from a plain socket: bytes, the end, or an error. If memory is short and the input is full,
 * the connection decides. libevent would make an extra system call and read at most 4 KiB. */
static void
on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct conn *c = arg;
	struct evbuffer *in = bufferevent_get_input(c->bev);
	size_t have = evbuffer_get_length(in), most = weight_input_max(c);
	bufferevent_data_cb on_read;
	bufferevent_event_cb on_event;
	char bytes[READ_MAX];
	ssize_t n;

	(void)what;
	if (have >= most) {
		c->set->go_on(c);
		return;
	}
	n = recv(fd, bytes, most - have < READ_MAX ? most - have : READ_MAX, 0);
	if (n == -1 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return;
	bufferevent_getcb(c->bev, &on_read, NULL, &on_event, &arg);
	if (n > 0) {
		stet_assert(evbuffer_add(in, bytes, (size_t)n) == 0); /* out of memory */
		on_read(c->bev, arg);
		return;
	}
	(void)event_del(c->readable);
	on_event(c->bev, BEV_EVENT_READING | (n == 0 ? BEV_EVENT_EOF : BEV_EVENT_ERROR), arg);
}

static void
set_up(struct conn *c, struct bufferevent *bev)
{
	c->bev = bev;
	c->reads = false;
	bufferevent_setwatermark(bev, EV_WRITE, CONN_OUTPUT_MAX / 2, 0);
	if (c->secure)
		return;
	(void)evbuffer_unfreeze(bufferevent_get_input(bev), 0);
	c->readable = event_new(
	    c->set->loop->base, bufferevent_getfd(bev), EV_READ | EV_PERSIST, on_readable, c);
	stet_assert(c->readable != NULL); /* out of memory */
}

bool
transport_open(struct conn *c, evutil_socket_t fd)
{
	struct event_base *base = c->set->loop->base;
	struct bufferevent *bev;

	weight_begin(c);
	bev = c->secure ? tls_accept(base, fd, &c->watch)
			: bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE);
	if (bev == NULL) {
		close(fd);
		return false;
	}
	set_up(c, bev);
	return true;
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
	bev =
	    fd == -1 ? NULL : bufferevent_socket_new(c->set->loop->base, fd, BEV_OPT_CLOSE_ON_FREE);
	if (bev == NULL) {
		if (fd != -1)
			close(fd);
		return false;
	}
	bufferevent_getcb(c->bev, &on_read, &on_write, &on_event, &arg);
	bufferevent_free(c->bev);
	c->secure = false;
	bufferevent_setcb(bev, on_read, on_write, on_event, arg);
	set_up(c, bev);
	return transport_flow(c);
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

bool
transport_flow(struct conn *c)
{
	bool wanted = evbuffer_get_length(bufferevent_get_input(c->bev)) < weight_input_max(c);

	if (c->eof || c->reads == wanted)
		return true;
	c->reads = wanted;
	if (c->readable != NULL)
		return (wanted ? event_add(c->readable, NULL) : event_del(c->readable)) == 0;
	return (wanted ? bufferevent_enable(c->bev, EV_READ)
		       : bufferevent_disable(c->bev, EV_READ)) == 0;
}

bool
transport_left(const struct conn *c)
{
	struct pollfd p = { .events = POLLRDHUP };

	if (c->reads || c->eof)
		return false;
	p.fd = bufferevent_getfd(c->bev);
	return poll(&p, 1, 0) == 1;
}

long
transport_head(struct conn *c, const char **text, int *status)
{
	struct evbuffer *in = bufferevent_get_input(c->bev);
	size_t first = evbuffer_get_contiguous_space(in), len = evbuffer_get_length(in);
	long end;

	*text = (const char *)evbuffer_pullup(in, (ssize_t)first);
	end = http1_head_end(*text, first, &c->scanned, status);
	if (end == 0 && first < len) {
		*text = (const char *)evbuffer_pullup(in, (ssize_t)len);
		end = http1_head_end(*text, len, &c->scanned, status);
	}
	return end;
}

void
transport_close(struct conn *c)
{
	if (c->readable != NULL)
		event_free(c->readable);
	c->readable = NULL;
	bufferevent_free(c->bev);
	c->bev = NULL;
}

void
transport_half(struct conn *c)
{
	/* TLS has ended in both directions, so the bufferevent must be re-enabled for writing. */
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
