/*
 * rights.c - who may do what, as the tables of the ops say it: every op with a route, as each role
 * and as nobody, with each scope, and on own and others' items. An op that is added is tested
 * without a line here.
 */
#include "routes.h"
#include <stdio.h>

static bool
is(const struct outcome *o, const char *code)
{
	return strcmp(o->code, code) == 0;
}

/* Past the gate: what the handler says is another matter, as long as it is no fault. */
static bool
admitted(const struct outcome *o)
{
	return o->http != 401 && o->http != 403 && o->http < 500;
}

#define WRONG(op, user, o)                                                                      \
	fail_msg("%s (%s) as role %d: %d %s", (op)->name, (op)->route, (user)->role, (o)->http, \
	    (o)->text)

/* ---- roles and scopes ---- */

static void
every_op_admits_the_roles_that_its_row_says(void **state)
{
	char path[512];
	int cases = 0;

	(void)state;
	EACH_ROUTE(op)
	{
		path_of(op, "nothing", path, sizeof(path));
		for (size_t i = 0; i < COUNT(people); i++, cases++) {
			const struct harness_user *user = people[i];
			struct outcome *o = request(op, user, path, NULL);

			if (allowed(op, user) ? !admitted(o)
			    : user->role == 0 ? o->http != 401 || !is(o, "UNAUTHORIZED")
					      : o->http != 403 || !is(o, "FORBIDDEN"))
				WRONG(op, user, o);
		}
	}
	print_message("# %d cases\n", cases);
	assert_true(cases > 100);
}

/* Rows say a permission, which is known, or that signing in is enough. */
static void
every_role_of_an_op_is_that_of_its_permission(void **state)
{
	(void)state;
	EACH_ROUTE(op)
	{
		int role =
		    op->row.permission != NULL ? generation_role(gen, op->row.permission) : 0;

		assert_int_equal(op->role, role);
	}
}

static void
every_op_admits_the_scopes_that_its_row_says(void **state)
{
	char path[512];

	(void)state;
	EACH_ROUTE(op)
	{
		const char *need = op->row.scope != NULL ? op->row.scope : "admin";

		path_of(op, "nothing", path, sizeof(path));
		for (size_t i = 0; scopes[i] != NULL; i++) {
			const struct harness_user limited[1] = {
				{ .id = admin->id, .role = 50, .scopes = scopes[i] }
			};
			struct outcome *o = request(op, limited, path, NULL);
			bool good = is_public(op) || (op->row.flags & STET_ANY_SCOPE) != 0 ||
					    scope_opens(scopes[i], need)
					? admitted(o)
					: o->http == 403 && is(o, "INSUFFICIENT_SCOPE");

			if (!good)
				fail_msg(
				    "%s with \"%s\": %d %s", op->name, scopes[i], o->http, o->text);
		}
	}
}

/* A scope never lifts a role. */
static void
a_scope_does_not_replace_a_role(void **state)
{
	char path[512];

	(void)state;
	EACH_ROUTE(op)
	{
		const struct harness_user low[1] = { { .id = subscriber->id,
		    .role = 10,
		    .scopes = "admin mcp:tools content:read content:write schema:read "
			      "schema:write settings:manage" } };
		struct outcome *o;

		path_of(op, "nothing", path, sizeof(path));
		if (allowed(op, low))
			continue;
		o = request(op, low, path, NULL);
		if (o->http != 403 || !is(o, "FORBIDDEN"))
			WRONG(op, low, o);
	}
}

static void
what_changes_state_needs_the_header(void **state)
{
	static const struct harness_user session[1] = {
		{ .id = "01USERADMIN000000000000050", .role = 50, .session = true }
	};
	static const char *const below[] = { API "/admin/", API "/media", API "/import/" };
	char path[512];

	(void)state;
	EACH_ROUTE(op)
	{
		struct outcome *o;
		bool always = false;

		if (op->method == HTTP_GET || is_public(op))
			continue;
		path_of(op, "nothing", path, sizeof(path));
		for (size_t i = 0; i < COUNT(below); i++)
			always |= strncmp(path, below[i], strlen(below[i])) == 0;
		o = request(op, session, path, "");
		if (!is(o, "CSRF_REJECTED"))
			WRONG(op, session, o);
		o = request(op, admin, path, "");
		if (always != is(o, "CSRF_REJECTED"))
			WRONG(op, admin, o);
		/* Who is not signed in learns that first. */
		o = request(op, nobody, path, "");
		if (!is(o, "UNAUTHORIZED"))
			WRONG(op, nobody, o);
	}
}

/* ---- items ---- */

static const char *const state_names[ITEM_STATES] = { "published", "a draft", "in the trash" };

/* The three that this table knows all answers of. */
static bool
is_plain(const struct op *op)
{
	return strcmp(op->name, "content_read") == 0 || strcmp(op->name, "content_put") == 0 ||
	       strcmp(op->name, "content_delete") == 0;
}

