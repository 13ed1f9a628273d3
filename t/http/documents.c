/*
 * documents.c - clients whose id is the URL of a document, used by sixteen at once while the server
 * of the document does not respond. The document is fetched once, few threads wait, and all other
 * requests are served. The server is a process, which is stopped to make it silent.
 */
#include "openssl.h"
#include "remote.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 16
#define FETCHES 2 /* fetches at the same time */
#define WAITING 1 /* requests that wait for the fetch of another request */
#define HEAD "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n"

static struct daemon *d;
static struct {
	char dir[32];
	pid_t server;
	int port, out;
} site;

static int
begin(void **state)
{
	char more[128];

	(void)state;
	(void)snprintf(site.dir, sizeof(site.dir), "/tmp/stet-docs-XXXXXX");
	assert_non_null(mkdtemp(site.dir));
	openssl_certificate(site.dir, "good", "IP:127.0.0.1");
	site.server = openssl_files(site.dir, "good", &site.out, &site.port);
	(void)snprintf(more, sizeof(more),
	    "base-url = \"http://localhost\"\nfetch-allow = { \"127.0.0.1\" }\nfetch-ca = "
	    "\"%s/ca.pem\"\n",
	    site.dir);
	daemon_modules = "modules/.libs";
	d = remote_new("trusted-proxies = { \"127.0.0.1\" }\nslow-threads = 4\n", more);
	daemon_run(d, 0);
	return 0;
}

static int
end(void **state)
{
	(void)state;
	daemon_stop(d);
	openssl_end(site.server);
	close(site.out);
	openssl_forget(site.dir);
	return 0;
}

/* From here on the server does not respond. */
static void
silence(void)
{
	int status;

	assert_int_equal(kill(site.server, SIGSTOP), 0);
	assert_int_equal(waitpid(site.server, &status, WUNTRACED), site.server);
	assert_true(WIFSTOPPED(status));
}

static void
path_of(char path[128], const char *name)
{
	(void)snprintf(path, 128, "%s/%s", site.dir, name);
}

/* Writes the document into a file or a pipe, from which the server reads it. */
static void
serve(const char *name)
{
	char path[128];
	FILE *f;

	path_of(path, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f,
	    HEAD "{\"client_id\":\"https://127.0.0.1:%d/%s\",\"client_name\":\"D\","
		 "\"grant_types\":[\"urn:ietf:params:oauth:grant-type:device_code\"]}",
	    site.port, name);
	fclose(f);
}

/* ---- devices that ask, each from an address of its own ---- */

static void
device_say(struct remote *r, int address, const char *name)
{
	char body[200];

	remote_open(r, d, NULL);
	(void)snprintf(r->more, sizeof(r->more), "X-Forwarded-For: 192.0.2.%d\r\n", address + 1);
	if (name[0] == '/')
		(void)snprintf(body, sizeof(body), "{\"client_id\":\"https://127.0.0.1:%d%s\"}",
		    site.port, name);
	else
		(void)snprintf(body, sizeof(body), "{\"client_id\":\"%s\"}", name);
	remote_say(r, "POST", body, "/oauth/device/code");
}

/* Receives the response and returns its status. A 503 must say when to try again. */
static int
device_hear(struct remote *r)
{
	struct answer a;
	int status;

	remote_hear(r, &a);
	status = a.status;
	if (status == 503) {
		assert_string_equal(answer_header(&a, "Retry-After"), "5");
		assert_non_null(strstr(a.body, "\"temporarily_unavailable\""));
	}
	answer_free(&a);
	remote_close(r);
	return status;
}

static int
device(const char *name)
{
	struct remote r;

	device_say(&r, 100, name);
	return device_hear(&r);
}

/* Waits for so many responses, each of which must refuse with Retry-After. The other requests stay
 * open. */
static void
await_refusals(struct remote *r, bool *heard, int want)
{
	while (want > 0) {
		struct pollfd fds[MANY];

		for (int i = 0; i < MANY; i++)
			fds[i] = (struct pollfd){ heard[i] ? -1 : r[i].client.fd, POLLIN, 0 };
		assert_true(poll(fds, MANY, 30000) > 0);
		for (int i = 0; i < MANY; i++)
			if (fds[i].revents != 0) {
				assert_int_equal(device_hear(&r[i]), 503);
				heard[i] = true;
				want--;
			}
	}
	assert_int_equal(want, 0);
}

