/* tokens - users and tokens: creating, listing and revoking them. */
#include "call/site.h"
#include "people.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL "[\"admin\"]"

/* ---- POST /admin/api-tokens ---- */

static void
a_token_is_shown_once(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	struct outcome *o;
	char token[80];

	harness_ok(
	    o, person_ask(h, p.token, "POST /admin/api-tokens",
		   "{\"name\":\"ci\",\"scopes\":[\"content:read\",\"mcp:tools:word-count\"]}"));
	assert_int_equal(o->http, 201);
	assert_int_equal(json_object_size(o->data), 2);
	snprintf(token, sizeof(token), "%s", harness_text(o->data, "token"));
	assert_int_equal(strlen(token), 51);
	assert_int_equal(
	    strspn(token + 8, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
	    43);
	assert_memory_equal(token, "cms_pat_", 8);
	assert_int_equal(json_object_size(json_object_get(o->data, "info")), 8);
	assert_true(stet_is_id(harness_text(o->data, "info.id")));
	assert_string_equal(harness_text(o->data, "info.name"), "ci");
	assert_int_equal(strlen(harness_text(o->data, "info.prefix")), 12);
	assert_memory_equal(harness_text(o->data, "info.prefix"), token, 12);
	assert_string_equal(harness_text(o->data, "info.scopes[0]"), "content:read");
	assert_string_equal(harness_text(o->data, "info.scopes[1]"), "mcp:tools:word-count");
	assert_string_equal(harness_text(o->data, "info.userId"), p.id);
	assert_true(json_is_null(harness_at(o->data, "info.expiresAt")));
	assert_true(json_is_null(harness_at(o->data, "info.lastUsedAt")));
	assert_string_equal(harness_text(o->data, "info.createdAt"), "2026-06-01T12:00:00.000Z");
	harness_ok(o, person_ask(h, p.token, "GET /admin/api-tokens", NULL));
	assert_null(strstr(o->text, token));
}

static void
only_who_signed_in_recently_makes_a_token(void **state)
{
	static const char body[] = "{\"name\":\"x\",\"scopes\":[\"content:read\"]}";
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	struct harness_user session = { .id = p.id, .role = 50, .session = true };
	struct outcome *o;

	harness_clock(h, "2026-11-20T12:00:00.000Z");
	session.signed_in = 10 * 60000;
	assert_int_equal(
	    harness_request(h, &session, "POST /admin/api-tokens", NULL, body)->http, 201);
	session.signed_in++;
	o = harness_request(h, &session, "POST /admin/api-tokens", NULL, body);
	assert_int_equal(o->http, 403);
	assert_code(o, "REAUTH_REQUIRED");
	/* Listing tokens needs no recent sign-in. */
	assert_ok(harness_request(h, &session, "GET /admin/api-tokens", NULL, NULL));
}

static void
tokens_differ(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	char first[80];
	struct outcome *o;

	harness_ok(o, person_ask(h, p.token, "POST /admin/api-tokens",
			  "{\"name\":\"n\",\"scopes\":[\"admin\"]}"));
	snprintf(first, sizeof(first), "%s", harness_text(o->data, "token"));
	harness_ok(o, person_ask(h, p.token, "POST /admin/api-tokens",
			  "{\"name\":\"n\",\"scopes\":[\"admin\"]}"));
	assert_string_not_equal(first, harness_text(o->data, "token"));
}

static void
bad_tokens_are_refused_with_every_problem(void **state)
{
	static const struct {
		const char *body, *path;
	} bad[] = {
		{ "{\"scopes\":[\"admin\"]}", "name" },
		{ "{\"name\":\"\",\"scopes\":[\"admin\"]}", "name" },
		{ "{\"name\":7,\"scopes\":[\"admin\"]}", "name" },
		{ "{\"name\":null,\"scopes\":[\"admin\"]}", "name" },
		{ "{\"name\":\"n\"}", "scopes" },
		{ "{\"name\":\"n\",\"scopes\":[]}", "scopes" },
		{ "{\"name\":\"n\",\"scopes\":\"admin\"}", "scopes" },
		{ "{\"name\":\"n\",\"scopes\":[7]}", "scopes[0]" },
		{ "{\"name\":\"n\",\"scopes\":[\"admin\",\"root\"]}", "scopes[1]" },
		{ "{\"name\":\"n\",\"scopes\":[\"__proto__\"]}", "scopes[0]" },
		{ "{\"name\":\"n\",\"scopes\":[\"admin \"]}", "scopes[0]" },
		{ "{\"name\":\"n\",\"scopes\":[\"admin content:read\"]}", "scopes[0]" },
		{ "{\"name\":\"n\",\"scopes\":[\"admin\\n\"]}", "scopes[0]" },
		{ "{\"name\":\"n\",\"scopes\":[\"Admin\"]}", "scopes[0]" },
		{ "{\"name\":\"n\",\"scopes\":[\"admin\",\"collection:posts\"]}", "scopes" },
		{ "{\"name\":\"n\",\"scopes\":[\"collection:posts\",\"schema:write\"]}", "scopes" },
		{ "{\"name\":\"n\",\"scopes\":[\"mcp:tools:\"]}", "scopes[0]" },
		{ "{\"name\":\"n\",\"scopes\":[\"mcp:tools:9x\"]}", "scopes[0]" },
		{ "{\"name\":\"n\",\"scopes\":[\"mcp:tools:Word\"]}", "scopes[0]" },
		{ "{\"name\":\"n\",\"scopes\":[\"admin\"],\"expiresAt\":\"soon\"}", "expiresAt" },
		{ "{\"name\":\"n\",\"scopes\":[\"admin\"],\"expiresAt\":\"2026-02-30T00:00:00Z\"}",
		    "expiresAt" },
		{ "{\"name\":\"n\",\"scopes\":[\"admin\"],\"expiresAt\":1}", "expiresAt" },
		{ "{\"name\":\"n\",\"scopes\":[\"admin\"],\"userId\":\"x\"}", "userId" },
		{ "{\"name\":\"n\",\"scopes\":[\"admin\"],\"token\":\"cms_pat_x\"}", "token" },
	};
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	struct outcome *o;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		o = person_ask(h, p.token, "POST /admin/api-tokens", bad[i].body);
		assert_code(o, "VALIDATION_ERROR");
		assert_int_equal(o->http, 400);
		if (!harness_issue(o, bad[i].path))
			fail_msg("no issue about %s: %s", bad[i].path, o->text);
	}
	o = person_ask(
	    h, p.token, "POST /admin/api-tokens", "{\"name\":\"\",\"scopes\":[\"x\",\"y\"]}");
	assert_true(harness_issue(o, "name") && harness_issue(o, "scopes[0]") &&
		    harness_issue(o, "scopes[1]"));
	harness_ok(o, person_ask(h, p.token, "GET /admin/api-tokens", NULL));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
}

