/* delivery.c - delivery tokens: they read published content, and belong to no user. */
#include "call/site.h"
#include "http/http1.h"
#include "people.h"
#include "site/site.h"
#include <stdio.h>
#include <stdlib.h>

static char token[64], id[27];

static void
add(struct harness *h, const char *more)
{
	struct outcome *o;

	harness_ok(
	    o, harness_op(h, admin, "token_add", "{\"delivery\":true,\"name\":\"site\"%s}", more));
	(void)snprintf(token, sizeof(token), "%s", harness_text(o->data, "token"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "info.id"));
	assert_memory_equal(token, "cms_dlv_", 8);
	assert_int_equal(strlen(token), 51);
	assert_true(json_is_null(harness_at(o->data, "info.userId")));
	assert_string_equal(harness_text(o->data, "info.scopes[0]"), "content:read");
}

static void
posts(struct harness *h)
{
	assert_ok(harness_send(h, admin, "POST /schema/collections",
	    "{\"slug\":\"posts\",\"label\":\"P\",\"supports\":[\"drafts\",\"revisions\"]}"));
	assert_ok(harness_send(h, admin, "POST /schema/collections/posts/fields",
	    "{\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}"));
	assert_ok(harness_send(h, author, "POST /content/posts",
	    "{\"slug\":\"open\",\"status\":\"published\",\"data\":{\"title\":\"Open\"}}"));
	assert_ok(harness_send(h, author, "POST /content/posts",
	    "{\"slug\":\"shut\",\"data\":{\"title\":\"Secret\"}}"));
}

static void
it_reads_what_is_published(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	posts(h);
	add(h, "");
	harness_ok(o, person_ask(h, token, "GET /content/posts", NULL));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	assert_null(strstr(o->text, "Secret"));
	assert_ok(person_ask(h, token, "GET /content/posts/open", NULL));
	assert_code(person_ask(h, token, "GET /content/posts/shut", NULL), "NOT_FOUND");
	assert_ok(person_ask(h, token, "GET /menus", NULL));
	assert_ok(person_ask(h, token, "GET /taxonomies", NULL));
}

/* Calls every op of the site: no writing op may accept the token. */
static void
it_changes_nothing_and_is_nobody(void **state)
{
	struct harness *h = *state;
	const struct generation *gen = harness_site(h)->current;
	int refused = 0;

	posts(h);
	add(h, "");
	for (const struct op *op = gen->op; op < gen->op + gen->op_count; op++) {
		bool open = (op->row.flags & (STET_PUBLIC | STET_ANY_SCOPE)) != 0;
		struct outcome *o;
		char line[256];

		if (op->route == NULL || open || (op->method == HTTP_GET))
			continue;
		(void)snprintf(line, sizeof(line), "%.*s /%s", (int)strcspn(op->route, " "),
		    op->route, strchr(op->route, '/'));
		o = person_ask(h, token, line, op->method == HTTP_DELETE ? NULL : "{}");
		if (o->http != 403 && o->http != 404 && o->http != 400)
			fail_msg("%s: %d %s", line, o->http, o->text);
		refused += o->http == 403;
	}
	assert_true(refused > 100);
	assert_code(person_ask(h, token, "GET /auth/me", NULL), "INSUFFICIENT_SCOPE");
	assert_code(
	    person_ask(h, token, "POST /content/posts", "{\"data\":{}}"), "INSUFFICIENT_SCOPE");
	assert_code(person_ask(h, token, "GET /content/posts/open/revisions", NULL), "FORBIDDEN");
	assert_code(person_ask(h, token, "GET /admin/users", NULL), "INSUFFICIENT_SCOPE");
}

/* What a site needs besides items: pictures, and the public part of the settings, whether or not
 * everybody gets that. */
static void
it_reads_media_definitions_and_public_settings(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	posts(h);
	assert_ok(harness_send(h, admin, "POST /settings",
	    "{\"siteTitle\":\"The Margin\",\"seo\":{\"googleVerification\":\"secret\"}}"));
	add(h, "");
	assert_code(harness_request(h, nobody, "GET /settings", NULL, NULL), "UNAUTHORIZED");
	harness_ok(o, person_ask(h, token, "GET /settings", NULL));
	assert_string_equal(harness_text(o->data, "siteTitle"), "The Margin");
	assert_null(strstr(o->text, "secret"));
	harness_ok(o, person_ask(h, token, "GET /media", NULL));
	assert_ok(person_ask(h, token, "GET /content/posts?include=media", NULL));
	assert_ok(person_ask(h, token, "GET /schema", NULL));
	harness_ok(o, person_ask(h, token, "GET /schema/collections", NULL));
	assert_non_null(strstr(o->text, "\"posts\""));
	assert_code(harness_request(h, nobody, "GET /schema", NULL, NULL), "UNAUTHORIZED");
}

