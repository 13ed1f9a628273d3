/* tls.c - TLS: certificates of sites, protocol versions, refused connections, reloading. */
#include "daemon.h"
#include "openssl.h"

#include <fcntl.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define API "/_cms/api"
#define GET \
	"GET " API "/echo?text=hello HTTP/1.1\r\nHost: one.example.org\r\nConnection: close\r\n\r\n"

static struct daemon *d;
static int tls_port;

/* Two sites with certificates of their own; the daemon's certificate is for all others. */
static void
write_conf(const char *extra)
{
	char conf[2048];

	(void)snprintf(conf, sizeof(conf),
	    "listen = { \"127.0.0.1:0\" }\ntls-listen = { \"127.0.0.1:0\" }\n"
	    "tls-certificate = \"%s/house.pem\"\ntls-key = \"%s/house.key\"\n"
	    "head-timeout = \"400ms\"\nworkers = 1\n%s\n"
	    "site \"one\" {\n hosts = { \"one.example.org\" }\n hsts = \"365d\"\n"
	    " data = \"%s/one\"\n tls-certificate = \"%s/one.pem\"\n tls-key = \"%s/one.key\"\n}\n"
	    "site \"two\" {\n hosts = { \"two.example.org\" }\n"
	    " data = \"%s/two\"\n tls-certificate = \"%s/two.pem\"\n tls-key = \"%s/two.key\"\n}\n",
	    d->dir, d->dir, extra, d->dir, d->dir, d->dir, d->dir, d->dir, d->dir);
	daemon_write_conf(d, conf, NULL);
}

static int
start(void **state)
{
	size_t at;

	*state = d = daemon_new(NULL, NULL);
	openssl_certificate(d->dir, "house", "IP:127.0.0.1,DNS:house.example.org");
	openssl_certificate(d->dir, "one", "DNS:one.example.org");
	openssl_certificate(d->dir, "two", "DNS:two.example.org");
	write_conf("");
	daemon_run(d, 0);
	at = daemon_said(d, 0, "listening on https://127.0.0.1:");
	(void)daemon_said(d, at, "\n");
	tls_port = (int)strtol(d->said + at, NULL, 10);
	return 0;
}

/* The output of s_client for a handshake with these options, and for a request after it. */
#define HANDSHAKE(...)                                                                           \
	OPENSSL(d->dir, GET, "s_client", "-connect", address(), "-CAfile", "ca.pem", "-ign_eof", \
	    "-nameopt", "RFC2253", __VA_ARGS__)

static const char *
address(void)
{
	static char text[32];

	(void)snprintf(text, sizeof(text), "127.0.0.1:%d", tls_port);
	return text;
}

static void
says(char *said, const char *text)
{
	if (strstr(said, text) == NULL)
		fail_msg("\"%s\" is not in: %s", text, said);
	free(said);
}

static void
says_not(char *said, const char *text)
{
	if (strstr(said, text) != NULL)
		fail_msg("\"%s\" is in: %s", text, said);
	free(said);
}

static void
secure_open(struct client *c)
{
	memset(c, 0, sizeof(*c));
	c->tls = openssl_client(d->dir, tls_port, &c->fd);
}

/* Connects to the port of TLS without TLS. */
static void
bare_open(struct client *c)
{
	struct daemon other = *d;

	other.port = tls_port;
	client_open(c, &other, false);
}

/* ---- what is spoken ---- */

static void
a_request_is_answered_over_tls(void **state)
{
	struct answer a;

	(void)state;
	says(HANDSHAKE("-servername", "one.example.org", "-alpn", "h2,http/1.1"), "hello");
	says(HANDSHAKE("-servername", "one.example.org"),
	    "Strict-Transport-Security: max-age=31536000\r\n");
	says(HANDSHAKE("-alpn", "h2,http/1.1"), "ALPN protocol: http/1.1");
	says(HANDSHAKE("-verify_return_error"), "Verify return code: 0 (ok)");
	/* Responses without TLS do not mention TLS. */
	ask(d, &a, "GET", API "/echo");
	assert_null(answer_header(&a, "Strict-Transport-Security"));
	answer_free(&a);
}

static void
each_site_shows_its_own_certificate(void **state)
{
	(void)state;
	says(HANDSHAKE("-servername", "one.example.org"), "subject=CN=one\n");
	says(HANDSHAKE("-servername", "TWO.example.org"), "subject=CN=two\n");
	says(HANDSHAKE("-servername", "three.example.org"), "subject=CN=house\n");
	says(HANDSHAKE("-noservername"), "subject=CN=house\n");
	/* The client decides by name whether it trusts the certificate. */
	says_not(HANDSHAKE("-servername", "one.example.org", "-verify_hostname", "two.example.org",
		     "-verify_return_error"),
	    "hello");
}

