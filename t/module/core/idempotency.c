/* idempotency - a request that is sent again with its Idempotency-Key is executed once. */
#include "inside.h"
#include "people.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

#define POST "POST " BASE

/* Sends a request with this key; the body has " for each '. */
static struct outcome *
keyed(struct harness *h, const struct harness_user *user, const char *key, const char *request,
    const char *body)
{
	char headers[1024], *text = body != NULL ? strdup(body) : NULL;
	struct outcome *o;

	for (char *c = text; c != NULL && *c != '\0'; c++)
		if (*c == '\'')
			*c = '"';
	snprintf(headers, sizeof(headers), "X-CMS-Request: 1\r\nIdempotency-Key: %s", key);
	o = harness_request(h, user, request, headers, text);
	free(text);
	return o;
}

static int
stored(struct harness *h)
{
	return (int)strtol(inside_ask(h, "SELECT count(*) FROM idempotency"), NULL, 10);
}

static void
a_repeated_request_is_answered_as_before(void **state)
{
	struct harness *h = *state;
	char first[4096];
	struct outcome *o;

	harness_ok(o, keyed(h, author, "k1", POST, "{'data':{'title':'One'}}"));
	assert_int_equal(o->http, 201);
	assert_false(o->replayed);
	assert_true(strlen(o->text) < sizeof(first));
	snprintf(first, sizeof(first), "%s", o->text);
	at(h, 5000);
	for (int i = 0; i < 2; i++) {
		harness_ok(o, keyed(h, author, "k1", POST, "{'data':{'title':'One'}}"));
		assert_int_equal(o->http, 201);
		assert_true(o->replayed);
		assert_string_equal(o->text, first);
	}
	assert_int_equal(total(h, author, "status=draft"), 1);
	/* A new key creates another item. */
	harness_ok(o, keyed(h, author, "k2", POST, "{'data':{'title':'One'}}"));
	assert_false(o->replayed);
	assert_int_equal(total(h, author, "status=draft"), 2);
}

static void
an_update_is_not_in_conflict_with_itself(void **state)
{
	struct harness *h = *state;
	char id[27], request[128], body[256], rev[128];
	struct outcome *o;

	make(h, author, id, "{'data':{'title':'One'}}");
	harness_ok(o, ask(h, author, "GET " BASE "/%s", id));
	snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	snprintf(body, sizeof(body), "{'_rev':'%s','data':{'title':'Two'}}", rev);
	harness_ok(o, keyed(h, author, "put", request, body));
	assert_false(o->replayed);
	snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	assert_string_not_equal(rev, "");
	harness_ok(o, keyed(h, author, "put", request, body));
	assert_true(o->replayed);
	assert_string_equal(harness_text(o->data, "_rev"), rev);
	/* A repeated deletion is replayed, too. */
	snprintf(request, sizeof(request), "DELETE " BASE "/%s", id);
	assert_ok(keyed(h, author, "delete", request, NULL));
	harness_ok(o, keyed(h, author, "delete", request, NULL));
	assert_true(o->replayed);
}

static void
another_request_with_the_key_is_a_conflict(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(keyed(h, author, "k", POST, "{'data':{'title':'One'}}"));
	assert_code(keyed(h, author, "k", POST, "{'data':{'title':'Two'}}"), "CONFLICT");
	o = keyed(h, author, "k", POST "?_x=1", "{'data':{'title':'One'}}");
	assert_code(o, "CONFLICT");
	assert_int_equal(o->http, 409);
	assert_false(o->replayed);
	assert_non_null(strstr(o->message, "key"));
	assert_string_equal(harness_text(o->details, "field"), "Idempotency-Key");
	assert_code(
	    keyed(h, author, "k", "POST /content/pages", "{'data':{'title':'One'}}"), "CONFLICT");
	/* If-Match is part of the request's identity. */
	assert_code(
	    keyed(h, author, "k\r\nIf-Match: \"x\"", POST, "{'data':{'title':'One'}}"), "CONFLICT");
	assert_int_equal(total(h, author, "status=draft"), 1);
	/* The conflicts left the stored response of the key in place. */
	harness_ok(o, keyed(h, author, "k", POST, "{'data':{'title':'One'}}"));
	assert_true(o->replayed);
}

