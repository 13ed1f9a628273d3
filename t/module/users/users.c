/* users.t - managing users: lists, changes, allowed domains, the last administrator. */
#include "people.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL "[\"admin\"]"

static struct outcome *
on_user(struct harness *h, const struct harness_user *who, const char *verb, const char *id,
    const char *body)
{
	char request[128];
	const char *space = strchr(verb, ' ');
	int len = space != NULL ? (int)(space - verb) : (int)strlen(verb);

	snprintf(request, sizeof(request), "%.*s /admin/users/%s%s%s", len, verb, id,
	    space != NULL ? "/" : "", space != NULL ? space + 1 : "");
	return harness_request(h, who, request, NULL, body);
}

static struct person
add(struct harness *h, const char *email, const char *role)
{
	return person_make(h, email, role, ALL, NULL);
}

static size_t
count(const struct outcome *o)
{
	return json_array_size(harness_at(o->data, "items"));
}

/* ---- lists ---- */

static void
a_user_has_all_members(void **state)
{
	struct harness *h = *state;
	struct person p = add(h, "Ann@Example.org", "editor");
	struct outcome *o;

	harness_ok(o, on_user(h, admin, "GET", p.id, NULL));
	for (int i = 0; i < 2; i++) {
		json_t *u = harness_at(o->data, i == 0 ? "item" : "items[0]");

		assert_int_equal(json_object_size(u), 10);
		assert_string_equal(harness_text(u, "id"), p.id);
		assert_string_equal(harness_text(u, "email"), "ann@example.org");
		assert_string_equal(harness_text(u, "name"), "Some One");
		assert_int_equal(harness_int(u, "role"), 40);
		assert_true(json_is_false(harness_at(u, "disabled")));
		assert_true(json_is_false(harness_at(u, "emailVerified")));
		assert_true(json_is_null(harness_at(u, "avatarUrl")));
		assert_true(json_is_null(harness_at(u, "lastLogin")));
		assert_string_equal(harness_text(u, "createdAt"), "2026-06-01T12:00:00.000Z");
		harness_ok(o, harness_request(h, admin, "GET /admin/users", NULL, NULL));
		assert_null(harness_at(o->data, "nextCursor"));
	}
}

/* Users created in the same millisecond occur once each in the pages, since the id breaks ties. */
static void
pages_are_whole_also_among_users_of_one_moment(void **state)
{
	struct harness *h = *state;
	char email[40], request[2200] = "GET /admin/users?limit=3", seen[8][27];
	struct outcome *o;
	size_t n = 0;
	int pages = 0;

	for (int i = 0; i < 7; i++) {
		snprintf(email, sizeof(email), "u%d@example.org", i);
		if (i == 5)
			harness_clock(h, "2026-06-01T12:00:01.000Z");
		add(h, email, "author");
	}
	do {
		harness_ok(o, harness_request(h, admin, request, NULL, NULL));
		for (size_t i = 0; i < count(o); i++) {
			char path[40];

			snprintf(path, sizeof(path), "items[%zu].id", i);
			for (size_t k = 0; k < n; k++)
				assert_string_not_equal(seen[k], harness_text(o->data, path));
			snprintf(seen[n++], 27, "%s", harness_text(o->data, path));
		}
		if (pages++ == 0)
			assert_string_equal(harness_text(o->data, "items[0].createdAt"),
			    "2026-06-01T12:00:01.000Z");
		snprintf(request, sizeof(request), "GET /admin/users?limit=3&cursor=%s",
		    harness_text(o->data, "nextCursor"));
	} while (harness_at(o->data, "nextCursor") != NULL);
	assert_int_equal(n, 7);
	assert_int_equal(pages, 3);
}

static void
lists_are_filtered_by_role_and_text(void **state)
{
	static const struct {
		const char *query;
		size_t count;
	} cases[] = {
		{ "role=40", 1 },
		{ "role=50", 2 },
		{ "role=10", 0 },
		{ "search=ann", 1 },
		{ "search=ANN%40", 1 },
		{ "search=example", 3 },
		{ "search=some+one", 3 },
		{ "search=%25", 0 },
		{ "search=_", 1 },
		{ "search=' OR 1=1 --", 0 },
		{ "role=50&search=bob", 1 },
		{ "role=40&search=bob", 0 },
	};
	struct harness *h = *state;
	char request[100];
	struct outcome *o;

	add(h, "ann@example.org", "editor");
	add(h, "bob@example.org", "admin");
	add(h, "c_l@example.org", "admin");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(request, sizeof(request), "GET /admin/users?%s", cases[i].query);
		for (char *p = strchr(request, '?'); *p != '\0'; p++)
			if (*p == ' ')
				*p = '+';
		harness_ok(o, harness_request(h, admin, request, NULL, NULL));
		if (count(o) != cases[i].count)
			fail_msg("%s: %zu", cases[i].query, count(o));
	}
}

