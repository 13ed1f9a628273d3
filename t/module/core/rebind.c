/*
 * rebind.c - DNS rebinding: a resolver on loopback answers with a public address first and this
 * machine's address next, or with both at once. The test runs in a network namespace of its own
 * (Linux, root), where the public address is this machine, too. Elsewhere it is skipped.
 */
#include "inside.h"
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/fetch.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#define PUBLIC "93.184.216.34"
#define PRIVATE "127.0.0.1"
#define NOT_POSSIBLE 77

/* ---- a network of its own ---- */

static bool
address_of(int s, const char *name, const char *address)
{
	struct ifreq r = { 0 };
	struct sockaddr_in in = { .sin_family = AF_INET };

	(void)snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	(void)inet_pton(AF_INET, address, &in.sin_addr);
	memcpy(&r.ifr_addr, &in, sizeof(in));
	if (ioctl(s, SIOCSIFADDR, &r) != 0)
		return false;
	r.ifr_flags = IFF_UP | IFF_RUNNING;
	return ioctl(s, SIOCSIFFLAGS, &r) == 0;
}

static bool
resolver_is_here(void)
{
	char name[] = "/tmp/stet-resolv-XXXXXX";
	static const char text[] = "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n";
	int fd = mkstemp(name);
	bool good = fd != -1 && write(fd, text, sizeof(text) - 1) == (ssize_t)sizeof(text) - 1 &&
		    mount(name, "/etc/resolv.conf", NULL, MS_BIND, NULL) == 0;

	if (fd != -1) {
		close(fd);
		(void)unlink(name);
	}
	return good;
}

static bool
go_apart(void)
{
	int s;
	bool good;

	if (unshare(CLONE_NEWNET | CLONE_NEWNS) != 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || !resolver_is_here())
		return false;
	s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	good = s != -1 && address_of(s, "lo", PRIVATE) && address_of(s, "lo:1", PUBLIC);
	close(s);
	return good;
}

/* ---- the resolver ---- */

/* The addresses in the response to the first query for a name, and in later responses. */
static const struct name {
	const char *label; /* first label of the name */
	const char *first[3], *then[3];
} names[] = {
	{ "turns", { PUBLIC }, { PRIVATE } },
	{ "private", { PRIVATE }, { PRIVATE } },
	{ "both", { PRIVATE, PUBLIC }, { PRIVATE, PUBLIC } },
	{ "good", { PUBLIC }, { PUBLIC } },
	{ "nothing", { NULL }, { NULL } },
};
#define NAMES (sizeof(names) / sizeof(names[0]))

struct resolver {
	int fd;
	_Atomic int asked[NAMES]; /* number of queries for IPv4 addresses */
};

static size_t
put_address(unsigned char *out, const char *address)
{
	static const unsigned char head[] = { 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4 };

	memcpy(out, head, sizeof(head));
	(void)inet_pton(AF_INET, address, out + sizeof(head));
	return sizeof(head) + 4;
}

/* Replaces a query by its response; returns the length. */
static size_t
answer(struct resolver *r, unsigned char *packet, size_t len)
{
	size_t end = 12, label = packet[12], count = 0;
	unsigned type;

	while (end < len && packet[end] != 0)
		end += packet[end] + 1u;
	end += 5;
	if (end > len)
		return 0;
	type = packet[end - 4] * 256u + packet[end - 3];
	packet[2] = 0x84;
	packet[3] = 0;
	memset(packet + 6, 0, 6);
	len = end;
	for (size_t i = 0; i < NAMES && type == 1; i++) {
		const char *const *list;

		if (strlen(names[i].label) != label ||
		    memcmp(names[i].label, packet + 13, label) != 0)
			continue;
		list = r->asked[i]++ == 0 ? names[i].first : names[i].then;
		for (; list[count] != NULL; count++)
			len += put_address(packet + len, list[count]);
	}
	packet[7] = (unsigned char)count;
	return len;
}

static void *
resolve(void *arg)
{
	struct resolver *r = arg;
	unsigned char packet[1024];
	struct sockaddr_in from;

	for (;;) {
		socklen_t size = sizeof(from);
		ssize_t n = recvfrom(r->fd, packet, 512, 0, (struct sockaddr *)&from, &size);
		size_t len = n > 12 ? answer(r, packet, (size_t)n) : 0;

		if (n < 0 && errno != EINTR)
			return NULL;
		if (len > 0)
			(void)sendto(r->fd, packet, len, 0, (struct sockaddr *)&from, size);
	}
}