static void
what_is_old_is_not_spoken(void **state)
{
	static const char *const good[] = { "ECDHE-ECDSA-AES128-GCM-SHA256",
		"ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305" };
	static const char *const bad[] = { "AES128-SHA", "AES128-GCM-SHA256",
		"ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES128-SHA256", "aNULL", "eNULL" };
	char text[64];

	(void)state;
	says_not(HANDSHAKE("-tls1", "-cipher", "ALL@SECLEVEL=0"), "hello");
	says_not(HANDSHAKE("-tls1_1", "-cipher", "ALL@SECLEVEL=0"), "hello");
	says(HANDSHAKE("-tls1_3"), "hello");
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		says(HANDSHAKE("-tls1_2", "-cipher", good[i]), "hello");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)snprintf(text, sizeof(text), "%s:@SECLEVEL=0", bad[i]);
		says_not(HANDSHAKE("-tls1_2", "-cipher", text), "hello");
	}
}

static void
other_protocols_are_not_pretended(void **state)
{
	(void)state;
	says(HANDSHAKE("-alpn", "h2"), "no application protocol");
	says_not(HANDSHAKE("-alpn", "h2"), "hello");
}

static void
a_session_is_not_renegotiated(void **state)
{
	char *said = OPENSSL(d->dir, "R\n" GET, "s_client", "-connect", address(), "-tls1_2");

	(void)state;
	assert_non_null(strstr(said, "RENEGOTIATING"));
	says(said, "no renegotiation");
}

/* ---- tickets and reloading ---- */

static void
who_comes_back_needs_no_whole_handshake(void **state)
{
	static const char *const versions[] = { "-tls1_2", "-tls1_3" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		says(HANDSHAKE(versions[i], "-sess_out", versions[i] + 1), "New, TLSv1");
		says(HANDSHAKE(versions[i], "-sess_in", versions[i] + 1), "Reused, TLSv1");
	}
	(void)daemon_reload(d);
	for (size_t i = 0; i < 2; i++) {
		says(HANDSHAKE(versions[i], "-sess_in", versions[i] + 1), "Reused, TLSv1");
	}
}

