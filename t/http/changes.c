/* changes.c - the change feed over sockets: long polls, events, a reader beside a writer. */
#include "remote.h"

#include <stdio.h>
#include <stdlib.h>

#define ITEMS 60
#define BEATS 300
#define PATIENCE_MS 20000
#define TOKENS "/admin/api-tokens"

static struct daemon *d;
static char *token, *reader_token;
static struct remote admin, reader; /* the reader sees what is published */

#define NOON_MS 1780315200000 /* 2026-06-01T12:00:00Z */
static bool timed; /* the test sets the daemon's clock */

static int
start(void **state)
{
	(void)state;
	daemon_modules = "modules/.libs";
	d = remote_new(NULL, NULL);
	if (timed) {
		daemon_clock(d, NOON_MS);
		setenv("STET_CLOCK", daemon_path(d, "clock"), 1);
	}
	token = remote_token(d, "admin", "admin");
	reader_token = remote_token(d, "subscriber", "content:read");
	daemon_run(d, 0);
	unsetenv("STET_CLOCK");
	remote_open(&admin, d, token);
	remote_open(&reader, d, reader_token);
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"notes\",\"label\":\"N\",\"labelSingular\":\"N\"}", "/schema/collections"));
	json_decref(remote_must(&admin, 201, "POST",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}",
	    "/schema/collections/notes/fields"));
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&admin);
	remote_close(&reader);
	daemon_stop(d);
	free(token);
	free(reader_token);
	return 0;
}

static void
create(int number, bool published)
{
	char body[128];

	(void)snprintf(body, sizeof(body), "{\"slug\":\"n%d\",%s\"data\":{\"title\":\"T\"}}",
	    number, published ? "\"status\":\"published\"," : "");
	json_decref(remote_must(&admin, 201, "POST", body, "/content/notes"));
}

/* Returns the cursor of the present moment. */
static void
now(struct remote *r, char out[2100])
{
	json_t *data = remote_must(r, 200, "GET", NULL, "/changes");

	(void)snprintf(out, 2100, "%s", json_string_value(json_object_get(data, "cursor")));
	json_decref(data);
}

static const char *
slug_of(const json_t *data, size_t i)
{
	return json_string_value(
	    json_object_get(json_array_get(json_object_get(data, "items"), i), "slug"));
}

static void
a_long_poll_is_answered_by_what_it_may_hear(void **state)
{
	struct answer a;
	char cursor[2100];

	(void)state;
	now(&reader, cursor);
	remote_say(&reader, "GET", NULL, "/changes?wait=60&since=%s", cursor);
	create(1, false);
	assert_true(client_quiet(&reader.client, 100)); /* the reader may not see drafts */
	create(2, true);
	remote_hear(&reader, &a);
	assert_int_equal(a.status, 200);
	assert_string_equal(slug_of(json_object_get(a.json, "data"), 0), "n2");
	assert_int_equal(
	    json_array_size(json_object_get(json_object_get(a.json, "data"), "items")), 1);
	answer_free(&a);
}

static void
a_revoked_token_hears_nothing_more(void **state)
{
	struct answer a;
	char cursor[2100], *minted;
	struct remote other;
	json_t *data;

	(void)state;
	data = remote_must(
	    &admin, 201, "POST", "{\"name\":\"t\",\"scopes\":[\"content:read\"]}", TOKENS);
	minted = strdup(json_string_value(json_object_get(data, "token")));
	remote_open(&other, d, minted);
	now(&other, cursor);
	remote_say(&other, "GET", NULL, "/changes?wait=60&since=%s", cursor);
	/* A commit, which wakes who waits. */
	json_decref(remote_must(&admin, 200, "DELETE", NULL, TOKENS "/%s",
	    json_string_value(json_object_get(json_object_get(data, "info"), "id"))));
	remote_hear(&other, &a);
	assert_int_equal(a.status, 401);
	answer_free(&a);
	remote_close(&other);
	json_decref(data);
	free(minted);
}

/* The reader gets each change once, in the order in which the writer's requests were answered. */
static void
a_reader_beside_a_writer_hears_all_in_order(void **state)
{
	char cursor[2100], want[16];
	struct answer a;
	int heard = 0;

	(void)state;
	now(&reader, cursor);
	for (int i = 0; i < ITEMS; i++) {
		remote_say(&reader, "GET", NULL, "/changes?wait=60&limit=2&since=%s", cursor);
		create(i, true);
		if (i % 3 == 0)
			create(1000 + i, false);
		remote_hear(&reader, &a);
		const json_t *data = json_object_get(a.json, "data");
		for (size_t k = 0; k < json_array_size(json_object_get(data, "items"));
		     k++, heard++) {
			(void)snprintf(want, sizeof(want), "n%d", heard);
			assert_string_equal(slug_of(data, k), want);
		}
		(void)snprintf(cursor, sizeof(cursor), "%s",
		    json_string_value(json_object_get(data, "cursor")));
		answer_free(&a);
	}
	assert_int_equal(heard, ITEMS);
}

