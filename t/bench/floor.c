/*
 * floor.c - the floor of `make bench`: what the daemon's connections would cost if there were
 * nothing behind them. The same parser, bufferevents and bytes on the wire; one copy of the body,
 * no site, no route, no call, no SQL.
 *
 *   floor PORT SIZE [THREADS [still | CERTIFICATE KEY]]   answers every GET on 127.0.0.1:PORT (0:
 * any, said on standard output) with SIZE bytes, on THREADS (1) event loops, until it is killed;
 * still: the bytes are sent from where they are, without the copy, as kept answers are; with a
 * CERTIFICATE and its KEY, files of PEM, connections have TLS
 */
#include "http/http1.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define THREADS_MAX 64
#define SIZE_LIMIT (64UL << 20)
#define INPUT_MAX 32768
#define USAGE "usage: floor PORT SIZE [THREADS [still | CERTIFICATE KEY]]"

struct loop {
	struct event_base *base;
	pthread_t thread;
	char *copy; /* the body, copied for each reply as the daemon copies rows; or the body itself
		     */
};

struct client {
	struct bufferevent *bev;
	struct loop *loop;
	size_t scanned;
};

static struct {
	char head[512];
	size_t head_len, size;
	char *body;
	bool still;
} reply;

static SSL_CTX *tls; /* NULL: connections are without TLS */

static _Noreturn void
die(const char *what)
{
	fprintf(stderr, "floor: %s\n", what);
	exit(1);
}

static void
drop(struct client *c)
{
	bufferevent_free(c->bev);
	free(c);
}

/* Writes straight to the socket, unless there is TLS. Only bytes that the kernel does not accept
 * wait in the output buffer. */
static bool
answer(struct client *c)
{
	struct evbuffer *out = bufferevent_get_output(c->bev);
	struct iovec v[2] = { { reply.head, reply.head_len }, { c->loop->copy, reply.size } };
	struct msghdr msg = { .msg_iov = v, .msg_iovlen = 2 };
	size_t sent, head_sent;
	ssize_t n;

	if (!reply.still)
		memcpy(c->loop->copy, reply.body, reply.size);
	n = tls != NULL ? 0 : sendmsg(bufferevent_getfd(c->bev), &msg, MSG_NOSIGNAL);
	if (n == -1 && errno != EAGAIN && errno != EINTR)
		return false;
	sent = n > 0 ? (size_t)n : 0;
	if (sent == reply.head_len + reply.size)
		return true;
	head_sent = sent < reply.head_len ? sent : reply.head_len;
	sent -= head_sent;
	if (evbuffer_add(out, reply.head + head_sent, reply.head_len - head_sent) != 0)
		return false;
	return reply.still ? evbuffer_add_reference(
				 out, reply.body + sent, reply.size - sent, NULL, NULL) == 0
			   : evbuffer_add(out, c->loop->copy + sent, reply.size - sent) == 0;
}

/* Handles one request of the input. Returns 1 if it was answered, 0 if more bytes are needed, -1 to
 * close. */
static int
take(struct client *c, struct evbuffer *in)
{
	char head[HTTP1_HEAD_MAX];
	struct http1_head parsed;
	size_t len = evbuffer_get_length(in);
	const char *text;
	int status;
	long end;

	if (len == 0)
		return 0;
	text =
	    (const char *)evbuffer_pullup(in, len < sizeof(head) ? (ssize_t)len : HTTP1_HEAD_MAX);
	if (text == NULL)
		return -1;
	if (len > sizeof(head))
		len = sizeof(head);
	end = http1_head_end(text, len, &c->scanned, &status);
	if (end <= 0)
		return (int)end;
	memcpy(head, text, (size_t)end);
	c->scanned = 0;
	if (evbuffer_drain(in, (size_t)end) == -1 || !http1_parse(head, (size_t)end, &parsed) ||
	    parsed.method != HTTP_GET || parsed.length > 0 || parsed.chunked || !parsed.keep_alive)
		return -1;
	return answer(c) ? 1 : -1;
}

/* Handles the requests that have arrived, until a response waits for the socket. */
static void
go_on(struct bufferevent *bev, void *arg)
{
	struct client *c = arg;
	struct evbuffer *in = bufferevent_get_input(bev);
	int more = 1;

	while (more > 0 && evbuffer_get_length(bufferevent_get_output(bev)) == 0)
		more = take(c, in);
	if (more == -1)
		drop(c);
}

static void
on_event(struct bufferevent *bev, short what, void *arg)
{
	(void)bev;
	if (what != BEV_EVENT_CONNECTED) /* reported after the handshake of TLS */
		drop(arg);
}