static void
a_name_counts_characters(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	char body[512] = "{\"scopes\":[\"admin\"],\"name\":\"", *at = body + strlen(body);

	for (int i = 0; i < 100; i++, at += 2)
		memcpy(at, "\xc3\xa9", 3);
	memcpy(at, "\"}", 3);
	assert_ok(person_ask(h, p.token, "POST /admin/api-tokens", body));
	memcpy(at, "x\"}", 4);
	assert_code(person_ask(h, p.token, "POST /admin/api-tokens", body), "VALIDATION_ERROR");
}

static void
every_scope_is_accepted_and_kept_once(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	struct outcome *o;

	harness_ok(o, person_ask(h, p.token, "POST /admin/api-tokens",
			  "{\"name\":\"n\",\"scopes\":[\"content:read\",\"content:write\","
			  "\"media:read\",\"media:write\",\"schema:read\",\"schema:write\","
			  "\"taxonomies:manage\",\"menus:manage\",\"settings:read\","
			  "\"settings:manage\",\"mcp:tools\",\"mcp:tools:a_b-1\",\"admin\","
			  "\"content:read\",\"admin\"]}"));
	assert_int_equal(json_array_size(harness_at(o->data, "info.scopes")), 13);
	assert_string_equal(harness_text(o->data, "info.scopes[12]"), "admin");
}