/* ---- the server behind both addresses ---- */

struct server {
	int fd, port;
	char redirect[200]; /* response to requests of /turn */
	_Atomic int public, private; /* connections to each address */
};

static void
serve_one(struct server *s, int c)
{
	static const char hello[] =
	    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
	    "5\r\nConnection: close\r\n\r\nhello";
	struct sockaddr_in at;
	socklen_t size = sizeof(at);
	char heard[2000] = "", address[20];
	ssize_t n;

	assert_int_equal(getsockname(c, (struct sockaddr *)&at, &size), 0);
	(void)inet_ntop(AF_INET, &at.sin_addr, address, sizeof(address));
	if (strcmp(address, PUBLIC) == 0)
		s->public ++;
	else
		s->private ++;
	n = read(c, heard, sizeof(heard) - 1);
	if (n > 0 && strstr(heard, " /turn ") != NULL)
		(void)!write(c, s->redirect, strlen(s->redirect));
	else if (n > 0)
		(void)!write(c, hello, sizeof(hello) - 1);
	close(c);
}

static void *
serve(void *arg)
{
	struct server *s = arg;
	int c;

	while ((c = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC)) != -1)
		serve_one(s, c);
	return NULL;
}

static int
bound(int type, int port, int *chosen)
{
	struct sockaddr_in any = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	socklen_t size = sizeof(any);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&any, sizeof(any)), 0);
	if (type == SOCK_STREAM)
		assert_int_equal(listen(fd, 16), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&any, &size), 0);
	*chosen = ntohs(any.sin_port);
	return fd;
}

/* ---- asking ---- */

struct asked {
	char url[200];
	int status;
	bool refused;
};

static enum stet_status
fetch(struct stet_call *call, void *arg)
{
	struct asked *a = arg;
	const struct stet_fetch how = { .plain = true, .redirects = 3, .timeout = 5000 };
	struct stet_fetched out;
	enum stet_status status = stet_fetch(call, a->url, &how, &out);

	a->status = out.status;
	a->refused = out.refused;
	return status;
}

static struct asked
ask(struct harness *h, const struct server *s, const char *name, const char *path)
{
	struct asked a = { 0 };

	(void)snprintf(a.url, sizeof(a.url), "http://%s.example:%d%s", name, s->port, path);
	(void)inside_read(h, fetch, &a);
	return a;
}

static void
ask_all(struct harness *h, struct server *s)
{
	struct asked a;

	a = ask(h, s, "good", "/");
	assert_int_equal(a.status, 200);
	assert_int_equal(s->public, 1);
	/* The name resolved to the public address first, and to this machine the second time. */
	(void)snprintf(s->redirect, sizeof(s->redirect),
	    "HTTP/1.1 302 Found\r\nLocation: http://turns.example:%d/secret\r\n"
	    "Content-Length: 0\r\nConnection: close\r\n\r\n",
	    s->port);
	a = ask(h, s, "turns", "/turn");
	assert_int_equal(s->public, 2);
	a = ask(h, s, "turns", "/secret");
	assert_true(a.refused);
	a = ask(h, s, "private", "/");
	assert_true(a.refused);
	/* The name has two addresses; only the public one may be used. */
	(void)ask(h, s, "both", "/");
	a = ask(h, s, "nothing", "/");
	assert_int_equal(a.status, 0);
	assert_int_equal(s->private, 0);
}

static int
apart(void)
{
	static struct resolver r;
	static struct server s;
	struct harness *h;
	pthread_t thread;
	int port;

	if (!go_apart())
		return NOT_POSSIBLE;
	r.fd = bound(SOCK_DGRAM, 53, &port);
	s.fd = bound(SOCK_STREAM, 0, &s.port);
	assert_int_equal(pthread_create(&thread, NULL, resolve, &r), 0);
	assert_int_equal(pthread_create(&thread, NULL, serve, &s), 0);
	h = harness_open(NULL);
	ask_all(h, &s);
	harness_close(h, false);
	return 0;
}

static void
a_name_that_turns_private_is_not_followed(void **state)
{
	pid_t pid;
	int status;

	(void)state;
	if (getenv("STET_RECORD") != NULL)
		return;
	(void)fflush(NULL);
	if ((pid = fork()) == 0)
		_exit(apart());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NOT_POSSIBLE)
		print_message("# skipped: no network of its own may be made here\n");
	else
		assert_int_equal(WEXITSTATUS(status), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(
	    a_name_that_turns_private_is_not_followed) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