static void
bad_queries_are_refused(void **state)
{
	static const char *const bad[][2] = {
		{ "role=11", "VALIDATION_ERROR" },
		{ "role=60", "VALIDATION_ERROR" },
		{ "role=0", "VALIDATION_ERROR" },
		{ "role=admin", "VALIDATION_ERROR" },
		{ "role=-10", "VALIDATION_ERROR" },
		{ "search=", "VALIDATION_ERROR" },
		{ "limit=0", "VALIDATION_ERROR" },
		{ "limit=101", "VALIDATION_ERROR" },
		{ "cursor=nonsense", "INVALID_CURSOR" },
		{ "cursor=01USERADMIN000000000000050", "INVALID_CURSOR" },
	};
	char request[100];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(request, sizeof(request), "GET /admin/users?%s", bad[i][0]);
		assert_code(harness_request(*state, admin, request, NULL, NULL), bad[i][1]);
	}
}

/* ---- changes ---- */

static void
a_user_is_changed_in_part(void **state)
{
	struct harness *h = *state;
	struct person p = add(h, "ann@example.org", "editor");
	struct outcome *o;

	person_sql(h, "UPDATE users SET email_verified = 1 WHERE id = ?1", p.id);
	harness_clock(h, "2026-06-02T00:00:00.000Z");
	harness_ok(o, on_user(h, admin, "PUT", p.id, "{\"name\":\"Ann Lee\"}"));
	assert_string_equal(harness_text(o->data, "item.name"), "Ann Lee");
	assert_string_equal(harness_text(o->data, "item.email"), "ann@example.org");
	assert_int_equal(harness_int(o->data, "item.role"), 40);
	assert_true(json_is_true(harness_at(o->data, "item.emailVerified")));
	assert_string_equal(harness_text(o->data, "item.updatedAt"), "2026-06-02T00:00:00.000Z");
	harness_ok(
	    o, on_user(h, admin, "PUT", p.id, "{\"role\":20,\"email\":\"A.Lee@Example.org\"}"));
	assert_int_equal(harness_int(o->data, "item.role"), 20);
	assert_string_equal(harness_text(o->data, "item.email"), "a.lee@example.org");
	assert_true(json_is_false(harness_at(o->data, "item.emailVerified")));
	harness_ok(o, on_user(h, admin, "PUT", p.id, "{\"name\":\"\"}"));
	assert_true(json_is_null(harness_at(o->data, "item.name")));
	assert_ok(on_user(h, admin, "PUT", p.id, "{}"));
}

static void
bad_changes_are_refused_and_nothing_changes(void **state)
{
	static const char *const bad[][2] = {
		{ "{\"role\":15}", "VALIDATION_ERROR" },
		{ "{\"role\":0}", "VALIDATION_ERROR" },
		{ "{\"role\":\"editor\"}", "VALIDATION_ERROR" },
		{ "{\"role\":null}", "VALIDATION_ERROR" },
		{ "{\"email\":\"nobody\"}", "VALIDATION_ERROR" },
		{ "{\"email\":\"\"}", "VALIDATION_ERROR" },
		{ "{\"email\":null}", "VALIDATION_ERROR" },
		{ "{\"name\":null}", "VALIDATION_ERROR" },
		{ "{\"name\":7}", "VALIDATION_ERROR" },
		{ "{\"name\":\"Ann\\nLee\"}", "VALIDATION_ERROR" },
		{ "{\"name\":\"\\u202eAnn\"}", "VALIDATION_ERROR" },
		{ "{\"disabled\":true}", "VALIDATION_ERROR" },
		{ "{\"name\":\"X\",\"email\":\"BOB@example.org\"}", "EMAIL_IN_USE" },
		{ "[]", "VALIDATION_ERROR" },
		{ "{", "INVALID_JSON" },
	};
	struct harness *h = *state;
	struct person p = add(h, "ann@example.org", "editor");
	struct outcome *o;

	add(h, "bob@example.org", "editor");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_code(on_user(h, admin, "PUT", p.id, bad[i][0]), bad[i][1]);
	harness_ok(o, on_user(h, admin, "GET", p.id, NULL));
	assert_string_equal(harness_text(o->data, "item.name"), "Some One");
	assert_ok(on_user(h, admin, "PUT", p.id, "{\"email\":\"ANN@example.org\"}"));
}

