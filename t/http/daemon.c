/* daemon.c - a stetd for tests, and clients that send raw bytes. */
#include "config.h"

#include "daemon.h"
#include "engine.h"
#include "openssl.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef OVER_TLS
#define SCHEME "https"
#else
#define SCHEME "http"
#endif

static bool
comes(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, WAIT_MS) == 1;
}

/* Waits for a descriptor; fails the test if nothing happens. */
static void
wait_for(int fd, short events, const char *what)
{
	if (!comes(fd, events))
		fail_msg("waited in vain for %s", what);
}

/* ---- the daemon ---- */

const char *daemon_modules = "t/plugins/.libs";

const char *
daemon_path(const struct daemon *d, const char *name)
{
	static _Thread_local char path[4][4096];
	static _Thread_local unsigned turn;
	char *out = path[turn++ % 4];

	(void)snprintf(out, sizeof(path[0]), "%s/%s", d->dir, name);
	return out;
}

void
daemon_clock(const struct daemon *d, long long ms)
{
	FILE *file = fopen(daemon_path(d, "clock.next"), "w");

	assert_non_null(file);
	(void)fprintf(file, "%lld\n", ms);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(rename(daemon_path(d, "clock.next"), daemon_path(d, "clock")), 0);
}

void
daemon_put_file(const struct daemon *d, const char *name, const char *text)
{
	FILE *file = fopen(daemon_path(d, name), "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(daemon_path(d, name), 0644), 0);
}

void
daemon_write_conf(struct daemon *d, const char *conf, const char *site)
{
	FILE *file = fopen(daemon_path(d, "stet.conf"), "w");
	char data[sizeof(d->dir) + 8];

	assert_non_null(file);
	(void)fprintf(file, "%s\n", conf != NULL ? conf : "");
	if (conf == NULL || strstr(conf, "listen") == NULL)
#ifdef OVER_TLS
		(void)fprintf(file,
		    "listen = {}\ntls-listen = { \"127.0.0.1:0\" }\n"
		    "tls-certificate = \"%s/test.pem\"\ntls-key = \"%s/test.key\"\n",
		    d->dir, d->dir);
#else
		(void)fprintf(file, "listen = { \"127.0.0.1:0\" }\n");
#endif
	if (conf == NULL || strstr(conf, "workers") == NULL)
		(void)fprintf(file, "workers = 2\n");
	(void)snprintf(data, sizeof(data), "%s/data", d->dir);
	(void)fprintf(file, "site \"main\" {\n data = \"%s\"\n", data);
	/* A test with a server of its own names its database. */
	if (site == NULL || strstr(site, "database = ") == NULL) {
		engine_make(data);
		engine_keys(file, data);
	}
	(void)fprintf(file, "%s\n}\n", site != NULL ? site : "");
	assert_int_equal(fclose(file), 0);
}

static void
run_daemon(const struct daemon *d, int log, int files)
{
	char program[4096], modules[4096], conf[4096];
	const char *build = getenv("STET_BUILD");
	struct rlimit limit = { .rlim_cur = (rlim_t)files, .rlim_max = (rlim_t)files };

	(void)snprintf(program, sizeof(program), "%s/.libs/stetd", build);
	(void)snprintf(modules, sizeof(modules), "%s/%s", build, daemon_modules);
	(void)snprintf(conf, sizeof(conf), "%s/stet.conf", d->dir);
	(void)setenv("STET_MODULE_PATH", engine_modules(modules), 1);
	(void)setenv("STET_PLUGIN_PATH", d->dir, 1);
	/* If the test dies, so does the daemon. */
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	(void)dup2(log, STDERR_FILENO);
	(void)dup2(log, STDOUT_FILENO);
	(void)close(log);
	if (files > 0)
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	(void)execl(program, program, "--config", conf, (char *)NULL);
	_exit(127);
}

struct daemon *
daemon_new(const char *conf, const char *site)
{
	struct daemon *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	assert_non_null(getenv("STET_BUILD"));
	d->log = -1;
	(void)snprintf(d->dir, sizeof(d->dir), "/tmp/stet-http-XXXXXX");
	assert_non_null(mkdtemp(d->dir));
#ifdef OVER_TLS
	openssl_certificate(d->dir, "test", "IP:127.0.0.1");
#endif
	daemon_write_conf(d, conf, site);
	return d;
}

void
daemon_begin(struct daemon *d, int files)
{
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	d->pid = fork();
	assert_true(d->pid >= 0);
	if (d->pid == 0)
		run_daemon(d, ends[1], files);
	close(ends[1]);
	if (d->log >= 0)
		close(d->log);
	d->log = ends[0];
}

void
daemon_run(struct daemon *d, int files)
{
	size_t at = d->said_len;

	daemon_begin(d, files);
	at = daemon_said(d, at, "listening on " SCHEME "://");
	at = daemon_said(d, at, ":");
	(void)daemon_said(d, at, "\n");
	d->port = (int)strtol(d->said + at, NULL, 10);
}

struct daemon *
daemon_start(const char *conf, const char *site, int files)
{
	struct daemon *d = daemon_new(conf, site);

	daemon_run(d, files);
	return d;
}

bool
daemon_hears(struct daemon *d)
{
	ssize_t n;

	if (!comes(d->log, POLLIN))
		fail_msg("waited in vain for stetd to say more than:\n%s",
		    d->said == NULL ? "nothing" : d->said);
	d->said = realloc(d->said, d->said_len + 65537);
	assert_non_null(d->said);
	n = read(d->log, d->said + d->said_len, 65536);
	d->said_len += n > 0 ? (size_t)n : 0;
	d->said[d->said_len] = '\0';
	return n > 0;
}

size_t
daemon_said(struct daemon *d, size_t from, const char *text)
{
	for (;;) {
		const char *found = d->said == NULL ? NULL : strstr(d->said + from, text);

		if (found != NULL)
			return (size_t)(found - d->said) + strlen(text);
		if (!daemon_hears(d))
			fail_msg("stetd ended without saying \"%s\":\n%s", text, d->said + from);
	}
}

void
daemon_signal(struct daemon *d, int number)
{
	assert_int_equal(kill(d->pid, number), 0);
}

size_t
daemon_reload(struct daemon *d)
{
	size_t at = d->said_len;

	daemon_signal(d, SIGHUP);
	(void)daemon_said(d, at, "read again");
	return at;
}

/* Reads the rest of its standard error, which ends with the daemon. */
static void
read_to_end(struct daemon *d)
{
	size_t at = d->said_len;

	while (daemon_hears(d))
		continue;
	(void)!write(STDERR_FILENO, d->said + at, d->said_len - at);
}

int
daemon_ended(struct daemon *d)
{
	int status;

	read_to_end(d);
	assert_int_equal(waitpid(d->pid, &status, 0), d->pid);
	d->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int
remove_one(const char *path, const struct stat *st, int what, struct FTW *ftw)
{
	(void)st;
	(void)what;
	(void)ftw;
	return remove(path);
}

void
daemon_stop(struct daemon *d)
{
	if (d->pid != 0) {
		daemon_signal(d, SIGTERM);
		assert_int_equal(daemon_ended(d), 0);
	}
	close(d->log);
	(void)nftw(d->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(d->said);
	free(d);
}

int
daemon_teardown(void **state)
{
	daemon_stop(*state);
	return 0;
}

void
daemon_file(const struct daemon *d, const char *name)
{
	char path[4096], block[4096];
	int fd = inotify_init1(IN_CLOEXEC);

	(void)snprintf(path, sizeof(path), "%s/%s", d->dir, name);
	assert_true(fd >= 0 && inotify_add_watch(fd, d->dir, IN_CREATE) >= 0);
	while (access(path, F_OK) == -1) {
		wait_for(fd, POLLIN, name);
		assert_true(read(fd, block, sizeof(block)) > 0);
	}
	close(fd);
}

/* ---- clients ---- */

bool
client_try(struct client *c, const struct daemon *d, bool slow)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	int small = 4096;

	memset(c, 0, sizeof(*c));
#ifdef OVER_TLS
	c->tls = openssl_client(d->dir, d->port, &c->fd);
	if (slow)
		assert_int_equal(
		    setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
	return true;
#endif
	in.sin_port = htons((uint16_t)d->port);
	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(c->fd >= 0);
	if (slow)
		assert_int_equal(
		    setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
	return connect(c->fd, (const struct sockaddr *)&in, sizeof(in)) == 0;
}

void
client_open(struct client *c, const struct daemon *d, bool slow)
{
	assert_true(client_try(c, d, slow));
}

void
client_close(struct client *c)
{
	close(c->fd);
	if (c->tls != 0)
		openssl_end(c->tls);
	free(c->in);
	memset(c, 0, sizeof(*c));
	c->fd = -1;
}

void
client_send(struct client *c, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n;

		wait_for(c->fd, POLLOUT, "room to send");
		n = send(c->fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);
		/* The daemon does not read a request to its end if it has refused it. */
		if (n == -1 && (errno == EPIPE || errno == ECONNRESET))
			return;
		if (n == -1 && errno == EAGAIN)
			continue;
		assert_true(n > 0);
		bytes += n;
		len -= (size_t)n;
	}
}

void
client_say(struct client *c, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	assert_true(n >= 0);
	client_send(c, text, (size_t)n);
	free(text);
}

/* Reads some more bytes. Returns false at the end. */
static bool
more(struct client *c)
{
	ssize_t n;

	if (c->cap - c->len < 65537) {
		c->cap = c->cap * 2 + 131072;
		c->in = realloc(c->in, c->cap);
		assert_non_null(c->in);
	}
	wait_for(c->fd, POLLIN, "an answer");
	n = recv(c->fd, c->in + c->len, 65536, 0);
	if (n <= 0)
		return false;
	c->len += (size_t)n;
	c->in[c->len] = '\0';
	return true;
}

static void
take(struct client *c, size_t n)
{
	memmove(c->in, c->in + n, c->len - n + 1);
	c->len -= n;
}

static bool
fill(struct client *c, size_t n)
{
	while (c->len < n)
		if (!more(c))
			return false;
	return true;
}

static void
add_body(struct answer *a, struct client *c, size_t n)
{
	if (a->len + n >= a->cap) {
		a->cap = (a->len + n + 1) * 2;
		a->body = realloc(a->body, a->cap);
		assert_non_null(a->body);
	}
	memcpy(a->body + a->len, c->in, n);
	a->len += n;
	a->body[a->len] = '\0';
	take(c, n);
}

static void
read_chunks(struct client *c, struct answer *a)
{
	for (;;) {
		const char *line;
		size_t size;

		while (c->len == 0 || (line = strstr(c->in, "\r\n")) == NULL)
			if (!more(c))
				return;
		size = strtoul(c->in, NULL, 16);
		take(c, (size_t)(line - c->in) + 2);
		if (!fill(c, size + 2))
			return;
		add_body(a, c, size);
		assert_memory_equal(c->in, "\r\n", 2);
		take(c, 2);
		if (size == 0) {
			a->whole = true;
			return;
		}
	}
}

static void
read_body(struct client *c, struct answer *a)
{
	const char *length = answer_header(a, "Content-Length");
	size_t size;

	if (answer_header(a, "Transfer-Encoding") != NULL) {
		read_chunks(c, a);
		return;
	}
	if (length == NULL) {
		while (more(c))
			continue;
		add_body(a, c, c->len);
		a->whole = true;
		return;
	}
	size = strtoul(length, NULL, 10);
	a->whole = fill(c, size);
	add_body(a, c, a->whole ? size : c->len);
}

bool
client_hears(struct client *c, struct answer *a, bool bare)
{
	const char *end;
	size_t len;

	memset(a, 0, sizeof(*a));
	a->body = calloc(1, 1);
	while (c->len == 0 || (end = strstr(c->in, "\r\n\r\n")) == NULL)
		if (!more(c))
			return false;
	len = (size_t)(end - c->in) + 4;
	a->head = strndup(c->in, len);
	assert_non_null(a->head);
	take(c, len);
	assert_memory_equal(a->head, "HTTP/1.1 ", 9);
	a->status = (int)strtol(a->head + 9, NULL, 10);
	if (bare || a->status == 204 || a->status == 304 || a->status == 100)
		a->whole = true;
	else
		read_body(c, a);
	a->json = json_loadb(a->body, a->len, JSON_DECODE_ANY, NULL);
	return true;
}

void
client_answer(struct client *c, struct answer *a, bool bare)
{
	if (!client_hears(c, a, bare))
		fail_msg("the connection ended before an answer: \"%.*s\"", (int)c->len,
		    c->in != NULL ? c->in : "");
}

const char *
answer_header(const struct answer *a, const char *name)
{
	static _Thread_local char value[4][1024];
	static _Thread_local unsigned turn;
	char *out = value[turn++ % 4];
	const char *line = strstr(a->head, "\r\n");
	size_t len = strlen(name);

	for (; line != NULL && line[2] != '\r'; line = strstr(line + 2, "\r\n")) {
		size_t n;

		if (strncasecmp(line + 2, name, len) != 0 || line[2 + len] != ':')
			continue;
		line += 4 + len;
		n = strcspn(line, "\r");
		assert_true(n < sizeof(value[0]));
		memcpy(out, line, n);
		out[n] = '\0';
		return out;
	}
	return NULL;
}

const char *
answer_code(const struct answer *a)
{
	const char *code =
	    json_string_value(json_object_get(json_object_get(a->json, "error"), "code"));

	return code != NULL ? code : "";
}

void
answer_free(struct answer *a)
{
	free(a->head);
	free(a->body);
	json_decref(a->json);
	memset(a, 0, sizeof(*a));
}

bool
client_ended(struct client *c)
{
	if (c->len > 0)
		return false;
	return !more(c);
}

bool
client_quiet(struct client *c, int ms)
{
	struct pollfd p = { .fd = c->fd, .events = POLLIN };

	return c->len == 0 && poll(&p, 1, ms) == 0;
}

size_t
client_read(struct client *c, char *out, size_t most)
{
	ssize_t n;

	wait_for(c->fd, POLLIN, "bytes");
	n = recv(c->fd, out, most, 0);
	return n > 0 ? (size_t)n : 0;
}

void
ask_more(
    struct daemon *d, struct answer *a, const char *method, const char *path, const char *lines)
{
	struct client c;

	client_open(&c, d, false);
	client_say(
	    &c, "%s %s HTTP/1.1\r\nHost: x\r\n%sConnection: close\r\n\r\n", method, path, lines);
	client_answer(&c, a, strcmp(method, "HEAD") == 0);
	assert_true(client_ended(&c));
	client_close(&c);
}

void
ask(struct daemon *d, struct answer *a, const char *method, const char *path)
{
	ask_more(d, a, method, path, "");
}