static void
copy_file(const char *from, const char *to)
{
	char bytes[8192];
	int in = open(daemon_path(d, from), O_RDONLY | O_CLOEXEC);
	int out = open(daemon_path(d, to), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ssize_t n;

	assert_true(in >= 0 && out >= 0);
	n = read(in, bytes, sizeof(bytes));
	assert_true(n > 0 && write(out, bytes, (size_t)n) == n);
	close(in);
	close(out);
}

static void
answered(struct client *c)
{
	struct answer a;

	client_say(c, "GET " API "/echo?text=on HTTP/1.1\r\nHost: one.example.org\r\n\r\n");
	client_answer(c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
}

static void
a_new_certificate_is_for_new_connections(void **state)
{
	struct client c;

	(void)state;
	secure_open(&c);
	answered(&c);
	openssl_certificate(d->dir, "next", "DNS:one.example.org");
	copy_file("next.pem", "one.pem");
	copy_file("next.key", "one.key");
	(void)daemon_reload(d);
	says(HANDSHAKE("-servername", "one.example.org"), "subject=CN=next\n");
	answered(&c);
	client_close(&c);
}

static void
a_certificate_that_is_not_good_changes_nothing(void **state)
{
	static const struct {
		const char *from, *to, *why;
		mode_t mode;
	} rows[] = {
		{ "two.key", "one.key", "key values mismatch", 0600 },
		{ "stet.conf", "one.key", "one.key", 0600 },
		{ "stet.conf", "one.pem", "one.pem", 0600 },
		{ "next.key", "one.key", "is open to everybody", 0604 },
	};
	size_t at;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		copy_file(rows[i].from, rows[i].to);
		assert_int_equal(chmod(daemon_path(d, rows[i].to), rows[i].mode), 0);
		at = daemon_reload(d);
		(void)daemon_said(d, at, "tls: site one: the certificate stays as it was");
		(void)daemon_said(d, at, rows[i].why);
		says(HANDSHAKE("-servername", "one.example.org"), "subject=CN=next\n");
		copy_file("next.pem", "one.pem");
		assert_int_equal(unlink(daemon_path(d, "one.key")), 0);
		copy_file("next.key", "one.key");
	}
	assert_int_equal(unlink(daemon_path(d, "one.key")), 0);
	at = daemon_reload(d);
	(void)daemon_said(d, at, "No such file");
	says(HANDSHAKE("-servername", "one.example.org"), "subject=CN=next\n");
	copy_file("next.key", "one.key");
	at = daemon_reload(d);
	assert_null(strstr(d->said + at, "tls:"));
}

static void
what_a_certificate_is_not_for_is_said(void **state)
{
	size_t at;

	(void)state;
	copy_file("two.pem", "kept.pem");
	copy_file("two.key", "kept.key");
	copy_file("one.pem", "two.pem");
	copy_file("one.key", "two.key");
	at = daemon_reload(d);
	(void)daemon_said(d, at, "two.pem\" is not for two.example.org");
	copy_file("kept.pem", "two.pem");
	copy_file("kept.key", "two.key");
	(void)daemon_reload(d);
}

/* ---- handshakes that never begin or fail ---- */

static void
who_never_begins_is_dropped_in_time(void **state)
{
	struct client silent, half, slow;

	(void)state;
	bare_open(&silent);
	bare_open(&half);
	bare_open(&slow);
	client_send(&half, "\x16\x03\x01\x02\x00\x01\x00", 7);
	client_send(&slow, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
	/* A client that sends slowly does not gain time: the deadline is for the whole
	 * handshake. */
	for (int i = 0; client_quiet(&slow, 20) && i < 400; i++)
		client_send(&slow, "x", 1);
	assert_true(client_ended(&slow));
	assert_true(client_ended(&half));
	assert_true(client_ended(&silent));
	client_close(&silent);
	client_close(&half);
	client_close(&slow);
	answered((secure_open(&slow), &slow));
	client_close(&slow);
}

static void
http_without_tls_is_told_so(void **state)
{
	struct client c;
	struct answer a;

	(void)state;
	bare_open(&c);
	client_say(&c, "GET / HTTP/1.1\r\nHost: one.example.org\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 400);
	assert_string_equal(answer_code(&a), "INVALID_REQUEST");
	assert_non_null(strstr(a.body, "https://"));
	assert_string_equal(answer_header(&a, "Connection"), "close");
	assert_null(answer_header(&a, "Strict-Transport-Security"));
	answer_free(&a);
	assert_true(client_ended(&c));
	client_close(&c);
}

static void
what_is_neither_ends_the_connection(void **state)
{
	static const char *const noise[] = { "SSH-2.0-OpenSSH_9\r\n\r\n\r\n",
		"\x80\x2e\x01\x03\x01", "\x15\x03\x03\x00\x02\x02\x28", "\x17\x03\x03\x00\x05hello",
		"EHLO one.example.org\r\n" };
	struct client c;
	char bytes[64];

	(void)state;
	for (size_t i = 0; i < sizeof(noise) / sizeof(noise[0]); i++) {
		bare_open(&c);
		client_send(&c, noise[i], i == 1 ? 5 : i == 2 ? 7 : i == 3 ? 10 : strlen(noise[i]));
		/* Perhaps an alert; then the end. */
		while (client_read(&c, bytes, sizeof(bytes)) > 0)
			assert_int_not_equal(bytes[0], 'H');
		client_close(&c);
	}
	answered((secure_open(&c), &c));
	client_close(&c);
}

/* ---- the ends of connections ---- */

/* More requests follow a call than are read ahead: none may be lost. */
static void
what_is_pipelined_behind_a_call_is_all_answered(void **state)
{
	enum { MANY = 1500 };
	struct client c;
	struct answer a;
	int fd;

	(void)state;
	assert_int_equal(mkfifo(daemon_path(d, "fifo"), 0600), 0);
	secure_open(&c);
	client_say(&c,
	    "GET " API "/slow?wait=%s&started=%s HTTP/1.1\r\nHost: one.example.org\r\n\r\n",
	    daemon_path(d, "fifo"), daemon_path(d, "piped"));
	daemon_file(d, "piped");
	for (int i = 0; i < MANY; i++)
		client_say(
		    &c, "GET " API "/echo?text=%d HTTP/1.1\r\nHost: one.example.org\r\n\r\n", i);
	fd = open(daemon_path(d, "fifo"), O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	close(fd);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	for (int i = 0; i < MANY; i++) {
		char text[16];

		client_answer(&c, &a, false);
		(void)snprintf(text, sizeof(text), "\"%d\"", i);
		if (strstr(a.body, text) == NULL)
			fail_msg("the answer to request %d is %s", i, a.body);
		answer_free(&a);
	}
	client_close(&c);
}

/* A client of this test's own, for actions that the openssl command does not have. */
static SSL *
shake_hands(struct client *c, SSL_CTX *context)
{
	SSL *ssl = SSL_new(context);

	bare_open(c);
	assert_non_null(ssl);
	assert_int_equal(SSL_set_fd(ssl, c->fd), 1);
	assert_int_equal(SSL_connect(ssl), 1);
	return ssl;
}

static void
the_ends_of_a_connection_are_said(void **state)
{
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());
	struct client c;
	char bytes[4096];
	SSL *ssl = shake_hands(&c, context);
	size_t len = 0;
	int n;

	(void)state;
	/* A client that has closed its sending side with close_notify gets its response. */
	assert_int_equal(SSL_write(ssl, GET, sizeof(GET) - 1), sizeof(GET) - 1);
	(void)SSL_shutdown(ssl);
	while ((n = SSL_read(ssl, bytes + len, (int)(sizeof(bytes) - len - 1))) > 0)
		len += (size_t)n;
	bytes[len] = '\0';
	assert_non_null(strstr(bytes, "hello"));
	/* The server sends close_notify, so the client knows that nothing was truncated. */
	assert_int_equal(SSL_get_error(ssl, n), SSL_ERROR_ZERO_RETURN);
	SSL_free(ssl);
	client_close(&c);
	SSL_CTX_free(context);
}

/* The number of open descriptors after 60 connections, some of which sent nothing, half a request,
 * or bytes of the other protocol. Returns as soon as it is BEFORE or less. */
static int
descriptors_after_connections(int before)
{
	struct client c;
	struct answer a;
	int after = 0;

	for (int i = 0; i < 60; i++) {
		if (i % 6 == 0)
			secure_open(&c);
		else
			bare_open(&c);
		if (i % 3 == 1)
			client_say(&c, "GET / HTTP/1.1\r\n\r\n");
		if (i % 3 == 2)
			client_send(&c, "\x16\x03\x01", 3);
		client_close(&c);
	}
	for (int i = 0; i < 200; i++) {
		ask(d, &a, "GET", API "/count");
		answer_free(&a);
		after = daemon_descriptors(d);
		if (after <= before)
			break;
	}
	return after;
}

static void
connections_do_not_leak(void **state)
{
	int before, after = daemon_descriptors(d), rounds = 0;

	(void)state;
	/* What a worker or a reader thread opens with its first request stays open, and it is
	 * random how many have had one. A leak would grow with each round. */
	do {
		before = after;
		after = descriptors_after_connections(before);
	} while (after > before && ++rounds < 5);
	assert_true(after <= before);
}

/* ---- the beginning ---- */

static void
without_any_good_certificate_it_does_not_begin(void **state)
{
	char conf[512];
	struct daemon *bad = daemon_new(NULL, NULL);

	(void)state;
	(void)snprintf(conf, sizeof(conf),
	    "listen = {}\ntls-listen = { \"127.0.0.1:0\" }\n"
	    "tls-certificate = \"%s/none.pem\"\ntls-key = \"%s/none.key\"",
	    bad->dir, bad->dir);
	daemon_write_conf(bad, conf, NULL);
	daemon_begin(bad, 0);
	(void)daemon_said(bad, 0, "none.pem\": No such file");
	(void)daemon_said(bad, 0, "no certificate can be loaded");
	assert_int_equal(daemon_ended(bad), 1);
	daemon_stop(bad);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_answered_over_tls),
		cmocka_unit_test(each_site_shows_its_own_certificate),
		cmocka_unit_test(what_is_old_is_not_spoken),
		cmocka_unit_test(other_protocols_are_not_pretended),
		cmocka_unit_test(a_session_is_not_renegotiated),
		cmocka_unit_test(who_comes_back_needs_no_whole_handshake),
		cmocka_unit_test(a_new_certificate_is_for_new_connections),
		cmocka_unit_test(a_certificate_that_is_not_good_changes_nothing),
		cmocka_unit_test(what_a_certificate_is_not_for_is_said),
		cmocka_unit_test(who_never_begins_is_dropped_in_time),
		cmocka_unit_test(http_without_tls_is_told_so),
		cmocka_unit_test(what_is_neither_ends_the_connection),
		cmocka_unit_test(what_is_pipelined_behind_a_call_is_all_answered),
		cmocka_unit_test(the_ends_of_a_connection_are_said),
		cmocka_unit_test(connections_do_not_leak),
		cmocka_unit_test(without_any_good_certificate_it_does_not_begin),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, start, daemon_teardown);
}
