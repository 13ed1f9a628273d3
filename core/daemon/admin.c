/* admin.c - the listener for monitoring: health, readiness, metrics. */
#include "daemon/admin.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/thread.h"
#include "daemon/scrape.h"
#include "daemon/stuck.h"
#include "http/address.h"
#include "net/listen.h"
#include "site/upgrade.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define TIMEOUT 10 /* seconds that a client may be silent */
#define HEAD_MAX 8192
#define BODY_MAX 0
#define PAUSE_MS 100 /* before connections are taken again */

static struct {
	char *text; /* as configured; NULL: not listening */
	pthread_t thread;
	struct event_base *base;
	struct evhttp *http;
	struct event *wake, *resume;
	int bell; /* eventfd: stop the thread */
} watch;

static atomic_int state = ADMIN_STARTING;

/* ---- responses ---- */

static void
reply(struct evhttp_request *request, int status, const char *type, const struct buf *text)
{
	struct evkeyvalq *headers = evhttp_request_get_output_headers(request);
	struct evbuffer *body = evbuffer_new();
	char length[24];

	stet_assert(body != NULL);
	(void)evhttp_add_header(headers, "Content-Type", type);
	(void)evhttp_add_header(headers, "Cache-Control", "no-store");
	(void)evhttp_add_header(headers, "X-Content-Type-Options", "nosniff");
	(void)snprintf(length, sizeof(length), "%zu", text->len);
	(void)evhttp_add_header(headers, "Content-Length", length);
	/* libevent would send a body to HEAD too. */
	if (evhttp_request_get_command(request) != EVHTTP_REQ_HEAD)
		(void)evbuffer_add(body, text->data, text->len);
	evhttp_send_reply(request, status, NULL, body);
	evbuffer_free(body);
}

static void
say(struct evhttp_request *request, int status, struct buf *text)
{
	reply(request, status, "text/plain; charset=utf-8", text);
	buf_free(text);
}

/* Liveness: the process runs and this thread gets processor time. */
static void
healthz(struct evhttp_request *request, void *arg)
{
	struct buf text = { 0 };

	(void)arg;
	buf_str(&text, "ok\n");
	say(request, 200, &text);
}

/* Send requests here, or elsewhere? */
static void
readyz(struct evhttp_request *request, void *arg)
{
	struct buf text = { 0 }, stuck = { 0 };
	bool ready = false;

	(void)arg;
	switch (atomic_load(&state)) {
	case ADMIN_STARTING:
		buf_str(&text, "starting\n");
		(void)upgrade_told(&text);
		break;
	case ADMIN_DRAINING:
		buf_str(&text, "draining\n");
		break;
	default:
		ready = scrape_ready(&text);
		ready &= !stuck_told(&stuck);
		if (ready)
			buf_str(&text, "ready\n");
		buf_add(&text, stuck.data, stuck.len);
		buf_free(&stuck);
	}
	say(request, ready ? 200 : 503, &text);
}

static void
metrics(struct evhttp_request *request, void *arg)
{
	struct buf text = { 0 };

	(void)arg;
	scrape_write(&text);
	reply(request, 200, "text/plain; version=0.0.4; charset=utf-8", &text);
	buf_free(&text);
}

static void
other(struct evhttp_request *request, void *arg)
{
	struct buf text = { 0 };

	(void)arg;
	buf_str(&text, "There are /healthz, /readyz and /metrics.\n");
	say(request, 404, &text);
}

/* ---- the thread ---- */

static void
on_bell(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)event_base_loopbreak(arg);
}

static void
on_resume(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)evconnlistener_enable(arg);
}

/* Without descriptors the connection stays in the kernel's queue, and the socket ready to be read:
 * the loop would spin, and libevent write a line each time. */
static void
on_refused(struct evconnlistener *listener, void *arg)
{
	struct timeval tv = { .tv_usec = PAUSE_MS * 1000 };

	(void)arg;
	(void)evconnlistener_disable(listener);
	evtimer_add(watch.resume, &tv);
}

static void *
run(void *arg)
{
	if (event_base_dispatch(arg) == -1)
		log_line(STET_ERROR, "the listener of metrics failed");
	return NULL;
}

static void
announce(int fd)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);
	char url[80];

	if (getsockname(fd, (struct sockaddr *)&sa, &len) == -1)
		return;
	address_url("http", (const struct sockaddr *)&sa, url, sizeof(url));
	log_line(STET_INFO, "metrics are at %s/metrics", url);
}

static void
start(const char *address, int fd)
{
	struct evhttp_bound_socket *bound;
	struct evconnlistener *listener;

	watch.base = event_base_new();
	stet_assert(watch.base != NULL);
	watch.http = evhttp_new(watch.base);
	watch.bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	stet_assert(watch.http != NULL && watch.bell != -1);
	evhttp_set_allowed_methods(watch.http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
	evhttp_set_timeout(watch.http, TIMEOUT);
	evhttp_set_max_headers_size(watch.http, HEAD_MAX);
	evhttp_set_max_body_size(watch.http, BODY_MAX);
	stet_assert(evhttp_set_cb(watch.http, "/healthz", healthz, NULL) == 0);
	stet_assert(evhttp_set_cb(watch.http, "/readyz", readyz, NULL) == 0);
	stet_assert(evhttp_set_cb(watch.http, "/metrics", metrics, NULL) == 0);
	evhttp_set_gencb(watch.http, other, NULL);
	watch.wake = event_new(watch.base, watch.bell, EV_READ | EV_PERSIST, on_bell, watch.base);
	stet_assert(watch.wake != NULL && event_add(watch.wake, NULL) == 0);
	bound = evhttp_accept_socket_with_handle(watch.http, fd);
	stet_assert(bound != NULL);
	listener = evhttp_bound_socket_get_listener(bound);
	watch.resume = evtimer_new(watch.base, on_resume, listener);
	stet_assert(watch.resume != NULL);
	evconnlistener_set_error_cb(listener, on_refused);
	watch.text = xstrdup(address);
	announce(fd);
	thread_start(&watch.thread, "stet-watch", run, watch.base);
}

void
admin_stop(void)
{
	uint64_t one = 1;

	if (watch.text == NULL)
		return;
	while (write(watch.bell, &one, sizeof(one)) == -1 && errno == EINTR)
		continue;
	stet_assert(pthread_join(watch.thread, NULL) == 0);
	evhttp_free(watch.http); /* closes the socket */
	event_free(watch.wake);
	event_free(watch.resume);
	event_base_free(watch.base);
	close(watch.bell);
	free(watch.text);
	watch.text = NULL;
}

bool
admin_listen(const char *address)
{
	int fd;

	if (address == NULL) {
		admin_stop();
		return true;
	}
	if (watch.text != NULL && strcmp(address, watch.text) == 0)
		return true;
	/* What cannot be bound leaves the old socket as it is, which may also be in the way. */
	fd = listen_bind(address);
	if (fd == -1 && errno == EADDRINUSE) {
		admin_stop();
		fd = listen_bind(address);
	}
	if (fd == -1) {
		log_line(STET_ERROR, "cannot listen on %s: %s", address, strerror(errno));
		return false;
	}
	admin_stop();
	start(address, fd);
	return true;
}

void
admin_state(enum admin_state now)
{
	atomic_store(&state, (int)now);
}
