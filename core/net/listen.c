/*
 * listen.c - listening sockets: accepting connections, and dealing them out to the workers. All
 * functions run on the main thread.
 */
#include "net/listen.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/metrics.h"
#include "call/unsent.h"
#include "conf/conf.h"
#include "http/address.h"
#include "net/peers.h"
#include "net/reject.h"
#include "net/worker.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ACCEPT_AT_ONCE 64 /* accepted at once; then other events get their turn */
#define PAUSE_MS 100 /* pause after descriptors, or places for connections, ran out */
#define FULL_MS 1000 /* new connections wait this long for a place, then are refused */

struct listener {
	struct listener *next;
	char *text; /* as configured */
	bool secure; /* with TLS */
	int fd;
	struct event *event;
	bool wanted;
};

static struct event_base *base;
static struct listener *listeners;
static struct event *resume;
static struct worker *const *workers;
static unsigned worker_count, turn;
/* Since when connections wait because all places are taken (clock_monotonic); 0: none known to
 * wait. */
static int64_t full_since;

/* ---- accepting ---- */

/* Logs at most one such line a second. */
static void
complain(const char *what)
{
	static int64_t last;
	int64_t now = clock_monotonic();

	if (last != 0 && now - last < 1000)
		return;
	last = now;
	log_line(STET_WARN, "%s", what);
}

static void
refuse(int fd, bool secure, enum metric counter, const char *why)
{
	metrics_add(counter, 1);
	complain(why);
	reject(fd, secure);
}

/* New connections wait in the kernel's queue while workers close idle ones. Returns true if no
 * place has become free for FULL_MS. */
static bool
full_for_long(void)
{
	int64_t now = clock_monotonic();

	if (full_since == 0)
		full_since = now;
	return now - full_since >= FULL_MS;
}

/* Has the workers close idle connections. */
static void
shed(void)
{
	for (unsigned i = 0; i < worker_count; i++)
		worker_shed(workers[i]);
}

static void
pause_accepting(const char *why)
{
	struct timeval tv = { .tv_usec = PAUSE_MS * 1000 };

	complain(why);
	metrics_add(METRIC_PAUSES, 1);
	for (struct listener *l = listeners; l != NULL; l = l->next)
		(void)event_del(l->event);
	shed();
	evtimer_add(resume, &tv);
}

static void
on_resume(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
	for (struct listener *l = listeners; l != NULL; l = l->next)
		(void)event_add(l->event, NULL);
}

static bool
transient(int error)
{
	switch (error) {
	case EINTR:
	case ECONNABORTED:
	case EPROTO:
	case ENETDOWN:
	case ENOPROTOOPT:
	case EHOSTDOWN:
	case ENONET:
	case EHOSTUNREACH:
	case EOPNOTSUPP:
	case ENETUNREACH:
	case EPERM: /* a firewall forbids it */
		return true;
	default:
		return false;
	}
}

static void
hand_over(const struct listener *l, int fd, const struct sockaddr *sa)
{
	struct address peer;
	int one = 1;

	if (!address_from(sa, &peer)) {
		close(fd);
		return;
	}
	if (peers_full()) {
		refuse(fd, l->secure, METRIC_REFUSED_FULL,
		    "there are too many connections, and none is idle: refused");
		return;
	}
	if (l->secure && unsent_half())
		shed();
	if (l->secure && unsent_full()) {
		refuse(fd, l->secure, METRIC_REFUSED_FULL,
		    "there is no memory for more connections with TLS: refused");
		return;
	}
	if (!peers_admit(&peer)) {
		refuse(fd, l->secure, METRIC_REFUSED_ADDRESS,
		    "an address has too many connections: refused");
		return;
	}
	metrics_add(METRIC_ACCEPTED, 1);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	worker_accept(workers[turn++ % worker_count], fd, sa, l->secure);
}

static void
on_accept(evutil_socket_t socket, short what, void *arg)
{
	struct sockaddr_storage sa;

	(void)what;
	for (int i = 0; i < ACCEPT_AT_ONCE; i++) {
		socklen_t len = sizeof(sa);
		int fd;

		if (!peers_full()) {
			full_since = 0;
		} else if (i > 0 && full_since == 0) {
			return; /* this loop took the last place; nobody may be waiting */
		} else if (!full_for_long()) {
			pause_accepting("there are too many connections: new ones wait");
			return;
		}
		if (full_since != 0 && i == 0)
			shed();
		fd = accept4(socket, (struct sockaddr *)&sa, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd != -1) {
			hand_over(arg, fd, (const struct sockaddr *)&sa);
			continue;
		}
		if (errno == EAGAIN || errno == EWOULDBLOCK) {
			full_since = 0; /* the next connection waits again */
			return;
		}
		if (!transient(errno)) {
			pause_accepting(strerror(errno));
			return;
		}
	}
}

/* ---- sockets ---- */

