/*
 * public.c - public reads over sockets: the headers for caches, conditions, the daemon's own cache,
 * pages of other origins, and the rate limit of public reads.
 */
#include "remote.h"

#include <stdio.h>
#include <stdlib.h>

#define PUBLIC "public, max-age=60, s-maxage=86400, stale-while-revalidate=600"
#define PRIVATE "private, no-store"

static struct daemon *d;
static char *token, *delivery;
static struct remote admin, site, nobody;

static int
start(void **state)
{
	(void)state;
	d = remote_new("workers = 1\nserver-timing = true\ntrusted-proxies = { \"127.0.0.0/8\" }\n",
	    "public-read = { \"menus\", \"settings\" }\npublic-shared-max-age = \"1d\"\n"
	    "cors-origins = { \"https://app.example.org\" }\ncors-credentials = true\n"
	    "address-limits = { \"public 5/10s\" }\n");
	token = remote_token(d, "admin", "admin");
	delivery = COMMAND(d, "token", "add", "--delivery", "--name", "site");
	remote_time_stands(d);
	daemon_run(d, 0);
	remote_open(&admin, d, token);
	remote_open(&site, d, delivery);
	remote_open(&nobody, d, NULL);
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"notes\",\"label\":\"N\",\"supports\":[\"drafts\",\"revisions\"],"
	    "\"publicRead\":true}",
	    "/schema/collections"));
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}",
	    "/schema/collections/notes/fields"));
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"one\",\"status\":\"published\",\"data\":{\"title\":\"One\"}}",
	    "/content/notes"));
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&admin);
	remote_close(&site);
	remote_close(&nobody);
	daemon_stop(d);
	remote_time_goes_on();
	free(token);
	free(delivery);
	return 0;
}

static void
with(struct remote *r, const char *header)
{
	(void)snprintf(r->more, sizeof(r->more), "%s", header);
}

static void
assert_header(const struct answer *a, const char *name, const char *want)
{
	const char *is = answer_header(a, name);

	assert_string_equal(is != NULL ? is : "(none)", want);
}

static void
get(struct remote *r, struct answer *a, int status, const char *path)
{
	remote_ask(r, a, "GET", NULL, "%s", path);
	assert_int_equal(a->status, status);
}

static void
caches_may_keep_what_nobody_reads_and_nothing_else(void **state)
{
	static const char *const kept[] = { "/content/notes", "/content/notes/one", "/menus",
		"/settings" };
	struct answer a;

	(void)state;
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		get(&nobody, &a, 200, kept[i]);
		assert_header(&a, "Cache-Control", PUBLIC);
		assert_header(&a, "Vary", "Authorization, Cookie");
		assert_non_null(answer_header(&a, "Surrogate-Key"));
		assert_non_null(answer_header(&a, "ETag"));
		answer_free(&a);
		get(&admin, &a, 200, kept[i]);
		assert_header(&a, "Cache-Control", PRIVATE);
		assert_null(answer_header(&a, "Surrogate-Key"));
		answer_free(&a);
	}
	get(&site, &a, 200, "/content/notes/one");
	assert_header(&a, "Cache-Control", PRIVATE);
	answer_free(&a);
	get(&nobody, &a, 404, "/content/notes/two");
	assert_header(&a, "Cache-Control", PRIVATE);
	answer_free(&a);
	get(&nobody, &a, 401, "/widget-areas");
	assert_header(&a, "Cache-Control", PRIVATE);
	assert_header(&a, "WWW-Authenticate", "Bearer");
	answer_free(&a);
	get(&nobody, &a, 400, "/content/notes?limit=0");
	assert_header(&a, "Cache-Control", PRIVATE);
	answer_free(&a);
}