/* ---- events ---- */

/* Reads until this text has arrived; keeps the text before it. */
static char said[65536];
static void
expect(struct client *c, const char *text)
{
	size_t len = strlen(said), n;

	while (strstr(said, text) == NULL) {
		if (client_quiet(c, PATIENCE_MS))
			fail_msg("waited in vain for %s after %s", text, said);
		n = client_read(c, said + len, sizeof(said) - 1 - len);
		if (n == 0)
			fail_msg("the end came instead of %s after %s", text, said);
		len += n;
		said[len] = '\0';
	}
}

static void
stream_as(struct client *c, const char *bearer, const char *query, const char *last)
{
	said[0] = '\0';
	client_open(c, d, false);
	client_say(c,
	    "GET " API "/changes%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
	    "Accept: text/event-stream\r\n%s%s%s\r\n",
	    query, bearer, last != NULL ? "Last-Event-ID: " : "", last != NULL ? last : "",
	    last != NULL ? "\r\n" : "");
}

static void
stream(struct client *c, const char *query, const char *last)
{
	stream_as(c, reader_token, query, last);
}

/* Returns the line with the id at the beginning of a stream, and the text after it; to be freed. */
static char *
greeting(struct client *c)
{
	expect(c, "retry: 3000\nid: ");
	expect(c, "\n\n");
	return strdup(strstr(said, "id: "));
}

static void
events_come_as_they_happen_and_go_on_from_the_last(void **state)
{
	struct client c;
	char last[2100] = "";
	const char *id;

	(void)state;
	stream(&c, "", NULL);
	expect(&c, "Content-Type: text/event-stream\r\n");
	expect(&c, "retry: 3000\nid: ");
	create(1, false);
	create(2, true);
	expect(&c, "\"slug\":\"n2\"");
	assert_null(strstr(said, "\"slug\":\"n1\""));
	assert_non_null(strstr(said, "event: change\ndata: {\"kind\":\"content\""));
	id = strstr(said, "id: ");
	for (const char *p = id; p != NULL; p = strstr(p + 1, "id: "))
		id = p;
	(void)snprintf(last, sizeof(last), "%.*s", (int)strcspn(id + 4, "\n"), id + 4);
	client_close(&c);
	create(3, true);
	stream(&c, "", last);
	expect(&c, "\"slug\":\"n3\"");
	assert_null(strstr(said, "\"slug\":\"n2\""));
	create(4, true);
	expect(&c, "\"slug\":\"n4\"");
	client_close(&c);
	stream(&c, "", "abc");
	expect(&c, "HTTP/1.1 400");
	expect(&c, "INVALID_CURSOR");
	client_close(&c);
}

/* The id of a stream of one collection also advances with changes of others: old changes are
 * deleted some day, and a client that resumed before them would have to begin anew. */
static void
a_quiet_stream_moves_on(void **state)
{
	struct client c;
	char *first;

	(void)state;
	stream(&c, "?collection=none", NULL);
	first = greeting(&c);
	create(1, true);
	/* The change does not match the filter, so nothing is sent at once. The next heartbeat
	 * has a new id. */
	daemon_clock(d, NOON_MS + 16000);
	said[0] = '\0';
	expect(&c, "\n\n");
	assert_non_null(strstr(said, "id: "));
	assert_int_not_equal(strncmp(strstr(said, "id: "), first, strcspn(first, "\n")), 0);
	assert_null(strstr(said, "data:"));
	/* It does not get again what it has already seen. */
	daemon_clock(d, NOON_MS + 32000);
	said[0] = '\0';
	expect(&c, ":\n\n");
	assert_null(strstr(said, "id:"));
	client_close(&c);
	free(first);
}

/* A stream of a term has the changes of items with that term; its id also advances with other
 * changes. */