static void
ends_are_normalised_and_may_be_past(void **state)
{
	static const char *const ends[][2] = {
		{ "2026-12-24T18:30:00+01:00", "2026-12-24T17:30:00.000Z" },
		{ "2026-12-24T18:30:00.5Z", "2026-12-24T18:30:00.500Z" },
		{ "2020-01-01", "2020-01-01T00:00:00.000Z" },
	};
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);
	struct outcome *o;
	char body[128], dead[64];

	for (size_t i = 0; i < 3; i++) {
		snprintf(body, sizeof(body),
		    "{\"name\":\"n\",\"scopes\":[\"admin\"],\"expiresAt\":\"%s\"}", ends[i][0]);
		harness_ok(o, person_ask(h, p.token, "POST /admin/api-tokens", body));
		assert_string_equal(harness_text(o->data, "info.expiresAt"), ends[i][1]);
		snprintf(dead, sizeof(dead), "%s", harness_text(o->data, "token"));
	}
	assert_code(person_ask(h, dead, "GET /auth/me", NULL), "UNAUTHORIZED");
	harness_ok(o, person_ask(h, p.token, "POST /admin/api-tokens",
			  "{\"name\":\"n\",\"scopes\":[\"admin\"],\"expiresAt\":null}"));
	assert_true(json_is_null(harness_at(o->data, "info.expiresAt")));
}

/* ---- who may ---- */

static void
tokens_are_for_admins_with_the_header(void **state)
{
	static const char *const requests[] = { "POST /admin/api-tokens", "GET /admin/api-tokens",
		"DELETE /admin/api-tokens/01ARZ3NDEKTSV4RRFFQ69G5FAV" };
	static const char body[] = "{\"name\":\"n\",\"scopes\":[\"admin\"]}";
	static const struct harness_user reader = { .id = "01USERADMIN000000000000051",
		.role = 50,
		.scopes = "content:read content:write mcp:tools" };
	struct harness *h = *state;

	for (size_t i = 0; i < 3; i++) {
		const char *b = i == 0 ? body : NULL;

		assert_code(harness_request(h, nobody, requests[i], NULL, b), "UNAUTHORIZED");
		assert_code(harness_request(h, nobody, requests[i], "", b), "UNAUTHORIZED");
		assert_code(harness_request(h, subscriber, requests[i], NULL, b), "FORBIDDEN");
		assert_code(harness_request(h, editor, requests[i], NULL, b), "FORBIDDEN");
		assert_code(
		    harness_request(h, &reader, requests[i], NULL, b), "INSUFFICIENT_SCOPE");
		if (i != 1)
			assert_code(harness_request(h, admin, requests[i], "", b), "CSRF_REJECTED");
	}
	assert_ok(harness_request(h, admin, "GET /admin/api-tokens", "", NULL));
}

static void
commands_are_no_routes_and_need_an_admin(void **state)
{
	static const char *const ops[][2] = {
		{ "user_add", "{\"email\":\"x@example.org\",\"role\":\"admin\"}" },
		{ "user_list", "" },
		{ "token_add", "{\"email\":\"a@b.org\",\"name\":\"n\",\"scope\":[\"admin\"]}" },
		{ "token_list_of", "{\"email\":\"a@b.org\"}" },
		{ "token_revoke_any", "{\"id\":\"01ARZ3NDEKTSV4RRFFQ69G5FAV\"}" },
	};
	struct generation *gen = site_generation(harness_site(*state));

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		const struct op *op = generation_op(gen, ops[i][0]);

		assert_non_null(op);
		assert_null(op->route);
		assert_int_equal(op->row.flags & STET_TOOL, 0);
		assert_code(harness_op(*state, nobody, ops[i][0], "%s", ops[i][1]), "UNAUTHORIZED");
		assert_code(harness_op(*state, editor, ops[i][0], "%s", ops[i][1]), "FORBIDDEN");
	}
	generation_put(gen);
}

/* ---- listed, revoked ---- */

static void
one_lists_ones_own_newest_first(void **state)
{
	struct harness *h = *state;
	struct person ann = person_make(h, "ann@example.org", "admin", ALL, NULL);
	struct person bob = person_make(h, "bob@example.org", "admin", ALL, NULL);
	struct outcome *o;
	char body[64];

	for (int i = 0; i < 3; i++) {
		snprintf(body, sizeof(body), "{\"name\":\"n%d\",\"scopes\":[\"admin\"]}", i);
		assert_ok(person_ask(h, ann.token, "POST /admin/api-tokens", body));
	}
	harness_ok(o, person_ask(h, ann.token, "GET /admin/api-tokens", NULL));
	assert_int_equal(json_object_size(o->data), 1);
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 4);
	assert_string_equal(harness_text(o->data, "items[0].name"), "n2");
	assert_string_equal(harness_text(o->data, "items[2].name"), "n0");
	assert_string_equal(harness_text(o->data, "items[3].id"), ann.token_id);
	harness_ok(o, person_ask(h, bob.token, "GET /admin/api-tokens", NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].id"), bob.token_id);
}