static void
what_is_unchanged_is_not_sent_again(void **state)
{
	struct answer a;
	char header[200];

	(void)state;
	get(&nobody, &a, 200, "/content/notes/one");
	(void)snprintf(header, sizeof(header), "If-None-Match: %s\r\n", answer_header(&a, "ETag"));
	answer_free(&a);
	with(&nobody, header);
	get(&nobody, &a, 304, "/content/notes/one");
	assert_header(&a, "Cache-Control", PUBLIC);
	assert_non_null(answer_header(&a, "Surrogate-Key"));
	answer_free(&a);
	/* An error that a condition causes is not cached for others. */
	with(&nobody, "If-Match: \"other\"\r\n");
	get(&nobody, &a, 412, "/content/notes/one");
	assert_header(&a, "Cache-Control", PRIVATE);
	answer_free(&a);
	with(&nobody, "");
}

/* One worker, so that its cache has the responses for all of these callers. */
static void
each_is_told_what_is_theirs_whoever_asked_before(void **state)
{
	struct remote *const who[] = { &admin, &nobody, &site, &admin, &nobody, &site };
	struct answer a;

	(void)state;
	json_decref(remote_must(
	    &admin, 200, "PUT", "{\"data\":{\"title\":\"Staged\"}}", "/content/notes/one"));
	for (size_t i = 0; i < sizeof(who) / sizeof(who[0]); i++) {
		get(who[i], &a, 200, "/content/notes/one");
		assert_int_equal(strstr(a.body, "Staged") != NULL, who[i] == &admin);
		assert_int_equal(strstr(a.body, "draftRevisionId") != NULL, who[i] == &admin);
		assert_header(&a, "Cache-Control", who[i] == &nobody ? PUBLIC : PRIVATE);
		answer_free(&a);
	}
	json_decref(
	    remote_must(&admin, 200, "PUT", "{\"publicRead\":false}", "/schema/collections/notes"));
	get(&nobody, &a, 401, "/content/notes/one");
	answer_free(&a);
	json_decref(
	    remote_must(&admin, 200, "PUT", "{\"publicRead\":true}", "/schema/collections/notes"));
	get(&nobody, &a, 200, "/content/notes/one");
	answer_free(&a);
}

static void
a_preview_is_kept_by_nobody(void **state)
{
	struct answer a;
	json_t *data;

	(void)state;
	data = remote_must(&admin, 200, "POST", "{}", "/content/notes/one/preview-url");
	remote_ask(&nobody, &a, "GET", NULL, "/content/notes/one?_preview=%s",
	    json_string_value(json_object_get(data, "token")));
	assert_int_equal(a.status, 200);
	assert_header(&a, "Cache-Control", PRIVATE);
	answer_free(&a);
	remote_ask(&nobody, &a, "GET", NULL, "/content/notes/one?_preview=wrong");
	assert_int_equal(a.status, 401);
	answer_free(&a);
	json_decref(data);
}

static void
credentials_that_are_none_are_refused_here_too(void **state)
{
	struct answer a;

	(void)state;
	with(&nobody, "Authorization: Bearer cms_pat_x\r\n");
	get(&nobody, &a, 401, "/content/notes/one");
	answer_free(&a);
	with(&nobody, "");
}

static void
pages_of_other_origins_read_what_is_configured(void **state)
{
	struct answer a;

	(void)state;
	with(&nobody, "Origin: https://app.example.org\r\n");
	get(&nobody, &a, 200, "/content/notes/one");
	assert_header(&a, "Access-Control-Allow-Origin", "https://app.example.org");
	answer_free(&a);
	with(&nobody, "Origin: https://other.example.org\r\n");
	get(&nobody, &a, 200, "/content/notes/one");
	assert_null(answer_header(&a, "Access-Control-Allow-Origin"));
	answer_free(&a);
	with(&nobody, "");
}

static int
admitted(struct remote *r, const char *client, const char *path)
{
	char header[80];
	struct answer a;
	int n = 0;

	(void)snprintf(header, sizeof(header), "X-Forwarded-For: %s\r\n", client);
	with(r, header);
	for (int i = 0; i < 10; i++) {
		remote_ask(r, &a, "GET", NULL, "%s", path);
		n += a.status != 429;
		answer_free(&a);
	}
	with(r, "");
	return n;
}