static void
a_stream_of_a_term_tells_its_items(void **state)
{
	struct client c;
	char *first;

	(void)state;
	json_decref(remote_must(&admin, 201, "POST", "{\"slug\":\"news\",\"label\":\"News\"}",
	    "/taxonomies/category/terms"));
	stream(&c, "?term=category:news", NULL);
	first = greeting(&c);
	create(1, true);
	daemon_clock(d, NOON_MS + 16000);
	said[0] = '\0';
	expect(&c, "\n\n");
	assert_int_not_equal(strncmp(strstr(said, "id: "), first, strcspn(first, "\n")), 0);
	assert_null(strstr(said, "data:"));
	json_decref(remote_must(&admin, 200, "PUT",
	    "{\"taxonomies\":{\"category\":[\"news\"]},\"status\":\"published\"}",
	    "/content/notes/n1"));
	said[0] = '\0';
	expect(&c, "\n\n");
	assert_non_null(strstr(said, "\"slug\":\"n1\""));
	/* Deleting the term is reported, and the stream continues. */
	json_decref(remote_must(&admin, 200, "DELETE", NULL, "/taxonomies/category/terms/news"));
	said[0] = '\0';
	expect(&c, "\n\n");
	assert_non_null(strstr(said, "\"id\":\"category/news\""));
	assert_true(client_quiet(&c, 50));
	client_close(&c);
	free(first);
}

/* A heartbeat may become due while the stream reads a change. */
static void
a_stream_outlasts_a_beat_that_comes_while_it_runs(void **state)
{
	struct client c;

	(void)state;
	stream(&c, "", NULL);
	free(greeting(&c));
	for (int i = 1; i <= BEATS; i++) {
		create(i, false);
		daemon_clock(d, NOON_MS + (long long)i * 16000);
	}
	create(0, true);
	expect(&c, "\"slug\":\"n0\"");
	client_close(&c);
}

static int
start_timed(void **state)
{
	int status;

	timed = true;
	status = start(state);
	timed = false;
	return status;
}

#define check(test) cmocka_unit_test_setup_teardown(test, start, stop)

/* Who has an item open is told to streams that ask for it, at once and without a change. */
static void
a_stream_tells_who_has_an_item_open(void **state)
{
	json_t *item, *data;
	struct client c;
	char path[100], query[100];
	struct answer a;

	(void)state;
	item = remote_must(&admin, 201, "POST", "{\"data\":{\"title\":\"T\"}}", "/content/notes");
	(void)snprintf(path, sizeof(path), "/content/notes/%s/presence",
	    json_string_value(json_object_get(json_object_get(item, "item"), "id")));
	(void)snprintf(query, sizeof(query), "?presence=notes/%s",
	    json_string_value(json_object_get(json_object_get(item, "item"), "id")));
	json_decref(item);
	stream(&c, query, NULL);
	expect(&c, "HTTP/1.1 403");
	client_close(&c);
	stream_as(&c, token, query, NULL);
	expect(&c, "\"people\":[]}");
	data = remote_must(&admin, 200, "POST",
	    "{\"tab\":\"tab-1\",\"field\":\"body\",\"block\":\"b1\"}", "%s", path);
	assert_int_equal(json_array_size(json_object_get(data, "people")), 1);
	json_decref(data);
	expect(&c, "\"tabs\":1,\"places\":[{\"field\":\"body\",\"block\":\"b1\"}]");
	json_decref(remote_must(&admin, 200, "POST", "{\"tab\":\"tab-2\"}", "%s", path));
	expect(&c, "\"tabs\":2");
	json_decref(remote_must(&admin, 200, "DELETE", NULL, "%s?tab=tab-1", path));
	json_decref(remote_must(&admin, 200, "DELETE", NULL, "%s?tab=tab-2", path));
	expect(&c, "\"people\":[]}");
	client_close(&c);
	/* Not to readers of what is published. */
	remote_ask(&reader, &a, "POST", "{\"tab\":\"tab-3\"}", "%s", path);
	assert_int_equal(a.status, 403);
	answer_free(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_long_poll_is_answered_by_what_it_may_hear),
		check(a_revoked_token_hears_nothing_more),
		check(a_reader_beside_a_writer_hears_all_in_order),
		check(events_come_as_they_happen_and_go_on_from_the_last),
		check(a_stream_tells_who_has_an_item_open),
		cmocka_unit_test_setup_teardown(a_quiet_stream_moves_on, start_timed, stop),
		cmocka_unit_test_setup_teardown(
		    a_stream_of_a_term_tells_its_items, start_timed, stop),
		cmocka_unit_test_setup_teardown(
		    a_stream_outlasts_a_beat_that_comes_while_it_runs, start_timed, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