static void
one_revokes_ones_own_only(void **state)
{
	struct harness *h = *state;
	struct person ann = person_make(h, "ann@example.org", "admin", ALL, NULL);
	struct person bob = person_make(h, "bob@example.org", "admin", ALL, NULL);
	struct outcome *o;
	char request[80];

	snprintf(request, sizeof(request), "DELETE /admin/api-tokens/%s", bob.token_id);
	o = person_ask(h, ann.token, request, NULL);
	assert_code(o, "NOT_FOUND");
	assert_int_equal(o->http, 404);
	assert_ok(person_ask(h, bob.token, "GET /auth/me", NULL));
	harness_ok(o, person_ask(h, bob.token, request, NULL));
	assert_true(json_is_true(json_object_get(o->data, "revoked")));
	assert_code(person_ask(h, bob.token, "GET /auth/me", NULL), "UNAUTHORIZED");
	assert_code(
	    person_ask(h, ann.token, "DELETE /admin/api-tokens/nothing", NULL), "NOT_FOUND");
	assert_code(person_ask(h, ann.token, "DELETE /admin/api-tokens/%00", NULL), "NOT_FOUND");
}

static void
a_command_lists_and_revokes_anyones(void **state)
{
	struct harness *h = *state;
	struct person ann = person_make(h, "ann@example.org", "author", ALL, NULL);
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "token_list_of", "{\"email\":\"ANN@Example.org\"}"));
	assert_string_equal(harness_text(o->data, "items[0].id"), ann.token_id);
	assert_code(
	    harness_op(h, admin, "token_list_of", "{\"email\":\"no@example.org\"}"), "NOT_FOUND");
	assert_ok(harness_op(h, admin, "token_revoke_any", "{\"id\":\"%s\"}", ann.token_id));
	assert_code(
	    harness_op(h, admin, "token_revoke_any", "{\"id\":\"%s\"}", ann.token_id), "NOT_FOUND");
	assert_code(person_ask(h, ann.token, "GET /auth/me", NULL), "UNAUTHORIZED");
}

static void
a_token_needs_a_user(void **state)
{
	struct harness *h = *state;
	static const struct harness_user system = { .id = "", .role = 50 };

	assert_code(
	    harness_op(h, &system, "token_create", "{\"name\":\"n\",\"scopes\":[\"admin\"]}"),
	    "INVALID_REQUEST");
	assert_code(harness_op(h, admin, "token_add",
			"{\"email\":\"no@example.org\",\"name\":\"n\",\"scope\":[\"admin\"]}"),
	    "NOT_FOUND");
	assert_code(harness_op(h, admin, "token_add",
			"{\"email\":\"no@example.org\",\"name\":\"n\",\"scope\":[\"root\"]}"),
	    "VALIDATION_ERROR");
}

/* ---- users ---- */