static void
who_is_not_there_is_not_found(void **state)
{
	static const char *const requests[][2] = { { "GET", NULL }, { "PUT", "{\"name\":\"x\"}" },
		{ "POST enable", NULL }, { "POST disable", NULL } };

	for (size_t i = 0; i < 4; i++) {
		assert_code(on_user(*state, admin, requests[i][0], "01NOBODY00000000000000000A",
				requests[i][1]),
		    "NOT_FOUND");
		assert_code(
		    on_user(*state, admin, requests[i][0], "x'--", requests[i][1]), "NOT_FOUND");
	}
}

static void
only_administrators_see_users(void **state)
{
	struct harness *h = *state;
	struct person p = add(h, "ann@example.org", "editor");
	const struct harness_user reader[1] = {
		{ .id = admin->id, .role = 50, .scopes = "content:read settings:manage" }
	};

	assert_code(harness_request(h, editor, "GET /admin/users", NULL, NULL), "FORBIDDEN");
	assert_code(on_user(h, editor, "GET", p.id, NULL), "FORBIDDEN");
	assert_code(on_user(h, editor, "PUT", p.id, "{\"name\":\"x\"}"), "FORBIDDEN");
	assert_code(on_user(h, editor, "POST disable", p.id, NULL), "FORBIDDEN");
	assert_code(
	    harness_request(h, reader, "GET /admin/users", NULL, NULL), "INSUFFICIENT_SCOPE");
	assert_code(
	    harness_request(h, admin, "POST /admin/users/x/disable", "", NULL), "CSRF_REJECTED");
}

/* ---- who is let in ---- */

static void
a_disabled_users_tokens_stop_at_once_and_work_again(void **state)
{
	struct harness *h = *state;
	struct person p = add(h, "ann@example.org", "editor");
	struct outcome *o;

	assert_ok(person_ask(h, p.token, "GET /auth/me", NULL));
	for (int i = 0; i < 2; i++) {
		harness_ok(o, on_user(h, admin, "POST disable", p.id, NULL));
		assert_true(json_is_true(harness_at(o->data, "success")));
		assert_code(person_ask(h, p.token, "GET /auth/me", NULL), "UNAUTHORIZED");
	}
	harness_ok(o, on_user(h, admin, "GET", p.id, NULL));
	assert_true(json_is_true(harness_at(o->data, "item.disabled")));
	for (int i = 0; i < 2; i++) {
		assert_ok(on_user(h, admin, "POST enable", p.id, NULL));
		assert_ok(person_ask(h, p.token, "GET /auth/me", NULL));
	}
}

static void
another_role_counts_from_the_next_request_on(void **state)
{
	struct harness *h = *state;
	struct person p = add(h, "ann@example.org", "admin");

	add(h, "bob@example.org", "admin");
	assert_ok(person_ask(h, p.token, "GET /admin/users", NULL));
	assert_ok(on_user(h, admin, "PUT", p.id, "{\"role\":40}"));
	assert_code(person_ask(h, p.token, "GET /admin/users", NULL), "FORBIDDEN");
}

/* Sends a request as the user, with a token. */
static struct outcome *
self(struct harness *h, const struct person *p, const char *method, const char *rest,
    const char *body)
{
	char request[100];

	snprintf(request, sizeof(request), "%s /admin/users/%s%s", method, p->id, rest);
	return person_ask(h, p->token, request, body);
}