/* Those that know what is in the trash alone. */
static bool
is_of_trash(const struct op *op)
{
	return strcmp(op->name, "content_restore") == 0 ||
	       strcmp(op->name, "content_permanent_delete") == 0;
}

/* The role that a user needs on an item: a permission on one's own has a sister for any. */
static int
role_needed(const struct op *op, bool own)
{
	const char *permission = op->row.permission, *tail;
	char any[80];

	if (permission == NULL)
		return op->role;
	tail = strstr(permission, "_own");
	if (tail == NULL || tail[4] != '\0' || own)
		return op->role;
	(void)snprintf(any, sizeof(any), "%.*s_any", (int)(tail - permission), permission);
	assert_true(generation_role(gen, any) >= op->role);
	return generation_role(gen, any);
}

static bool
good_answer(const struct op *op, const struct harness_user *user, enum item_state how, bool role,
    bool sees, const struct outcome *o)
{
	if (user->role == 0 && !is_public(op))
		return o->http == 401;
	/* What is in the trash is there for nobody who may not empty it. */
	if (!role)
		return o->http == 403 || ((how != PUBLISHED || is_of_trash(op)) && o->http == 404);
	if (!sees)
		return o->http == 404 || o->http == 403;
	if (is_plain(op))
		return o->http == (how == TRASHED ? 404 : 200);
	return o->http < 500;
}

static void
check_item(const struct op *op, const struct harness_user *user, bool own, enum item_state how)
{
	char id[27], path[512];
	struct outcome *o;
	bool role, sees;

	item_make(own ? user : other_author, how, id);
	path_of(op, id, path, sizeof(path));
	o = request(op, user, path, NULL);
	role = is_public(op) || (user->role > 0 && user->role >= role_needed(op, own));
	sees = how == PUBLISHED || user->role >= generation_role(gen, "content:read_drafts");
	if (!good_answer(op, user, how, role, sees, o))
		fail_msg("%s on %s item that is %s, as role %d: %d %s", op->name,
		    own ? "an own" : "another's", state_names[how], user->role, o->http, o->text);
	if (!role || !sees)
		assert_null(strstr(o->text, "Secret"));
}

static void
items_are_open_to_their_authors_and_to_editors(void **state)
{
	int ops = 0;

	(void)state;
	EACH_ROUTE(op)
	{
		if (!on_items(op))
			continue;
		ops++;
		for (int k = 0; k < PEOPLE * ITEM_STATES; k++) {
			const struct harness_user *user = people[k / ITEM_STATES];
			enum item_state how = (enum item_state)(k % ITEM_STATES);

			check_item(op, user, false, how);
			if (user->role > 0)
				check_item(op, user, true, how);
		}
	}
	assert_true(ops >= 3);
}

/* The path says which item it is; nothing else that a client sends does. */
static void
the_query_and_the_body_do_not_name_another_item(void **state)
{
	char own[27], other[27];
	struct outcome *o;

	(void)state;
	item_make(author, PUBLISHED, own);
	item_make(other_author, PUBLISHED, other);
	for (int i = 0; i < 4; i++) {
		static const char *const body[] = { "{\"id\":\"%s\",\"data\":{\"title\":\"x\"}}",
			"{\"id\":[\"%s\"],\"data\":{\"title\":\"x\"}}",
			"{\"authorId\":\"%s\",\"data\":{\"title\":\"x\"}}",
			"{\"data\":{\"title\":\"x\",\"id\":\"%s\"}}" };
		char text[256], line[256];

		(void)snprintf(text, sizeof(text), "{\"data\":{\"title\":\"x\"}}");
		(void)snprintf(
		    line, sizeof(line), "PUT /content/posts/%s?id=%s&id=%s", other, own, own);
		o = harness_request(h, author, line, NULL, text);
		assert_true(o->http >= 400 && o->http < 500);
		(void)snprintf(line, sizeof(line), "PUT /content/posts/%s", other);
		assert_non_null(strstr(body[i], "%s"));
		(void)snprintf(text, sizeof(text), "%.*s%s%s",
		    (int)(strstr(body[i], "%s") - body[i]), body[i], own,
		    strstr(body[i], "%s") + 2);
		o = harness_request(h, author, line, NULL, text);
		assert_true(o->http >= 400 && o->http < 500);
	}
	harness_ok(o,
	    harness_op(h, admin, "content_get", "{\"collection\":\"posts\",\"id\":\"%s\"}", other));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Secret");
	assert_string_equal(harness_text(o->data, "item.authorId"), other_author->id);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_op_admits_the_roles_that_its_row_says),
		cmocka_unit_test(every_role_of_an_op_is_that_of_its_permission),
		cmocka_unit_test(every_op_admits_the_scopes_that_its_row_says),
		cmocka_unit_test(a_scope_does_not_replace_a_role),
		cmocka_unit_test(what_changes_state_needs_the_header),
		cmocka_unit_test(items_are_open_to_their_authors_and_to_editors),
		cmocka_unit_test(the_query_and_the_body_do_not_name_another_item),
	};

	return cmocka_run_group_tests(tests, routes_begin, routes_end);
}
