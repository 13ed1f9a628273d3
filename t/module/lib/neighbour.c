/* neighbour.c - a server on loopback that sends one response to every request. */
#include "neighbour.h"
#include "harness.h"
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

const char *const neighbour_block[] = { "127.0.0.0/8", NULL };

/* Reads a request with its body. */
static void
hear(struct neighbour *n, int fd)
{
	size_t len = 0, want = 0;
	ssize_t got;

	while (len < sizeof(n->heard) - 1 && (want == 0 || len < want)) {
		const char *end, *length;

		got = recv(fd, n->heard + len, sizeof(n->heard) - 1 - len, 0);
		if (got <= 0)
			return;
		len += (size_t)got;
		n->heard[len] = '\0';
		end = strstr(n->heard, "\r\n\r\n");
		length = strstr(n->heard, "Content-Length: ");
		if (end != NULL)
			want = (size_t)(end + 4 - n->heard) +
			       (length != NULL ? strtoul(length + 16, NULL, 10) : 0);
	}
	n->heard_count++;
}

static void *
serve(void *arg)
{
	struct neighbour *n = arg;
	const char *answer;
	char byte;
	int fd;

	while ((fd = accept(n->fd, NULL, NULL)) >= 0) {
		n->connections++;
		answer = n->answer; /* the test that set it has read `heard` by now */
		hear(n, fd);
		if (n->choose != NULL)
			answer = n->choose(n->heard);
		if (answer != NULL)
			(void)send(
			    fd, answer, n->length > 0 ? n->length : strlen(answer), MSG_NOSIGNAL);
		else
			while (n->answer == NULL && recv(fd, &byte, 1, 0) > 0)
				continue;
		close(fd);
	}
	if (errno != EINVAL) /* the error that neighbour_close causes */
		perror("# a neighbour hears nobody any more");
	return NULL;
}

void
neighbour_open(struct neighbour *n)
{
	struct sockaddr_in sa = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(sa);

	memset(n, 0, sizeof(*n));
	n->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(n->fd >= 0);
	assert_int_equal(bind(n->fd, (struct sockaddr *)&sa, len), 0);
	assert_int_equal(getsockname(n->fd, (struct sockaddr *)&sa, &len), 0);
	assert_int_equal(listen(n->fd, 16), 0);
	n->port = ntohs(sa.sin_port);
	n->answer = NEIGHBOUR_ANSWER("200 OK", "5", "hello");
	assert_int_equal(pthread_create(&n->thread, NULL, serve, n), 0);
}

void
neighbour_close(struct neighbour *n)
{
	(void)shutdown(n->fd, SHUT_RDWR);
	(void)pthread_join(n->thread, NULL);
	close(n->fd);
}

struct harness *
neighbour_site_open(struct neighbour *n)
{
	static const struct harness_options options = { .fetch_allow = neighbour_block };

	neighbour_open(n);
	return harness_open(&options);
}

void
neighbour_site_close(struct neighbour *n, struct harness *h)
{
	harness_close(h, false);
	neighbour_close(n);
}

const char *
neighbour_url(const struct neighbour *n, const char *rest)
{
	static char url[128];

	(void)snprintf(url, sizeof(url), "http://127.0.0.1:%d%s", n->port, rest);
	return url;
}