/* A browser gets the same refusal as a page. */
static void
assert_page_says_when_to_come_again(void)
{
	struct client c;
	struct answer a;

	client_open(&c, d, false);
	client_say(&c,
	    "GET /_cms/oauth/authorize?client_id=https%%3A%%2F%%2F127.0.0.1%%3A%d%%2Fslow.json"
	    "&redirect_uri=https://client.example/back HTTP/1.1\r\nHost: localhost\r\n\r\n",
	    site.port);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 503);
	assert_string_equal(answer_header(&a, "Retry-After"), "5");
	assert_non_null(strstr(a.body, "try again"));
	answer_free(&a);
	client_close(&c);
}

static void
pipe_of(const char *name)
{
	char path[128];

	path_of(path, name);
	assert_int_equal(mkfifo(path, 0600), 0);
}

static void *
serve_once(void *arg)
{
	(void)arg;
	serve("slow.json");
	return NULL;
}

/* ---- tests ---- */

static void
of_many_first_requests_for_a_silent_document_two_wait(void **state)
{
	struct remote r[MANY];
	bool heard[MANY] = { false };
	pthread_t writer;

	(void)state;
	/* The pipe can be read once, so a second fetch of the document would get nothing. */
	pipe_of("slow.json");
	assert_int_equal(pthread_create(&writer, NULL, serve_once, NULL), 0);
	silence();
	for (int i = 0; i < MANY; i++)
		device_say(&r[i], i, "/slow.json");
	await_refusals(r, heard, MANY - 1 - WAITING);
	/* One request fetches and one waits; the slow lane has threads left for others. */
	assert_int_equal(device("tool"), 200);
	assert_page_says_when_to_come_again();
	assert_int_equal(kill(site.server, SIGCONT), 0);
	for (int i = 0; i < MANY; i++)
		if (!heard[i])
			assert_int_equal(device_hear(&r[i]), 200);
	assert_int_equal(device("/slow.json"), 200);
	assert_int_equal(pthread_join(writer, NULL), 0);
}

static void
of_many_silent_documents_two_are_fetched_at_once(void **state)
{
	struct remote r[MANY];
	bool heard[MANY] = { false };
	char name[20];

	(void)state;
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "%d.json", i);
		serve(name);
	}
	silence();
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "/%d.json", i);
		device_say(&r[i], i, name);
	}
	await_refusals(r, heard, MANY - FETCHES);
	assert_int_equal(device("tool"), 200);
	assert_int_equal(kill(site.server, SIGCONT), 0);
	for (int i = 0; i < MANY; i++)
		if (!heard[i])
			assert_int_equal(device_hear(&r[i]), 200);
}

/* Writes a document until its reader is gone. */
static void *
pour(void *path)
{
	static const char spaces[4096] = { [0 ... sizeof(spaces) - 1] = ' ' };
	int fd = open(path, O_WRONLY);
	ssize_t n = fd >= 0 ? write(fd, HEAD, strlen(HEAD)) : -1;

	while (n > 0)
		n = write(fd, spaces, sizeof(spaces));
	if (fd >= 0)
		close(fd);
	return NULL;
}

/* A fetch ends after 10 KiB or five seconds. The failure is cached, so that no request waits for
 * the document again. */
static void
documents_that_never_end_or_never_begin_are_given_up(void **state)
{
	pthread_t writer;
	struct remote r[2];
	char path[128];

	(void)state;
	(void)signal(SIGPIPE, SIG_IGN);
	path_of(path, "endless.json");
	pipe_of("endless.json");
	assert_int_equal(pthread_create(&writer, NULL, pour, path), 0);
	assert_int_equal(device("/endless.json"), 401);
	assert_int_equal(pthread_join(writer, NULL), 0);

	silence();
	device_say(&r[0], 0, "/never.json");
	device_say(&r[1], 1, "/never.json");
	assert_int_equal(device_hear(&r[0]), 401);
	assert_int_equal(device_hear(&r[1]), 401);
	assert_int_equal(kill(site.server, SIGCONT), 0);

	assert_int_equal(unlink(path), 0);
	serve("endless.json");
	serve("never.json");
	assert_int_equal(device("/endless.json"), 401);
	assert_int_equal(device("/never.json"), 401);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(of_many_first_requests_for_a_silent_document_two_wait),
		TEST(of_many_silent_documents_two_are_fetched_at_once),
		TEST(documents_that_never_end_or_never_begin_are_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
