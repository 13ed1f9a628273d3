/*
 * client.c - the load generator of `make bench`: one thread, epoll, keep-alive connections to
 * loopback.
 *
 *   client load PORT CLIENTS SECONDS TOKEN METHOD PATH [BODY]
 *       requests a second and latencies; SIGTERM ends it early
 *   client each PORT CLIENTS NUMBER TOKEN METHOD PATH [BODY]
 *       the same with so many requests instead of seconds
 *   client until PORT TOKEN PATH TEXT TIME
 *       milliseconds from TIME (since the epoch) until the answer has TEXT in its first 4000 bytes
 *   client now
 *       CLOCK_MONOTONIC in microseconds
 *   client first PORT PATH MICROSECONDS
 *       milliseconds from then to the first answer
 *   client idle PORT COUNT TOKEN PATH
 *       one request on each of COUNT connections, then hold them until standard input ends
 *
 * %d in PATH and BODY counts up (in PATH: all over COUNT after a '#'; with #COUNT/SOME the same
 * SOME of them again and again, with #COUNT+BASE from BASE on). Each %w in PATH is another word of
 * the file that WORDS names, the same ones in each run. A TOKEN that begins with "stet=" is the
 * cookie of a session. With PORT as tls:21000 connections have TLS; no certificate is checked.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define REPLY_MAX (4 << 20)
#define SAMPLES_MAX 20000000
#define SECONDS_MAX 3600
#define WORD_MAX 62
#define WORDS_MAX 16 /* of %w in a path */

struct client {
	int fd;
	SSL *tls; /* NULL: a connection without TLS */
	size_t have, need; /* bytes of the reply; need is 0 until its head has arrived */
	bool chunked; /* the reply is chunked: it ends with a chunk of length 0, and need is its
			 minimum */
	int64_t sent;
	char head[4096], tail[5]; /* the last bytes of the reply */
};

static struct {
	int port;
	SSL_CTX *tls; /* NULL: connections are without TLS */
	const char *token, *method, *path, *body;
	uint64_t modulo, some; /* COUNT and SOME of %d in a path; 0: no limit */
	uint64_t base; /* the lowest number for %d in a path */
	uint64_t next, most, done, failed, bytes;
	uint32_t *sample; /* microseconds */
	char *scratch;
	char **word; /* the words for %w */
	size_t words;
} run;

static int64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000) + t.tv_nsec / 1000;
}

static _Noreturn void
die(const char *what)
{
	perror(what);
	exit(1);
}

/* ---- connections ---- */

static int
dial(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)run.port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0)
		die("socket");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The descriptor blocks, so SSL_connect returns after the handshake. */
static void
secure(struct client *c)
{
	if (run.tls == NULL)
		return;
	c->tls = SSL_new(run.tls);
	if (c->tls == NULL || SSL_set_fd(c->tls, c->fd) != 1 || SSL_connect(c->tls) != 1)
		die("TLS");
}

static void
send_bytes(struct client *c, const char *bytes, int len)
{
	if ((c->tls != NULL ? SSL_write(c->tls, bytes, len)
			    : (int)write(c->fd, bytes, (size_t)len)) != len)
		die("write");
}

/* Reads into run.scratch. Returns 0 for a TLS record without bytes of a response. */
static ssize_t
receive_bytes(struct client *c)
{
	int n;

	if (c->tls == NULL)
		return read(c->fd, run.scratch, REPLY_MAX);
	n = SSL_read(c->tls, run.scratch, REPLY_MAX);
	return n <= 0 && SSL_get_error(c->tls, n) == SSL_ERROR_WANT_READ ? 0 : n > 0 ? n : -1;
}

static void
hang_up(struct client *c)
{
	SSL_free(c->tls);
	close(c->fd);
}

/* ---- requests and replies ---- */

/* Returns the template with a number in place of %d. */
static void
expand(char *out, size_t size, const char *template, uint64_t n)
{
	const char *mark = strstr(template, "%d");

	if (mark == NULL)
		snprintf(out, size, "%s", template);
	else
		snprintf(out, size, "%.*s%llu%s", (int)(mark - template), template,
		    (unsigned long long)n, mark + 2);
}