static void
nobody_changes_their_own_role_or_disables_themselves(void **state)
{
	struct harness *h = *state;
	struct person p = add(h, "ann@example.org", "admin");
	struct outcome *o;

	add(h, "bob@example.org", "admin");
	o = self(h, &p, "PUT", "", "{\"role\":40}");
	assert_code(o, "SELF_ROLE_CHANGE");
	assert_int_equal(o->http, 400);
	assert_code(self(h, &p, "PUT", "", "{\"role\":50,\"name\":\"X\"}"), "SELF_ROLE_CHANGE");
	assert_code(self(h, &p, "POST", "/disable", NULL), "VALIDATION_ERROR");
	harness_ok(o, self(h, &p, "GET", "", NULL));
	assert_string_equal(harness_text(o->data, "item.name"), "Some One");
	assert_true(json_is_false(harness_at(o->data, "item.disabled")));
	assert_ok(self(h, &p, "PUT", "", "{\"name\":\"Own Name\"}"));
}

static void
the_last_administrator_stays(void **state)
{
	struct harness *h = *state;
	struct person p = add(h, "ann@example.org", "admin");
	struct person q = add(h, "bob@example.org", "admin");
	struct outcome *o;

	add(h, "carl@example.org", "editor");
	assert_ok(on_user(h, admin, "POST disable", q.id, NULL));
	o = on_user(h, admin, "POST disable", p.id, NULL);
	assert_code(o, "LAST_ADMIN");
	assert_int_equal(o->http, 409);
	assert_code(on_user(h, admin, "PUT", p.id, "{\"role\":40,\"name\":\"X\"}"), "LAST_ADMIN");
	assert_code(
	    harness_op(h, admin, "user_disable", "{\"email\":\"ann@example.org\"}"), "LAST_ADMIN");
	assert_code(harness_op(h, admin, "user_set_role",
			"{\"email\":\"ann@example.org\",\"role\":\"editor\"}"),
	    "LAST_ADMIN");
	/* A disabled administrator does not count as one. */
	assert_ok(on_user(h, admin, "PUT", q.id, "{\"role\":40}"));
	assert_ok(on_user(h, admin, "PUT", q.id, "{\"role\":50}"));
	assert_ok(on_user(h, admin, "PUT", p.id, "{\"name\":\"Still\",\"role\":50}"));
	assert_ok(on_user(h, admin, "POST enable", q.id, NULL));
	assert_ok(on_user(h, admin, "PUT", p.id, "{\"role\":10}"));
}

/* ---- commands ---- */

static void
commands_know_users_by_their_address(void **state)
{
	struct harness *h = *state;
	struct person p = add(h, "ann@example.org", "editor");
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "user_show", "{\"email\":\"ANN@example.org\"}"));
	assert_string_equal(harness_text(o->data, "id"), p.id);
	assert_string_equal(harness_text(o->data, "role"), "editor");
	harness_ok(o, harness_op(h, admin, "user_set_role",
			  "{\"email\":\"ann@example.org\",\"role\":\"author\"}"));
	assert_string_equal(harness_text(o->data, "role"), "author");
	harness_ok(o, harness_op(h, admin, "user_rename",
			  "{\"email\":\"ann@example.org\",\"name\":\"Ann\"}"));
	assert_string_equal(harness_text(o->data, "name"), "Ann");
	harness_ok(o, harness_op(h, admin, "user_disable", "{\"email\":\"ann@example.org\"}"));
	assert_true(json_is_true(harness_at(o->data, "disabled")));
	assert_code(person_ask(h, p.token, "GET /auth/me", NULL), "UNAUTHORIZED");
	assert_ok(harness_op(h, admin, "user_enable", "{\"email\":\"ann@example.org\"}"));
	assert_ok(person_ask(h, p.token, "GET /auth/me", NULL));
	assert_code(
	    harness_op(h, admin, "user_show", "{\"email\":\"x@example.org\"}"), "NOT_FOUND");
	assert_code(
	    harness_op(h, editor, "user_show", "{\"email\":\"ann@example.org\"}"), "FORBIDDEN");
}

#define check(name) cmocka_unit_test_setup_teardown(name, person_begin, person_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_user_has_all_members),
		check(pages_are_whole_also_among_users_of_one_moment),
		check(lists_are_filtered_by_role_and_text),
		check(bad_queries_are_refused),
		check(a_user_is_changed_in_part),
		check(bad_changes_are_refused_and_nothing_changes),
		check(who_is_not_there_is_not_found),
		check(only_administrators_see_users),
		check(a_disabled_users_tokens_stop_at_once_and_work_again),
		check(another_role_counts_from_the_next_request_on),
		check(nobody_changes_their_own_role_or_disables_themselves),
		check(the_last_administrator_stays),
		check(commands_know_users_by_their_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
