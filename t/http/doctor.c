/* doctor.c - stet doctor asks under the base URL: this very site, another one, something else. */
#include "remote.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- something else that listens ---- */

struct other {
	pid_t pid;
	int port;
};

/* A proxy between the client and the daemon. */
struct proxy {
	int port; /* port of the daemon; 0: there is none, and the proxy sends `answer` */
	const char *answer;
	const char *host; /* the Host that it sends on; NULL: the client's */
	const char *forwarded; /* a header line that it adds; NULL: none */
};

static int
local_socket(int port, bool listens)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_true(fd >= 0);
	if (listens) {
		assert_int_equal(bind(fd, (const struct sockaddr *)&in, sizeof(in)), 0);
		assert_int_equal(listen(fd, 8), 0);
	} else
		assert_int_equal(connect(fd, (const struct sockaddr *)&in, sizeof(in)), 0);
	return fd;
}

static void
read_head(int fd, char *head, size_t size)
{
	size_t len = 0;
	ssize_t n;

	head[0] = '\0';
	while (strstr(head, "\r\n\r\n") == NULL && len < size - 1 &&
	       (n = read(fd, head + len, size - 1 - len)) > 0) {
		len += (size_t)n;
		head[len] = '\0';
	}
}

static void
pass_on(int fd, const char *head, const struct proxy *p)
{
	int up = local_socket(p->port, false);
	char buffer[4096];
	ssize_t n;

	for (const char *line = head; *line != '\0' && *line != '\r';) {
		size_t len = strcspn(line, "\n") + 1;

		if (strncmp(line, "Host:", 5) == 0 && p->host != NULL)
			(void)dprintf(up, "Host: %s\r\n", p->host);
		else if (strncmp(line, "X-Forwarded-For:", 16) != 0)
			(void)!write(up, line, len);
		line += len;
	}
	(void)dprintf(up, "%sConnection: close\r\n\r\n", p->forwarded != NULL ? p->forwarded : "");
	while ((n = read(up, buffer, sizeof(buffer))) > 0)
		(void)!write(fd, buffer, (size_t)n);
	close(up);
}

static struct other
other_start(const struct proxy *p)
{
	int fd = local_socket(0, true);
	struct sockaddr_in in;
	socklen_t len = sizeof(in);
	struct other o;
	char head[8192];

	assert_int_equal(getsockname(fd, (struct sockaddr *)&in, &len), 0);
	o.port = ntohs(in.sin_port);
	o.pid = fork();
	assert_true(o.pid >= 0);
	if (o.pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;) {
			int client = accept(fd, NULL, NULL);

			read_head(client, head, sizeof(head));
			if (p->port > 0)
				pass_on(client, head, p);
			else
				(void)!write(client, p->answer, strlen(p->answer));
			close(client);
		}
	}
	close(fd);
	return o;
}

static void
other_stop(struct other *o)
{
	assert_int_equal(kill(o->pid, SIGKILL), 0);
	assert_int_equal(waitpid(o->pid, NULL, 0), o->pid);
}

/* ---- what the doctor says ---- */

/* Checks what the doctor says of a base URL. The daemon does not reload the configuration. */
static void
doctor_says(struct daemon *d, const char *hosts, const char *url, int status, const char *want)
{
	char conf[256], site[512], key[] = "base-url: ";
	struct command c;

	(void)snprintf(conf, sizeof(conf), "listen = { \"127.0.0.1:%d\" }\n", d->port);
	(void)snprintf(site, sizeof(site), "hosts = { %s }\nbase-url = \"%s\"\n", hosts, url);
	daemon_write_conf(d, conf, site);
	command_run(d, &c, (const char *const[]){ "doctor", NULL });
	if (c.status != status || strstr(c.out, key) == NULL || strstr(c.out, want) == NULL)
		fail_msg("%s: wanted %d and \"%s\", but: %d %s%s", url, status, want, c.status,
		    c.out, c.err);
	command_free(&c);
}

static const char *
url_of(const char *scheme, const char *host, int port)
{
	static char url[64];

	(void)snprintf(url, sizeof(url), "%s://%s:%d", scheme, host, port);
	return url;
}

static void
this_very_site_is_known(void **state)
{
	struct daemon *d = remote_new(NULL, NULL);

	(void)state;
	daemon_run(d, 0);
	doctor_says(d, "\"*\"", url_of("http", "127.0.0.1", d->port), 0, " leads here");
	daemon_stop(d);
}

static void
who_leaves_no_proof_learns_nothing(void **state)
{
	struct daemon *d = remote_new(NULL, NULL);
	struct answer a;

	(void)state;
	daemon_run(d, 0);
	ask(d, &a, "GET", API "/auth/site/0123456789abcdef0123456789abcdef");
	assert_int_equal(a.status, 404);
	assert_string_equal(answer_code(&a), "NOT_FOUND");
	answer_free(&a);
	/* A name is no path. */
	ask(d, &a, "GET", API "/auth/site/..%2f..%2fstet.db");
	assert_int_equal(a.status, 404);
	answer_free(&a);
	daemon_stop(d);
}

