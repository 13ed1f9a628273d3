/* reject.c - connections that are refused because there are too many. */
#include "net/reject.h"
#include "base/clock.h"
#include "base/log.h"

#include <errno.h>
#include <event2/event.h>
#include <sys/socket.h>
#include <unistd.h>

#define PLACES 64
#define STAY_MS 1000
#define LOOK_MS 20
#define READS 4 /* reads for one connection per tick */

#define BODY                                                      \
	"{\"success\":false,\"error\":{\"code\":\"UNAVAILABLE\"," \
	"\"message\":\"Too many connections, try again later\"}}"
#define BODY_LENGTH "98"
static const char answer[] = "HTTP/1.1 503 Service Unavailable\r\n"
			     "Content-Type: application/json\r\n"
			     "Content-Length: " BODY_LENGTH "\r\n"
			     "Connection: close\r\n"
			     "Retry-After: 1\r\n"
			     "Cache-Control: private, no-store\r\n"
			     "X-Content-Type-Options: nosniff\r\n"
			     "\r\n" BODY;
_Static_assert(sizeof(BODY) - 1 == 98, "the length that the answer says");

/* A fatal alert, internal_error: TLS has none that says "too many connections". */
static const char alert[] = "\x15\x03\x03\x00\x02\x02\x50";

/* A ring of refused sockets, the oldest first. */
static struct {
	struct event *timer; /* runs only while the ring has sockets */
	struct {
		int fd;
		int64_t due; /* clock_monotonic */
	} place[PLACES];
	unsigned first, count;
} leaving;

/* Discards input. Returns false at its end. */
static bool
drain(int fd)
{
	char bytes[4096];
	ssize_t n = 1;

	for (int i = 0; i < READS && n > 0; i++)
		n = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	return n > 0 || (n == -1 && errno == EAGAIN);
}

static void
close_first(void)
{
	close(leaving.place[leaving.first].fd);
	leaving.first = (leaving.first + 1) % PLACES;
	leaving.count--;
}

static void
arm(void)
{
	struct timeval tv = { .tv_usec = LOOK_MS * 1000 };

	stet_assert(evtimer_add(leaving.timer, &tv) == 0);
}

static void
on_look(evutil_socket_t fd, short what, void *arg)
{
	int64_t now = clock_monotonic();
	unsigned count = leaving.count;

	(void)fd;
	(void)what;
	(void)arg;
	/* Visit each socket once; those that stay go to the end, in their order. */
	for (unsigned i = 0; i < count; i++) {
		int peer = leaving.place[leaving.first].fd;
		int64_t due = leaving.place[leaving.first].due;
		unsigned last;

		if (now >= due || !drain(peer)) {
			close_first();
			continue;
		}
		leaving.first = (leaving.first + 1) % PLACES;
		last = (leaving.first + leaving.count - 1) % PLACES;
		leaving.place[last].fd = peer;
		leaving.place[last].due = due;
	}
	if (leaving.count > 0)
		arm();
}

void
reject_open(struct event_base *base)
{
	if (leaving.timer == NULL)
		leaving.timer = evtimer_new(base, on_look, NULL);
	stet_assert(leaving.timer != NULL); /* out of memory */
}

void
reject(int fd, bool secure)
{
	unsigned at;

	/* The send buffer of a new socket has room for this. */
	if (send(fd, secure ? alert : answer, (secure ? sizeof(alert) : sizeof(answer)) - 1,
		MSG_NOSIGNAL | MSG_DONTWAIT) == -1 ||
	    shutdown(fd, SHUT_WR) == -1 || !drain(fd)) {
		close(fd);
		return;
	}
	if (leaving.count == PLACES)
		close_first();
	if (leaving.count == 0)
		arm();
	at = (leaving.first + leaving.count++) % PLACES;
	leaving.place[at].fd = fd;
	leaving.place[at].due = clock_monotonic() + STAY_MS;
}

void
reject_close(void)
{
	while (leaving.count > 0)
		close_first();
	if (leaving.timer != NULL)
		event_free(leaving.timer);
	leaving.timer = NULL;
}