static struct bufferevent *
bufferevent_of(struct event_base *base, evutil_socket_t fd)
{
	SSL *ssl = tls != NULL ? SSL_new(tls) : NULL;

	if (tls == NULL)
		return bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE);
	return ssl == NULL ? NULL
			   : bufferevent_openssl_socket_new(
				 base, fd, ssl, BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);
}

/* Configures TLS like the daemon (core/net/tls.c). */
static void
use_tls(const char *certificate, const char *key)
{
	tls = SSL_CTX_new(TLS_server_method());
	if (tls == NULL || SSL_CTX_use_certificate_chain_file(tls, certificate) != 1 ||
	    SSL_CTX_use_PrivateKey_file(tls, key, SSL_FILETYPE_PEM) != 1)
		die("cannot use the certificate");
	SSL_CTX_set_options(tls, SSL_OP_IGNORE_UNEXPECTED_EOF);
	SSL_CTX_set_mode(tls, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
}

static void
on_accept(
    struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *peer, int len, void *arg)
{
	struct loop *loop = arg;
	struct client *c = calloc(1, sizeof(*c));
	int one = 1;

	(void)listener;
	(void)peer;
	(void)len;
	if (c == NULL)
		die("out of memory");
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	c->loop = loop;
	c->bev = bufferevent_of(loop->base, fd);
	if (c->bev == NULL)
		die("cannot make a bufferevent");
	bufferevent_setcb(c->bev, go_on, go_on, on_event, c);
	bufferevent_setwatermark(c->bev, EV_READ, 0, INPUT_MAX);
	if (bufferevent_enable(c->bev, EV_READ) == -1)
		drop(c);
}

/* Each event loop has a listener of its own; the kernel distributes the connections. Returns the
 * port. */
static int
listen_on(struct loop *loop, int port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	socklen_t len = sizeof(at);
	struct evconnlistener *listener;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	loop->base = event_base_new();
	loop->copy = reply.still ? reply.body : malloc(reply.size + 1);
	if (loop->base == NULL || loop->copy == NULL)
		die("out of memory");
	listener = evconnlistener_new_bind(loop->base, on_accept, loop,
	    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE |
		LEV_OPT_REUSEABLE_PORT,
	    4096, (struct sockaddr *)&at, sizeof(at));
	if (listener == NULL ||
	    getsockname(evconnlistener_get_fd(listener), (struct sockaddr *)&at, &len) == -1)
		die("cannot listen");
	return ntohs(at.sin_port);
}

static void *
run(void *arg)
{
	struct loop *loop = arg;

	if (event_base_dispatch(loop->base) == -1)
		die("the event loop failed");
	return NULL;
}

/* Makes a response whose headers and length are those of the daemon's response for an item. */
static void
make_reply(size_t size)
{
	reply.size = size;
	reply.body = malloc(size + 1);
	if (reply.body == NULL)
		die("out of memory");
	memset(reply.body, 'x', size);
	reply.head_len = (size_t)snprintf(reply.head, sizeof(reply.head),
	    "HTTP/1.1 200 OK\r\n"
	    "Date: Fri, 20 Nov 2026 12:00:00 GMT\r\n"
	    "Content-Type: application/json\r\n"
	    "Content-Length: %zu\r\n"
	    "X-Content-Type-Options: nosniff\r\n"
	    "Referrer-Policy: strict-origin-when-cross-origin\r\n"
	    "Cache-Control: private, no-store\r\n"
	    "X-Request-Id: 01KA0000000000000000000000\r\n"
	    "ETag: \"0123456789abcdef\"\r\n"
	    "\r\n",
	    size);
}

/* Parses an argument as a whole number, at most `max`. */
static unsigned long
number(const char *text, unsigned long max)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || *text == '-' || n > max)
		die(USAGE);
	return n;
}

int
main(int argc, char **argv)
{
	static struct loop loops[THREADS_MAX];
	unsigned long threads, i;
	int port;

	reply.still = argc == 5 && strcmp(argv[4], "still") == 0;
	if (argc == 6)
		use_tls(argv[4], argv[5]);
	if (argc < 3 || (argc > 4 && !reply.still && tls == NULL))
		die(USAGE);
	port = (int)number(argv[1], 65535);
	make_reply(number(argv[2], SIZE_LIMIT));
	threads = argc > 3 ? number(argv[3], THREADS_MAX) : 1;
	if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		die("cannot ignore SIGPIPE");
	for (i = 0; i < threads; i++)
		port = listen_on(&loops[i], port);
	printf("listening on 127.0.0.1:%d\n", port);
	if (threads == 0 || fflush(stdout) == EOF)
		die("nothing to do");
	for (i = 1; i < threads; i++)
		if (pthread_create(&loops[i].thread, NULL, run, &loops[i]) != 0)
			die("cannot start a thread");
	(void)run(&loops[0]);
	return 0;
}