static void
sites_that_are_swapped_are_told(void **state)
{
	struct daemon *d = remote_new(NULL, NULL);
	char site[256];

	(void)state;
	(void)snprintf(site, sizeof(site),
	    "hosts = { \"127.0.0.1\" }\n}\nsite \"other\" {\n data = \"%s\"\n"
	    "hosts = { \"localhost\" }\n",
	    daemon_path(d, "other"));
	daemon_write_conf(d, NULL, site);
	daemon_run(d, 0);
	doctor_says(d, "\"127.0.0.1\"", url_of("http", "127.0.0.1", d->port), 0, " leads here");
	doctor_says(d, "\"localhost\"", url_of("http", "localhost", d->port), 1,
	    "another stet site answers");
	/* The same with the configuration alone. */
	doctor_says(d, "\"127.0.0.1\"", url_of("http", "localhost", d->port), 1,
	    "is not one of the site's hosts");
	daemon_stop(d);
}

/* The check of the module signin for several values of base-url. All of them name this machine, so
 * no request leaves it, and no server listens there. */
static void
where_people_can_sign_in_is_told(void **state)
{
	static const struct {
		const char *url, *want;
	} cases[] = { { "https://cms.localhost:1",
			  "people can sign in at https://cms.localhost:1" },
		{ "http://localhost:1", "people can sign in at http://localhost:1" },
		{ "http://0.0.0.0:1", "signing in is refused: base-url is http://0.0.0.0:1" },
		{ "https://0.0.0.0:1", "no passkey works at https://0.0.0.0:1" },
		{ "https://[::1]:1", "no passkey works at https://[::1]:1" },
		{ "http://127.0.0.1:1", "no passkey works at http://127.0.0.1:1" } };
	struct daemon *d = remote_new(NULL, NULL);
	char site[128];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct command c;

		(void)snprintf(site, sizeof(site), "base-url = \"%s\"\n", cases[i].url);
		daemon_write_conf(d, NULL, site);
		command_run(d, &c, (const char *const[]){ "doctor", NULL });
		if (strstr(c.out, cases[i].want) == NULL)
			fail_msg(
			    "%s: no \"%s\" in: %s%s", cases[i].url, cases[i].want, c.out, c.err);
		command_free(&c);
	}
	daemon_stop(d);
}

static void
what_is_no_stet_is_told(void **state)
{
	static const struct {
		const char *answer, *want;
	} cases[] = {
		{ "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "with 200, is not stet" },
		{ "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}",
		    "with 404, is not stet" },
		{ "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"data\":{}}", "is not stet" },
		{ "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
		    "a proxy answers 502 for the daemon" },
		{ "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n"
		  "Location: https://example.org/_cms/api/auth/site/1\r\n\r\n",
		    "it redirects to https://example.org" },
		{ "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n"
		  "Location: https://example.org/_cms/api/auth/site/1\r\n\r\n",
		    "should begin with https" },
		{ "nonsense\r\n\r\n", "it cannot be asked" },
	};
	struct daemon *d = remote_new(NULL, NULL);

	(void)state;
	daemon_run(d, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct other o = other_start(&(struct proxy){ .answer = cases[i].answer });

		doctor_says(d, "\"*\"", url_of("http", "127.0.0.1", o.port), 1, cases[i].want);
		other_stop(&o);
		/* The server has stopped listening. */
		if (i == 0)
			doctor_says(d, "\"*\"", url_of("http", "127.0.0.1", o.port), 1,
			    "nobody can be reached");
	}
	doctor_says(d, "\"*\"", url_of("https", "127.0.0.1", d->port), 1, "TLS fails");
	daemon_stop(d);
}

static void
proxies_that_hide_things_are_told(void **state)
{
	struct daemon *d = remote_new("trusted-proxies = { \"127.0.0.1\" }\n", NULL), *deaf;
	struct other o;

	(void)state;
	daemon_run(d, 0);
	o = other_start(&(struct proxy){ .port = d->port, .host = "inner" });
	doctor_says(
	    d, "\"*\"", url_of("http", "127.0.0.1", o.port), 1, "makes the host inner of it");
	doctor_says(
	    d, "\"*\"", url_of("http", "127.0.0.1", o.port), 1, "does not say for whom it asks");
	other_stop(&o);
	o = other_start(&(struct proxy){
	    .port = d->port, .forwarded = "X-Forwarded-For: 192.0.2.1, 198.51.100.7\r\n" });
	doctor_says(d, "\"*\"", url_of("http", "127.0.0.1", o.port), 0, " leads here");
	other_stop(&o);
	daemon_stop(d);

	deaf = remote_new(NULL, NULL);
	daemon_run(deaf, 0);
	o = other_start(&(struct proxy){
	    .port = deaf->port, .forwarded = "X-Forwarded-For: 198.51.100.7\r\n" });
	doctor_says(deaf, "\"*\"", url_of("http", "127.0.0.1", o.port), 1,
	    "the proxy 127.0.0.1 is not believed");
	other_stop(&o);
	daemon_stop(deaf);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_very_site_is_known),
		cmocka_unit_test(who_leaves_no_proof_learns_nothing),
		cmocka_unit_test(sites_that_are_swapped_are_told),
		cmocka_unit_test(where_people_can_sign_in_is_told),
		cmocka_unit_test(what_is_no_stet_is_told),
		cmocka_unit_test(proxies_that_hide_things_are_told),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
