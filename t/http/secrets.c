/* secrets.c - tokens occur in no log, no error and no file; only their hashes are stored. */
#include "remote.h"

#include <ftw.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHOWN 12 /* characters of a token that are shown to tell tokens apart */

static struct daemon *d;
static char *token, access_path[64];

/* The secrets to search for: the parts of tokens after those characters. */
static struct {
	char text[128];
} canary[8];
static int canaries;

static void
plant(const char *secret)
{
	assert_true(strlen(secret) > SHOWN + 16);
	(void)snprintf(canary[canaries++].text, sizeof(canary[0].text), "%s", secret + SHOWN);
}

static void
assert_no_canary(const char *where, const char *bytes, size_t len)
{
	for (int i = 0; i < canaries; i++)
		if (memmem(bytes, len, canary[i].text, strlen(canary[i].text)) != NULL)
			fail_msg("canary %d is in %s", i, where);
}

/* ---- files ---- */

static const unsigned char *wanted; /* a hash that must occur in a file */
static int files, hits;

static int
search_file(const char *path, const struct stat *st, int what, struct FTW *ftw)
{
	char *bytes;
	FILE *file;
	size_t len;

	(void)ftw;
	if (what != FTW_F || !S_ISREG(st->st_mode) || st->st_size == 0)
		return 0;
	bytes = malloc((size_t)st->st_size);
	file = fopen(path, "r");
	assert_true(bytes != NULL && file != NULL);
	len = fread(bytes, 1, (size_t)st->st_size, file);
	fclose(file);
	assert_no_canary(path, bytes, len);
	hits += memmem(bytes, len, wanted, crypto_hash_sha256_BYTES) != NULL;
	files++;
	free(bytes);
	return 0;
}

static void
assert_files_clean(void)
{
	unsigned char hash[crypto_hash_sha256_BYTES];

	crypto_hash_sha256(hash, (const unsigned char *)token, strlen(token));
	wanted = hash;
	files = hits = 0;
	assert_int_equal(nftw(daemon_path(d, "."), search_file, 16, FTW_PHYS), 0);
	/* The hash was found, so the search has read the database. */
	assert_true(files >= 2);
	assert_true(hits >= 1);
}

/* ---- requests ---- */

/* Sends a request with a secret in the middle; the response must not contain it. */
static void
send_with(const char *before, const char *secret, const char *after)
{
	struct client c;
	struct answer a;

	client_open(&c, d, false);
	client_say(&c, "%s%s%s", before, secret, after);
	client_answer(&c, &a, false);
	assert_no_canary("the head of an answer", a.head, strlen(a.head));
	assert_no_canary("an answer", a.body, a.len);
	answer_free(&a);
	client_close(&c);
}

#define BEARER "Host: x\r\nAuthorization: Bearer "

/* Sends the secret in each place from which careless code could copy it to a log or an error. */
static void
send_everywhere(const char *secret)
{
	char *long_head = calloc(1, 20000);

	assert_non_null(long_head);
	memset(long_head, 'x', 19000);
	send_with("GET " API "/auth/me HTTP/1.1\r\n" BEARER, secret, "\r\n\r\n");
	send_with("GET " API "/nothing HTTP/1.1\r\n" BEARER, secret, "\r\n\r\n");
	send_with("PATCH " API "/auth/me HTTP/1.1\r\n" BEARER, secret, "\r\n\r\n");
	send_with(
	    "GET " API "/auth/me HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ", secret, "\r\n\r\n");
	send_with("GET " API "/auth/me HTTP/1.1\r\n" BEARER, secret, "\r\n folded: 1\r\n\r\n");
	send_with("GET " API "/auth/me HTTP/1.1\r\n" BEARER, secret, "\001\r\n\r\n");
	send_with("GET " API "/auth/me HTTP/1.1\r\n" BEARER, secret, "\nX: 1\r\n\r\n");
	send_with("GET " API "/auth/me HTTP/9.9\r\n" BEARER, secret, "\r\n\r\n");
	send_with("GET " API "/auth/me?token=", secret, " HTTP/1.1\r\nHost: x\r\n\r\n");
	send_with("GET " API "/content/none?orderBy=x HTTP/1.1\r\n" BEARER, secret, "\r\n\r\n");
	send_with("POST " API "/content/none HTTP/1.1\r\nContent-Length: 99999999\r\n" BEARER,
	    secret, "\r\n\r\n");
	send_with("POST " API "/content/none HTTP/1.1\r\nContent-Length: 5\r\n" BEARER, secret,
	    "\r\n\r\n{\"a\":");
	send_with(long_head, secret, "\r\n\r\n");
	memcpy(long_head, "GET / HTTP/1.1\r\nX: ", 20);
	memcpy(long_head + 19000, "\r\n" BEARER, sizeof("\r\n" BEARER));
	send_with(long_head, secret, "\r\n\r\n");
	free(long_head);
}

/* A token that is made over REST is shown once. */
static void
make_another(struct remote *r)
{
	json_t *data = remote_must(r, 201, "POST",
	    "{\"name\":\"second\",\"scopes\":[\"content:read\"],\"expiresAt\":null}",
	    "/admin/api-tokens");
	const char *id = json_string_value(json_object_get(json_object_get(data, "info"), "id"));
	struct answer a;

	plant(json_string_value(json_object_get(data, "token")));
	remote_ask(r, &a, "GET", NULL, "/admin/api-tokens");
	assert_int_equal(a.status, 200);
	assert_no_canary("the list of tokens", a.body, a.len);
	answer_free(&a);
	json_decref(remote_must(r, 200, "DELETE", NULL, "/admin/api-tokens/%s", id));
	json_decref(data);
}

static void
tokens_are_found_nowhere(void **state)
{
	struct command c;
	struct remote r;

	(void)state;
	plant("cms_pat_canarycanarycanarycanarycanarycanary1");
	remote_open(&r, d, token);
	json_decref(remote_must(&r, 200, "GET", NULL, "/auth/me"));
	make_another(&r);
	for (int i = 0; i < 2; i++) {
		char whole[160];

		(void)snprintf(whole, sizeof(whole), "cms_pat_cana%s", canary[1].text);
		send_everywhere(i == 0 ? token : whole);
	}
	command_run(d, &c, (const char *const[]){ "token", "list", "admin@example.org", NULL });
	assert_int_equal(c.status, 0);
	assert_no_canary("what the command prints", c.out, strlen(c.out));
	command_free(&c);
	remote_close(&r);
	/* Searches while the daemon runs, including its write-ahead log, and after it has
	 * stopped. */
	assert_files_clean();
	daemon_signal(d, SIGTERM);
	(void)daemon_said(d, 0, "stopped");
	assert_no_canary("the log", d->said, d->said_len);
	assert_int_equal(daemon_ended(d), 0);
	assert_files_clean();
	assert_int_equal(access(access_path, F_OK), 0);
}

static int
start(void **state)
{
	char conf[256];

	(void)state;
	d = remote_new(NULL, NULL);
	(void)snprintf(access_path, sizeof(access_path), "%s", daemon_path(d, "access.log"));
	(void)snprintf(
	    conf, sizeof(conf), "access-log = \"%s\"\nlog-level = \"debug\"\n", access_path);
	daemon_write_conf(d, conf, NULL);
	token = remote_token(d, "admin", "admin");
	plant(token);
	daemon_run(d, 0);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	daemon_stop(d);
	free(token);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_are_found_nowhere),
	};

	if (sodium_init() < 0)
		return 99;
	return cmocka_run_group_tests(tests, start, stop);
}