static void
addresses_are_kept_in_lower_case(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(
	    o, harness_op(h, admin, "user_add",
		   "{\"email\":\"Ann.B+c@Example.ORG\",\"name\":\"Ann\",\"role\":\"author\"}"));
	assert_string_equal(harness_text(o->data, "email"), "ann.b+c@example.org");
	assert_string_equal(harness_text(o->data, "role"), "author");
	assert_true(json_is_false(json_object_get(o->data, "disabled")));
	o = harness_op(
	    h, admin, "user_add", "{\"email\":\"ANN.B+C@example.org\",\"role\":\"admin\"}");
	assert_code(o, "USER_EXISTS");
	assert_int_equal(o->http, 409);
	harness_ok(o, harness_op(h, admin, "user_list", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].role"), "author");
}

static void
what_is_no_address_is_refused(void **state)
{
	static const char *const bad[] = { "", "x", "@example.org", "a@", "a@b", "a@b.", "a@.b",
		"a b@example.org", "a@exa mple.org", ".a@example.org", "a.@example.org",
		"a..b@example.org", "a@-b.org", "a@b-.org", "a@b..org", "a@b.o", "a@b.123",
		"a@@example.org", "a@example.org\\n", "a@example.org ", "<a@example.org>",
		"\\u00e9@example.org", "a@ex\\u00e4mple.org", "a,b@example.org", "a@[127.0.0.1]" };
	static const char *const good[] = { "a@b.co", "o'hara@example.org", "a_b@x-y.example.org",
		"a@xn--bcher-kva.example", "a@example.xn--p1ai", "1@2.org",
		"A!#$%%&*+/=?^`{|}~-@b.org" };
	struct harness *h = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct outcome *o = harness_op(
		    h, admin, "user_add", "{\"email\":\"%s\",\"role\":\"admin\"}", bad[i]);

		if (strcmp(o->code, "VALIDATION_ERROR") != 0 || !harness_issue(o, "email"))
			fail_msg("%s: %s", bad[i], o->text);
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_ok(harness_op(
		    h, admin, "user_add", "{\"email\":\"%s\",\"role\":\"admin\"}", good[i]));
}

static void
an_address_has_its_limits(void **state)
{
	struct harness *h = *state;
	/* Four labels of 59 characters. */
#define LABEL "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb."
	static const char domain[] = LABEL LABEL LABEL LABEL;
	char local[80];

	memset(local, 'a', sizeof(local));
	assert_ok(harness_op(
	    h, admin, "user_add", "{\"email\":\"%.64s@b.org\",\"role\":\"admin\"}", local));
	assert_code(harness_op(h, admin, "user_add",
			"{\"email\":\"%.65s@b.org\",\"role\":\"admin\"}", local),
	    "VALIDATION_ERROR");
	assert_ok(harness_op(
	    h, admin, "user_add", "{\"email\":\"%.8s@%sorg\",\"role\":\"admin\"}", local, domain));
	assert_code(harness_op(h, admin, "user_add",
			"{\"email\":\"%.40s@%sorg\",\"role\":\"admin\"}", local, domain),
	    "VALIDATION_ERROR");
}

static void
a_role_is_one_of_five(void **state)
{
	static const struct {
		const char *name;
		int number;
	} roles[] = { { "admin", 50 }, { "editor", 40 }, { "author", 30 }, { "contributor", 20 },
		{ "subscriber", 10 } };
	static const char *const bad[] = { "\"root\"", "\"Admin\"", "50", "\"\"", "null",
		"[\"admin\"]" };
	struct harness *h = *state;
	struct outcome *o;
	char email[64];

	for (size_t i = 0; i < 5; i++) {
		struct person p;

		snprintf(email, sizeof(email), "%s@example.org", roles[i].name);
		p = person_make(h, email, roles[i].name, ALL, NULL);
		harness_ok(o, person_ask(h, p.token, "GET /auth/me", NULL));
		assert_int_equal(harness_int(o->data, "role"), roles[i].number);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		o = harness_op(
		    h, admin, "user_add", "{\"email\":\"x@example.org\",\"role\":%s}", bad[i]);
		assert_code(o, "VALIDATION_ERROR");
		assert_true(harness_issue(o, "role"));
	}
	assert_code(
	    harness_op(h, admin, "user_add", "{\"email\":\"x@example.org\"}"), "VALIDATION_ERROR");
	harness_ok(o, harness_op(h, admin, "user_list", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 5);
	assert_string_equal(harness_text(o->data, "items[0].email"), "admin@example.org");
	assert_string_equal(harness_text(o->data, "items[4].email"), "subscriber@example.org");
}

static void
users_and_tokens_outlive_a_restart(void **state)
{
	struct harness *h = *state;
	struct person p = person_make(h, "ann@example.org", "admin", ALL, NULL);

	h = harness_again(h);
	*state = h;
	assert_ok(person_ask(h, p.token, "GET /auth/me", NULL));
}

#define T(fn) cmocka_unit_test_setup_teardown(fn, person_begin, person_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_token_is_shown_once),
		T(only_who_signed_in_recently_makes_a_token),
		T(tokens_differ),
		T(bad_tokens_are_refused_with_every_problem),
		T(a_name_counts_characters),
		T(every_scope_is_accepted_and_kept_once),
		T(ends_are_normalised_and_may_be_past),
		T(tokens_are_for_admins_with_the_header),
		T(commands_are_no_routes_and_need_an_admin),
		T(one_lists_ones_own_newest_first),
		T(one_revokes_ones_own_only),
		T(a_command_lists_and_revokes_anyones),
		T(a_token_needs_a_user),
		T(addresses_are_kept_in_lower_case),
		T(what_is_no_address_is_refused),
		T(an_address_has_its_limits),
		T(a_role_is_one_of_five),
		T(users_and_tokens_outlive_a_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