static void
keys_belong_to_their_principal(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(keyed(h, author, "k", POST, "{'data':{'title':'One'}}"));
	harness_ok(o, keyed(h, other_author, "k", POST, "{'data':{'title':'One'}}"));
	assert_false(o->replayed);
	assert_ok(keyed(h, editor, "k", POST, "{'data':{'title':'Two'}}"));
	assert_int_equal(total(h, editor, "status=draft"), 3);
	/* Permissions are checked before the key is looked up. */
	assert_code(keyed(h, nobody, "k", POST, "{'data':{'title':'One'}}"), "UNAUTHORIZED");
	assert_code(keyed(h, subscriber, "k", POST, "{'data':{'title':'One'}}"), "FORBIDDEN");
}

static void
a_key_lives_24_hours(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(keyed(h, author, "k", POST, "{'data':{'title':'One'}}"));
	harness_clock(h, "2026-06-02T11:59:59.999Z");
	harness_ok(o, keyed(h, author, "k", POST, "{'data':{'title':'One'}}"));
	assert_true(o->replayed);
	/* A replay does not extend the lifetime of the key. */
	harness_clock(h, "2026-06-02T12:00:00.000Z");
	harness_ok(o, keyed(h, author, "k", POST, "{'data':{'title':'Two'}}"));
	assert_false(o->replayed);
	assert_int_equal(stored(h), 1);
	harness_ok(o, keyed(h, author, "k", POST, "{'data':{'title':'Two'}}"));
	assert_true(o->replayed);
	assert_int_equal(total(h, author, "status=draft"), 2);
}

static void
old_keys_go_a_few_at_a_time(void **state)
{
	struct harness *h = *state;
	char key[16];

	for (int i = 0; i < 40; i++) {
		snprintf(key, sizeof(key), "old-%d", i);
		assert_ok(keyed(h, author, key, POST, "{'data':{'title':'One'}}"));
	}
	assert_int_equal(stored(h), 40);
	harness_clock(h, "2026-06-03T00:00:00.000Z");
	for (int i = 0; i < 4; i++) {
		static const int left[] = { 25, 10, 3, 4 };

		snprintf(key, sizeof(key), "new-%d", i);
		assert_ok(keyed(h, author, key, POST, "{'data':{'title':'One'}}"));
		assert_int_equal(stored(h), left[i]);
	}
}

static void
what_is_no_key_is_refused(void **state)
{
	struct harness *h = *state;
	char key[257];
	struct outcome *o;
	static const char *const bad[] = { "", "two words", "caf\xc3\xa9", "a\tb",
		"one\r\nIdempotency-Key: one" };

	for (size_t i = 0; i < COUNT(bad); i++) {
		o = keyed(h, author, bad[i], POST, "{'data':{'title':'One'}}");
		assert_code(o, "VALIDATION_ERROR");
		assert_int_equal(o->http, 400);
		assert_true(harness_issue(o, "Idempotency-Key"));
	}
	memset(key, 'k', 256);
	key[256] = '\0';
	assert_code(keyed(h, author, key, POST, "{'data':{'title':'One'}}"), "VALIDATION_ERROR");
	assert_int_equal(total(h, author, "status=draft"), 0);
	key[255] = '\0';
	assert_ok(keyed(h, author, key, POST, "{'data':{'title':'One'}}"));
	harness_ok(o, keyed(h, author, key, POST, "{'data':{'title':'One'}}"));
	assert_true(o->replayed);
	assert_ok(keyed(h, author, "!", POST, "{'data':{'title':'One'}}"));
	assert_ok(keyed(h, author, "\"8e03978e~\"", POST, "{'data':{'title':'One'}}"));
}

static void
a_refusal_by_the_handler_is_repeated_too(void **state)
{
	struct harness *h = *state;
	char id[27], request[128], first[2048];
	struct outcome *o;

	make(h, author, id, "{'slug':'taken','data':{'title':'One'}}");
	o = keyed(h, author, "k", POST, "{'slug':'taken','data':{'title':'Two'}}");
	assert_int_equal(o->http, 409);
	assert_string_equal(o->code, "SLUG_CONFLICT");
	assert_false(o->replayed);
	snprintf(first, sizeof(first), "%s", o->text);
	snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	harness_ok(o, ask(h, author, "GET " BASE "/%s", id));
	assert_ok(
	    say(h, author, request, "{'_rev':'%s','slug':'free'}", harness_text(o->data, "_rev")));
	o = keyed(h, author, "k", POST, "{'slug':'taken','data':{'title':'Two'}}");
	assert_int_equal(o->http, 409);
	assert_true(o->replayed);
	assert_string_equal(o->text, first);
	/* A new key is a new attempt. */
	assert_ok(keyed(h, author, "k2", POST, "{'slug':'taken','data':{'title':'Two'}}"));
}