static void
it_ends_when_it_is_revoked_or_due(void **state)
{
	struct harness *h = *state;
	char call[80];

	add(h, "");
	assert_ok(person_ask(h, token, "GET /menus", NULL));
	(void)snprintf(call, sizeof(call), "{\"id\":\"%s\"}", id);
	assert_ok(harness_op(h, admin, "token_revoke_any", "%s", call));
	assert_code(harness_op(h, admin, "token_revoke_any", "%s", call), "NOT_FOUND");
	assert_code(person_ask(h, token, "GET /menus", NULL), "UNAUTHORIZED");
	add(h, ",\"expires\":\"2026-06-01T13:00:00Z\"");
	assert_ok(person_ask(h, token, "GET /menus", NULL));
	harness_clock(h, "2026-06-01T13:00:00.000Z");
	assert_code(person_ask(h, token, "GET /menus", NULL), "UNAUTHORIZED");
}

static void
it_is_exact(void **state)
{
	struct harness *h = *state;
	char wrong[64];

	add(h, "");
	for (size_t i = 0; i < strlen(token); i++) {
		(void)snprintf(wrong, sizeof(wrong), "%s", token);
		wrong[i] = wrong[i] == 'x' ? 'y' : 'x';
		assert_code(person_ask(h, wrong, "GET /menus", NULL), "UNAUTHORIZED");
	}
	/* The secret of a delivery token is not accepted with the prefix of another kind. */
	(void)snprintf(wrong, sizeof(wrong), "cms_pat_%s", token + 8);
	assert_code(person_ask(h, wrong, "GET /menus", NULL), "UNAUTHORIZED");
}

static void
administrators_make_list_and_revoke_it(void **state)
{
	struct harness *h = *state;
	char request[80];
	struct outcome *o;

	harness_ok(o, harness_send(h, admin, "POST /admin/delivery-tokens", "{\"name\":\"a\"}"));
	assert_int_equal(o->http, 201);
	(void)snprintf(request, sizeof(request), "DELETE /admin/delivery-tokens/%s",
	    harness_text(o->data, "info.id"));
	assert_code(harness_send(h, editor, "POST /admin/delivery-tokens", "{\"name\":\"a\"}"),
	    "FORBIDDEN");
	harness_ok(o, harness_request(h, admin, "GET /admin/delivery-tokens", NULL, NULL));
	assert_string_equal(harness_text(o->data, "items[0].name"), "a");
	assert_null(strstr(o->text, "hash"));
	harness_ok(o, harness_op(h, admin, "token_list_of", "{\"delivery\":true}"));
	assert_string_equal(harness_text(o->data, "items[0].name"), "a");
	assert_ok(harness_request(h, admin, request, NULL, NULL));
	assert_code(harness_request(h, admin, request, NULL, NULL), "NOT_FOUND");
	harness_ok(o, harness_op(h, admin, "token_list_of", "{\"delivery\":true}"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 0);
}

static void
it_has_no_user_and_no_other_scope(void **state)
{
	struct outcome *o;

	o = harness_op(*state, admin, "token_add",
	    "{\"delivery\":true,\"name\":\"x\",\"email\":\"a@example.org\",\"scope\":[\"admin\"]}");
	assert_true(harness_issue(o, "email"));
	assert_true(harness_issue(o, "scope"));
	o = harness_op(*state, admin, "token_add", "{\"name\":\"x\"}");
	assert_true(harness_issue(o, "email"));
	assert_true(harness_issue(o, "scope"));
	assert_true(harness_issue(harness_op(*state, admin, "token_list_of", "{}"), "email"));
	add(*state, ",\"scope\":[\"content:read\"]");
}

int
main(void)
{
#define t(name) cmocka_unit_test_setup_teardown(name, person_begin, person_end)
	const struct CMUnitTest tests[] = {
		t(it_reads_what_is_published),
		t(it_changes_nothing_and_is_nobody),
		t(it_reads_media_definitions_and_public_settings),
		t(it_ends_when_it_is_revoked_or_due),
		t(it_is_exact),
		t(administrators_make_list_and_revoke_it),
		t(it_has_no_user_and_no_other_scope),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