/* Returns the template with a word in place of each %w. A path has at most WORDS_MAX of them. */
static void
put_words(char *out, size_t size, const char *template)
{
	const char *mark;
	size_t len = 0;

	for (; run.words > 0 && (mark = strstr(template, "%w")) != NULL; template = mark + 2)
		len += (size_t)snprintf(out + len, size - len, "%.*s%s", (int)(mark - template),
		    template, run.word[(size_t)random() % run.words]);
	(void)snprintf(out + len, size - len, "%s", template);
}

static void
send_request(struct client *c)
{
	static char text[1 << 20], path[4096], numbered[4096], body[1 << 19];
	uint64_t n = run.next++, item = run.some > 0 ? n % run.some : n;
	bool session = strncmp(run.token, "stet=", 5) == 0;
	int len;

	expand(numbered, sizeof(numbered), run.path,
	    run.base + (run.modulo > 0 ? item * 7919 % run.modulo : item));
	put_words(path, sizeof(path), numbered);
	expand(body, sizeof(body), run.body != NULL ? run.body : "", n);
	len = snprintf(text, sizeof(text),
	    "%s %s HTTP/1.1\r\nHost: localhost\r\n%s %s\r\n%sContent-Length: %zu\r\n\r\n%s",
	    run.method, path, session ? "Cookie:" : "Authorization: Bearer", run.token,
	    *body != '\0' ? "Content-Type: application/json\r\n" : "", strlen(body), body);
	c->have = c->need = 0;
	c->chunked = false;
	c->sent = now_us();
	send_bytes(c, text, len);
}

/* Returns the length of the whole reply once its head has arrived. For a chunked reply: of its head
 * and its last chunk. */
static size_t
reply_length(const char *head, size_t len, bool *chunked)
{
	const char *end = memmem(head, len, "\r\n\r\n", 4), *field;

	if (end == NULL)
		return 0;
	field = strcasestr(head, "\r\nTransfer-Encoding: chunked");
	*chunked = field != NULL && field < end;
	if (*chunked)
		return (size_t)(end - head) + 4 + 5;
	field = strcasestr(head, "\r\nContent-Length:");
	if (field == NULL || field > end)
		return (size_t)(end - head) + 4;
	return (size_t)(end - head) + 4 + strtoul(field + 17, NULL, 10);
}

/* Keeps the last bytes of the reply, whatever pieces it arrives in. */
static void
keep_tail(struct client *c, const char *bytes, size_t n)
{
	size_t take = n < sizeof(c->tail) ? n : sizeof(c->tail);

	memmove(c->tail, c->tail + take, sizeof(c->tail) - take);
	memcpy(c->tail + sizeof(c->tail) - take, bytes + n - take, take);
}

/* Returns true if a reply is complete. */
static bool
receive(struct client *c)
{
	ssize_t n = receive_bytes(c);

	if (n < 0 || (n == 0 && c->tls == NULL))
		die("the daemon closed a connection");
	if (n == 0)
		return false;
	if (c->need == 0) {
		size_t room = sizeof(c->head) - 1 - c->have,
		       take = (size_t)n < room ? (size_t)n : room;

		memcpy(c->head + c->have, run.scratch, take);
		c->head[c->have + take] = '\0';
		c->need = reply_length(c->head, c->have + take, &c->chunked);
	}
	c->have += (size_t)n;
	run.bytes += (uint64_t)n;
	keep_tail(c, run.scratch, (size_t)n);
	if (c->need == 0 || c->have < c->need)
		return false;
	return !c->chunked || memcmp(c->tail, "0\r\n\r\n", sizeof(c->tail)) == 0;
}

/* As receive(), repeated for bytes that TLS has already read from the socket, which epoll does not
 * report. */