static void
a_refusal_before_the_handler_leaves_the_key_free(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_code(keyed(h, author, "k", POST, "{'data':"), "INVALID_JSON");
	assert_code(keyed(h, author, "k", POST, "{'nonsense':1}"), "VALIDATION_ERROR");
	assert_int_equal(stored(h), 0);
	harness_ok(o, keyed(h, author, "k", POST, "{'data':{'title':'One'}}"));
	assert_false(o->replayed);
}

static void
reads_and_requests_without_a_key_store_nothing(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, author, id, "{'data':{'title':'One'}}");
	assert_ok(keyed(h, author, "k", "GET " BASE, NULL));
	assert_ok(keyed(h, author, "k", "GET " BASE "?limit=1", NULL));
	assert_ok(keyed(h, author, "not a key", "GET " BASE, NULL));
	assert_int_equal(stored(h), 0);
	/* Ops called by tools and commands have no headers, and so no keys. */
	assert_ok(harness_op(h, author, "content_create",
	    "{\"collection\":\"posts\",\"data\":{\"title\":\"One\"}}"));
	assert_int_equal(stored(h), 0);
}

static void
a_secret_is_not_stored(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", "[\"admin\"]", NULL);
	struct harness_user ann = { .id = p.id, .role = 50 };
	static const char body[] = "{'name':'ci','scopes':['content:read']}";
	struct outcome *o;

	harness_ok(o, keyed(h, &ann, "k", "POST /admin/api-tokens", body));
	assert_int_equal(strncmp(harness_text(o->data, "token"), "cms_pat_", 8), 0);
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM idempotency WHERE body IS NULL"), "1");
	o = keyed(h, &ann, "k", "POST /admin/api-tokens", body);
	assert_code(o, "CONFLICT");
	assert_non_null(strstr(o->message, "secret"));
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM api_tokens WHERE name = 'ci'"), "1");
}

static enum stet_status
plans_search(struct stet_call *call, void *arg)
{
	static const char *const sql[] = {
		"EXPLAIN QUERY PLAN SELECT digest FROM idempotency WHERE principal = 'a'"
		" AND key = 'b' AND created_at > 'c'",
		"EXPLAIN QUERY PLAN DELETE FROM idempotency WHERE (principal, key) IN (SELECT"
		" principal, key FROM idempotency WHERE created_at <= 'c' ORDER BY created_at"
		" LIMIT 16)",
	};
	struct stet_rows rows;

	(void)arg;
	for (size_t i = 0; i < COUNT(sql); i++) {
		STET_TRY(stet_query(call, &rows, sql[i], STET_NO_ARGS));
		while (stet_row(&rows)) {
			const char *step = stet_col_str(&rows, 3);

			if (strncmp(step, "SCAN", 4) == 0 || strstr(step, "TEMP B-TREE") != NULL)
				fail_msg("%s: %s", sql[i], step);
		}
		STET_TRY(stet_rows_end(&rows));
	}
	return STET_OK;
}

static void
keys_are_found_and_swept_by_an_index(void **state)
{
	assert_int_equal(inside_write(*state, plans_search, NULL), STET_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_repeated_request_is_answered_as_before),
		check(an_update_is_not_in_conflict_with_itself),
		check(another_request_with_the_key_is_a_conflict),
		check(keys_belong_to_their_principal),
		check(a_key_lives_24_hours),
		check(old_keys_go_a_few_at_a_time),
		check(what_is_no_key_is_refused),
		check(a_refusal_by_the_handler_is_repeated_too),
		check(a_refusal_before_the_handler_leaves_the_key_free),
		check(reads_and_requests_without_a_key_store_nothing),
		check(a_secret_is_not_stored),
		check(keys_are_found_and_swept_by_an_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