/* Requests a file at the root of the site, anonymously. */
static void
fetch(struct answer *a, const char *path, const char *more)
{
	struct client c;

	client_open(&c, d, false);
	client_say(&c, "GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n", path, more);
	client_answer(&c, a, false);
	client_close(&c);
}

static void
feeds_and_sitemaps_are_for_caches(void **state)
{
	static const char *const paths[] = { "/sitemap.xml", "/sitemaps/notes/1.xml",
		"/feeds/notes/atom.xml", "/feeds/notes/feed.json" };
	char header[120];
	struct answer a;

	(void)state;
	json_decref(remote_must(
	    &admin, 200, "PUT", "{\"urlPattern\":\"/n/{slug}\"}", "/schema/collections/notes"));
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		fetch(&a, paths[i], "");
		assert_int_equal(a.status, 200);
		assert_non_null(strstr(a.body, "/n/one"));
		assert_header(&a, "Cache-Control", PUBLIC);
		assert_non_null(strstr(answer_header(&a, "Surrogate-Key"), "l:notes"));
		(void)snprintf(
		    header, sizeof(header), "If-None-Match: %s\r\n", answer_header(&a, "ETag"));
		answer_free(&a);
		fetch(&a, paths[i], header);
		assert_int_equal(a.status, 304);
		assert_int_equal(a.len, 0);
		assert_header(&a, "Cache-Control", PUBLIC);
		answer_free(&a);
	}
}

/* The first piece of a sitemap is sent while its items are still read. */
static void
a_sitemap_that_is_sent_in_pieces_names_what_makes_it_stale(void **state)
{
	struct answer a;
	char body[256];

	(void)state;
	for (int i = 0; i < 200; i++) {
		(void)snprintf(body, sizeof(body),
		    "{\"slug\":\"%0150d-%d\",\"status\":\"published\","
		    "\"data\":{\"title\":\"T\"}}",
		    0, i);
		json_decref(remote_must(&admin, 201, "POST", body, "/content/notes"));
	}
	fetch(&a, "/sitemap.xml", "");
	assert_int_equal(a.status, 200);
	assert_true(a.len > 32768);
	assert_header(&a, "Surrogate-Key", "k:schema k:settings l:notes c:notes k:bylines k:feeds");
	assert_non_null(strstr(a.body, "-199</loc>"));
	assert_non_null(strstr(a.body, "</urlset>"));
	answer_free(&a);
}

static void
they_have_a_rate_of_their_own(void **state)
{
	(void)state;
	assert_int_equal(admitted(&nobody, "203.0.113.1", "/content/notes/one"), 5);
	assert_int_equal(admitted(&nobody, "203.0.113.1", "/menus"), 0);
	assert_int_equal(admitted(&nobody, "203.0.113.2", "/menus"), 5);
	assert_int_equal(admitted(&nobody, "203.0.113.1", "/setup/status"), 10);
	assert_int_equal(admitted(&site, "203.0.113.1", "/content/notes/one"), 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(caches_may_keep_what_nobody_reads_and_nothing_else),
		cmocka_unit_test(what_is_unchanged_is_not_sent_again),
		cmocka_unit_test(each_is_told_what_is_theirs_whoever_asked_before),
		cmocka_unit_test(a_preview_is_kept_by_nobody),
		cmocka_unit_test(credentials_that_are_none_are_refused_here_too),
		cmocka_unit_test(pages_of_other_origins_read_what_is_configured),
		cmocka_unit_test(feeds_and_sitemaps_are_for_caches),
		cmocka_unit_test(a_sitemap_that_is_sent_in_pieces_names_what_makes_it_stale),
		cmocka_unit_test(they_have_a_rate_of_their_own),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