static bool
receive_all(struct client *c)
{
	bool whole = receive(c);

	while (!whole && c->tls != NULL && SSL_pending(c->tls) > 0)
		whole = receive(c);
	return whole;
}

static void
count(struct client *c)
{
	if (run.done < SAMPLES_MAX)
		run.sample[run.done] = (uint32_t)(now_us() - c->sent);
	run.done++;
	if (c->head[9] != '2' && strncmp(c->head + 9, "304", 3) != 0) {
		if (run.failed++ == 0)
			fprintf(stderr, "client: %.300s\n", c->head);
	}
}

static int
by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void
report(int64_t us)
{
	size_t n = run.done < SAMPLES_MAX ? run.done : SAMPLES_MAX;

	if (n == 0)
		die("no replies");
	qsort(run.sample, n, sizeof(run.sample[0]), by_value);
	printf("rate=%.0f count=%llu p50=%u p99=%u max=%u failed=%llu bytes=%llu\n",
	    (double)run.done * 1e6 / (double)us, (unsigned long long)run.done, run.sample[n / 2],
	    run.sample[n * 99 / 100], run.sample[n - 1], (unsigned long long)run.failed,
	    (unsigned long long)(run.bytes / run.done));
}

static struct client *
connect_all(int poll, int count)
{
	struct client *all = calloc((size_t)count, sizeof(*all));

	if (all == NULL)
		die("calloc");
	for (int i = 0; i < count; i++) {
		struct epoll_event e = { .events = EPOLLIN, .data.ptr = &all[i] };

		if ((all[i].fd = dial()) < 0)
			die("connect");
		secure(&all[i]);
		if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &e) != 0)
			die("epoll_ctl");
	}
	return all;
}

static volatile sig_atomic_t ended;

static void
end_early(int signal)
{
	(void)signal;
	ended = 1;
}

static int
load(int clients, int seconds)
{
	int poll = epoll_create1(EPOLL_CLOEXEC);
	struct client *all = connect_all(poll, clients);
	int64_t begin = now_us(), end = begin + seconds * INT64_C(1000000);
	int open = 0;

	signal(SIGTERM, end_early);
	for (; open < clients && run.next < run.most; open++)
		send_request(&all[open]);
	while (open > 0) {
		struct epoll_event e[256];
		int n = epoll_wait(poll, e, 256, 10000);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			die("the daemon does not answer");
		for (int i = 0; i < n; i++) {
			struct client *c = e[i].data.ptr;

			if (!receive_all(c))
				continue;
			count(c);
			if (run.next < run.most && !ended && now_us() < end)
				send_request(c);
			else
				open--;
		}
	}
	report(now_us() - begin);
	for (int i = 0; i < clients; i++)
		hang_up(&all[i]);
	free(all);
	close(poll);
	return run.failed != 0;
}

static int
first(int64_t since)
{
	struct client c = { .fd = -1 };

	while ((c.fd = dial()) < 0) {
		if (now_us() - since > 10000000)
			die("connect");
		usleep(200);
	}
	send_request(&c);
	while (!receive(&c))
		;
	printf("first=%.1f\n", (double)(now_us() - since) / 1000);
	close(c.fd);
	return 0;
}

static int
until(const char *text, int64_t at)
{
	struct client c = { 0 };
	struct timespec t;
	int64_t ms;

	if ((c.fd = dial()) < 0)
		die("connect");
	for (;;) {
		clock_gettime(CLOCK_REALTIME, &t);
		ms = t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000 - at;
		if (ms > 60000)
			die("it does not come");
		if (ms >= 0) {
			send_request(&c);
			while (!receive(&c))
				;
			if (c.head[9] == '2' && strstr(c.head, text) != NULL)
				break;
		}
		usleep(ms < -10 ? 10000 : 2000);
	}
	printf("%lld\n", (long long)ms);
	close(c.fd);
	return 0;
}