int
listen_bind(const char *text)
{
	struct sockaddr_storage sa;
	socklen_t len;
	int fd, one = 1;

	if (!address_listen(text, &sa, &len)) {
		errno = EINVAL;
		return -1;
	}
	fd = socket(sa.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd == -1)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) == -1 ||
	    (sa.ss_family == AF_INET6 &&
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one)) == -1) ||
	    bind(fd, (const struct sockaddr *)&sa, len) == -1 || listen(fd, SOMAXCONN) == -1) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

static void
announce(const struct listener *l)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);
	char url[80];

	if (getsockname(l->fd, (struct sockaddr *)&sa, &len) == -1)
		return;
	address_url(l->secure ? "https" : "http", (const struct sockaddr *)&sa, url, sizeof(url));
	log_line(STET_INFO, "listening on %s", url);
}

static int
open_listener(const char *text, bool secure)
{
	struct listener *l = xcalloc(1, sizeof(*l)), **at = &listeners;

	l->fd = listen_bind(text);
	if (l->fd == -1) {
		log_line(STET_ERROR, "cannot listen on %s: %s", text, strerror(errno));
		free(l);
		return -1;
	}
	l->text = xstrdup(text);
	l->secure = secure;
	l->wanted = true;
	l->event = event_new(base, l->fd, EV_READ | EV_PERSIST, on_accept, l);
	stet_assert(l->event != NULL);
	while (*at != NULL)
		at = &(*at)->next;
	*at = l;
	if (workers != NULL) {
		(void)event_add(l->event, NULL);
		announce(l);
	}
	return 0;
}

static void
close_unwanted(void)
{
	struct listener **at = &listeners, *l;

	while ((l = *at) != NULL) {
		if (l->wanted) {
			at = &l->next;
			continue;
		}
		*at = l->next;
		event_free(l->event);
		close(l->fd);
		free(l->text);
		free(l);
	}
}

static struct listener *
listener_of(const char *text, bool secure)
{
	struct listener *l = listeners;

	while (l != NULL && (l->secure != secure || strcmp(l->text, text) != 0))
		l = l->next;
	return l;
}

static void
keep(char *const *texts, bool secure)
{
	struct listener *l;

	for (; *texts != NULL; texts++)
		if ((l = listener_of(*texts, secure)) != NULL)
			l->wanted = true;
}

static unsigned
port_of(const struct sockaddr_storage *sa)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (sa->ss_family == AF_INET) {
		memcpy(&in, sa, sizeof(in));
		return ntohs(in.sin_port);
	}
	memcpy(&in6, sa, sizeof(in6));
	return ntohs(in6.sin6_port);
}

static unsigned
port(const struct listener *l)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);

	return getsockname(l->fd, (struct sockaddr *)&sa, &len) == -1 ? 0 : port_of(&sa);
}

/* Returns true if a socket that is to be closed has this port: the addresses may overlap. */
static bool
overlaps(const char *text)
{
	struct sockaddr_storage sa;
	socklen_t len;

	if (!address_listen(text, &sa, &len))
		return false;
	for (const struct listener *l = listeners; l != NULL; l = l->next)
		if (!l->wanted && port(l) == port_of(&sa))
			return true;
	return false;
}

/* Opens what is missing, but not where an old socket has to be closed first. */
static int
open_missing(char *const *texts, bool secure)
{
	int result = 0;

	for (; *texts != NULL; texts++)
		if (listener_of(*texts, secure) == NULL && !overlaps(*texts) &&
		    open_listener(*texts, secure) == -1)
			result = -1;
	return result;
}

static int
open_all(const struct conf *conf)
{
	int plain = open_missing(conf->listen, false);

	return open_missing(conf->tls_listen, true) == -1 ? -1 : plain;
}

int
listen_open(struct event_base *on, const struct conf *conf)
{
	base = on;
	if (resume == NULL)
		resume = evtimer_new(base, on_resume, NULL);
	stet_assert(resume != NULL);
	reject_open(base);
	peers_limit(conf);
	for (struct listener *l = listeners; l != NULL; l = l->next)
		l->wanted = false;
	keep(conf->listen, false);
	keep(conf->tls_listen, true);
	/* A bad configuration must not take the daemon off the network: keep the old listeners. */
	if (open_all(conf) == -1)
		return -1;
	close_unwanted();
	return open_all(conf);
}

void
listen_start(struct worker *const *w, unsigned count)
{
	workers = w;
	worker_count = count;
	for (struct listener *l = listeners; l != NULL; l = l->next) {
		(void)event_add(l->event, NULL);
		announce(l);
	}
}

unsigned
listen_port(bool secure)
{
	const struct listener *l = listeners;

	while (l != NULL && l->secure != secure)
		l = l->next;
	return l != NULL ? port(l) : 0;
}

void
listen_close(void)
{
	for (struct listener *l = listeners; l != NULL; l = l->next)
		l->wanted = false;
	close_unwanted();
	reject_close();
	if (resume != NULL)
		event_free(resume);
	resume = NULL;
	peers_close();
}
