/*
 * providers.c - sign-ins by a provider that does not respond, begun by sixteen at once: one request
 * asks the provider, one waits for it, and all others are served. The provider is a process, which
 * is stopped to make it silent.
 */
#include "openssl.h"
#include "remote.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 16
#define STAY 2 /* one that asks, one that waits */

#define FOLDER "/.well-known"

static struct daemon *d;
static struct {
	char dir[32], issuer[64];
	pid_t server;
	int port, out;
} site;

/* Writes the provider's metadata. */
static void
publish(void)
{
	char path[128];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s" FOLDER, site.dir);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof(path), "%s" FOLDER "/openid-configuration", site.dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f,
	    "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n"
	    "{\"issuer\":\"%s\",\"authorization_endpoint\":\"%s/a\",\"token_endpoint\":\"%s/t\","
	    "\"jwks_uri\":\"%s/k\"}",
	    site.issuer, site.issuer, site.issuer, site.issuer);
	fclose(f);
}

static int
begin(void **state)
{
	char more[128];

	(void)state;
	(void)snprintf(site.dir, sizeof(site.dir), "/tmp/stet-idp-XXXXXX");
	assert_non_null(mkdtemp(site.dir));
	openssl_certificate(site.dir, "good", "IP:127.0.0.1");
	site.server = openssl_files(site.dir, "good", &site.out, &site.port);
	(void)snprintf(site.issuer, sizeof(site.issuer), "https://127.0.0.1:%d", site.port);
	publish();
	(void)snprintf(more, sizeof(more),
	    "base-url = \"http://localhost\"\nfetch-allow = { \"127.0.0.1\" }\nfetch-ca = "
	    "\"%s/ca.pem\"\n",
	    site.dir);
	daemon_modules = "modules/.libs";
	d = remote_new("trusted-proxies = { \"127.0.0.1\" }\nslow-threads = 4\n", more);
	free(COMMAND(d, "oidc", "add", "corp", site.issuer, "client", "--label", "Corp"));
	daemon_run(d, 0);
	return 0;
}

static int
end(void **state)
{
	char path[128];

	(void)state;
	daemon_stop(d);
	openssl_end(site.server);
	close(site.out);
	(void)snprintf(path, sizeof(path), "%s" FOLDER, site.dir);
	openssl_forget(path);
	openssl_forget(site.dir);
	return 0;
}

/* From here on the provider does not respond. */
static void
silence(void)
{
	int status;

	assert_int_equal(kill(site.server, SIGSTOP), 0);
	assert_int_equal(waitpid(site.server, &status, WUNTRACED), site.server);
	assert_true(WIFSTOPPED(status));
}

static void
begin_signin(struct remote *r, int address)
{
	remote_open(r, d, NULL);
	(void)snprintf(r->more, sizeof(r->more), "X-Forwarded-For: 192.0.2.%d\r\n", address + 1);
	remote_say(r, "GET", NULL, "/auth/oauth/corp");
}

static void
assert_sent_to(struct remote *r, const char *where)
{
	struct answer a;

	remote_hear(r, &a);
	assert_int_equal(a.status, 302);
	assert_non_null(strstr(answer_header(&a, "Location"), where));
	answer_free(&a);
	remote_close(r);
}

/* Waits for so many responses, each of which must report that the provider does not respond. */
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
				assert_sent_to(&r[i], "error=provider_failed");
				heard[i] = true;
				want--;
			}
	}
	assert_int_equal(want, 0);
}

/* Requests that need the slow lane, too, but no provider, are served. */
static void
assert_others_go_on(void)
{
	struct remote r;
	struct answer a;

	remote_open(&r, d, NULL);
	remote_ask(&r, &a, "POST", "{\"client_id\":\"tool\"}", "/oauth/device/code");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	remote_close(&r);
}

static void
of_many_signins_by_a_silent_provider_two_wait(void **state)
{
	struct remote r[MANY];
	bool heard[MANY] = { false };

	(void)state;
	silence();
	for (int i = 0; i < MANY; i++)
		begin_signin(&r[i], i);
	await_refusals(r, heard, MANY - STAY);
	assert_others_go_on();
	assert_int_equal(kill(site.server, SIGCONT), 0);
	for (int i = 0; i < MANY; i++)
		if (!heard[i])
			assert_sent_to(&r[i], site.issuer);
	begin_signin(&r[0], 0);
	assert_sent_to(&r[0], site.issuer);
}

static void
many_first_signins_by_a_provider_that_answers_all_go_there(void **state)
{
	struct remote r[MANY];

	(void)state;
	for (int i = 0; i < MANY; i++)
		begin_signin(&r[i], i);
	for (int i = 0; i < MANY; i++)
		assert_sent_to(&r[i], site.issuer);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(of_many_signins_by_a_silent_provider_two_wait),
		TEST(many_first_signins_by_a_provider_that_answers_all_go_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