static int
idle(int connections)
{
	struct rlimit r = { 65536, 65536 };
	struct client c = { 0 };
	char byte;

	setrlimit(RLIMIT_NOFILE, &r);
	for (int i = 0; i < connections; i++) {
		if ((c.fd = dial()) < 0)
			die("connect");
		send_request(&c);
		while (!receive(&c))
			;
	}
	printf("idle=%d\n", connections);
	fflush(stdout);
	while (read(0, &byte, 1) > 0)
		;
	return 0;
}

static int
load_as_told(int argc, char **argv)
{
	bool each = *argv[1] == 'e';
	long limit = strtol(argv[4], NULL, 10);
	char *mark = strchr(argv[7], '#');

	run.token = argv[5];
	run.method = argv[6];
	run.path = argv[7];
	if (strlen(run.path) > 4096 - 40 - (size_t)WORDS_MAX * WORD_MAX)
		die("path");
	run.body = argc > 8 ? argv[8] : NULL;
	run.most = each ? (uint64_t)limit : UINT64_MAX;
	if (mark != NULL) {
		*mark = '\0';
		run.modulo = strtoull(mark + 1, &mark, 10);
		run.some = *mark == '/' ? strtoull(mark + 1, NULL, 10) : 0;
		run.base = *mark == '+' ? strtoull(mark + 1, NULL, 10) : 0;
	}
	if (each)
		limit = 3600;
	else if (limit > SECONDS_MAX)
		limit = SECONDS_MAX;
	return load((int)strtol(argv[3], NULL, 10), (int)limit);
}

/* Reads the words from a file: one a line, each at most WORD_MAX bytes, without characters that a
 * URL would escape. */
static void
read_words(const char *path)
{
	FILE *file = fopen(path, "r");
	char word[WORD_MAX + 2];

	if (file == NULL)
		die(path);
	while (fgets(word, sizeof(word), file) != NULL) {
		word[strcspn(word, "\n")] = '\0';
		if (run.words % 1024 == 0)
			run.word = realloc(run.word, (run.words + 1024) * sizeof(*run.word));
		if (run.word == NULL || (run.word[run.words++] = strdup(word)) == NULL)
			die("memory");
	}
	fclose(file);
}

static void
read_port(const char *text)
{
	const bool tls = strncmp(text, "tls:", 4) == 0;

	run.port = (int)strtol(tls ? text + 4 : text, NULL, 10);
	if (!tls)
		return;
	run.tls = SSL_CTX_new(TLS_client_method());
	if (run.tls == NULL)
		die("TLS");
	/* Without this, reading a session ticket, which may arrive at any time, would block until
	 * the next response. */
	SSL_CTX_clear_mode(run.tls, SSL_MODE_AUTO_RETRY);
}

int
main(int argc, char **argv)
{
	run.scratch = malloc(REPLY_MAX);
	run.sample = calloc(SAMPLES_MAX, sizeof(run.sample[0]));
	run.token = "";
	run.method = "GET";
	if (argc == 2 && strcmp(argv[1], "now") == 0)
		return printf("%lld\n", (long long)now_us()) < 0;
	if (run.scratch == NULL || run.sample == NULL || argc < 5)
		goto usage;
	read_port(argv[2]);
	if (getenv("WORDS") != NULL)
		read_words(getenv("WORDS"));
	if ((strcmp(argv[1], "load") == 0 || strcmp(argv[1], "each") == 0) && argc >= 8)
		return load_as_told(argc, argv);
	if (strcmp(argv[1], "until") == 0 && argc == 7) {
		run.token = argv[3];
		run.path = argv[4];
		return until(argv[5], strtoll(argv[6], NULL, 10));
	}
	if (strcmp(argv[1], "first") == 0) {
		run.path = argv[3];
		return first(strtoll(argv[4], NULL, 10));
	}
	if (strcmp(argv[1], "idle") == 0 && argc >= 6) {
		run.token = argv[4];
		run.path = argv[5];
		return idle((int)strtol(argv[3], NULL, 10));
	}
usage:
	fputs("usage: client load|each|until|now|first|idle …, see the top of client.c\n", stderr);
	return 2;
}
