/*
 * toolrights.c - the tools that a token may list and call: every tool, for each role and scope. A
 * new tool is tested without changes here.
 */
#include "routes.h"
#include <stdio.h>
#include <stdlib.h>

#define HEADERS "Content-Type: application/json"

static struct outcome *
post(const struct harness_user *user, const char *method, const char *params)
{
	char *body = NULL;
	struct outcome *o;

	assert_true(
	    asprintf(&body, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}",
		method, params) > 0);
	o = harness_request(h, user, "POST /mcp", HEADERS, body);
	free(body);
	return o;
}

/* Calls the tool with these arguments; returns the error code, or "" for a success. */
static const char *
code_with(const struct op *op, const struct harness_user *user, const json_t *arguments)
{
	char *args = json_dumps(arguments, 0), *params = NULL;
	struct outcome *o;

	assert_true(asprintf(&params, "{\"name\":\"%s\",\"arguments\":%s}", op->name, args) > 0);
	o = post(user, "tools/call", params);
	free(params);
	free(args);
	if (o->http != 200 || !json_is_object(harness_at(o->body, "result")))
		fail_msg("%s: %d %s", op->name, o->http, o->text);
	return harness_text(o->body, "result._meta.code");
}

static const char *
code_of(const struct op *op, const struct harness_user *user)
{
	json_t *args = example_of(op);
	const char *code = code_with(op, user, args);

	json_decref(args);
	return code;
}

static const char *
expected(const struct op *op, const struct harness_user *user, const char *scope)
{
	const char *need = op->row.scope != NULL ? op->row.scope : "admin";

	if (is_public(op) || (op->row.flags & STET_ANY_SCOPE) != 0)
		return "";
	if (!scope_opens(scope, need))
		return "INSUFFICIENT_SCOPE";
	return user->role < op->role ? "INSUFFICIENT_PERMISSIONS" : "";
}

static bool
is_refusal(const char *code)
{
	return strncmp(code, "INSUFFICIENT_", 13) == 0;
}

#define EACH_TOOL(op)                                                           \
	for (const struct op *op = gen->op; op < gen->op + gen->op_count; op++) \
		if ((op->row.flags & STET_TOOL) != 0)

/* Arguments are checked before permissions; without_example counts tools whose example is
 * invalid. */
static int cases, without_example;

static void
check_calls(const struct harness_user *user, const char *scope)
{

	EACH_TOOL(op)
	{
		const char *want = expected(op, user, scope), *code = code_of(op, user);

		cases++;
		if (*want != '\0' && strcmp(code, "VALIDATION_ERROR") == 0)
			without_example++;
		else if (*want != '\0' ? strcmp(code, want) != 0 : is_refusal(code))
			fail_msg("%s as role %d with \"%s\": \"%s\", should be \"%s\"", op->name,
			    user->role, scope, code, want);
	}
}

static void
check_list(const struct harness_user *user, const char *scope)
{
	struct outcome *o = post(user, "tools/list", "{}");
	char quoted[80];
	size_t count = 0;

	EACH_TOOL(op)
	{
		bool want = *expected(op, user, scope) == '\0';

		(void)snprintf(quoted, sizeof(quoted), "{\"name\":\"%s\",", op->name);
		if ((strstr(o->text, quoted) != NULL) != want)
			fail_msg("role %d with \"%s\": %s is%s listed", user->role, scope, op->name,
			    want ? " not" : "");
		count += want;
	}
	assert_int_equal(json_array_size(harness_at(o->body, "result.tools")), count);
}

static void
every_tool_asks_for_the_scope_and_the_role_of_its_row(void **state)
{
	(void)state;
	assert_ok(harness_op(
	    h, admin, "plugin_settings_put", "{\"id\":\"mcp\",\"values\":{\"callsPerMinute\":0}}"));
	gen = harness_site(h)->current; /* the setting made a new generation */
	for (size_t i = 1; i < PEOPLE; i++)
		for (size_t j = 0; scopes[j] != NULL; j++) {
			const struct harness_user user[1] = { { .id = people[i]->id,
			    .role = people[i]->role,
			    .scopes = scopes[j] } };

			check_list(user, scopes[j]);
			check_calls(user, scopes[j]);
		}
	print_message("# %d cases, %d without an example\n", cases, without_example);
	assert_in_range(without_example, 0, cases / 20);
	assert_true(cases > 1000);
	assert_int_equal(post(nobody, "tools/list", "{}")->http, 401);
}

/* ---- arguments ---- */

static bool
is_forbidden(const char *code)
{
	return is_refusal(code) || strcmp(code, "FORBIDDEN") == 0;
}

/* Returns true if the call is forbidden with this value. Takes the reference. */
static bool
is_forbidden_with(const struct op *op, const struct harness_user *user, const struct stet_member *m,
    json_t *value)
{
	json_t *args = example_of(op);
	bool forbidden;

	json_object_set_new(args, m->name, value);
	forbidden = is_forbidden(code_with(op, user, args));
	json_decref(args);
	return forbidden;
}

/* Returns true if the call is forbidden with every value of the argument, but not without it. For a
 * boolean that needs a right of its own, false is the same as no argument. */
static bool
is_always_refused(const struct op *op, const struct harness_user *user, const struct stet_member *m)
{
	if (!is_forbidden_with(op, user, m, example_value(m)))
		return false;
	if (m->type == STET_BOOLEAN && m->permission == NULL &&
	    !is_forbidden_with(op, user, m, json_false()))
		return false;
	for (size_t i = 0; m->choices != NULL && m->choices[i] != NULL; i++)
		if (!is_forbidden_with(op, user, m, json_string(m->choices[i])))
			return false;
	return !is_forbidden(code_of(op, user));
}

/* Returns the properties of the tool in this list, or NULL if it is not listed. */
static const json_t *
listed_arguments(json_t *tools, const char *name)
{
	json_t *tool;
	size_t i;

	json_array_foreach(tools, i, tool) if (strcmp(harness_text(tool, "name"), name) ==
					       0) return harness_at(tool, "inputSchema.properties");
	return NULL;
}

static int arguments, hidden;

static void
check_arguments(const struct harness_user *user)
{
	json_t *tools =
	    json_incref(harness_at(post(user, "tools/list", "{}")->body, "result.tools"));

	EACH_TOOL(op)
	{
		const json_t *listed = listed_arguments(tools, op->name);

		for (const struct stet_member *m = op->row.in;
		     listed != NULL && m != NULL && m->name != NULL; m++) {
			bool is_listed = json_object_get(listed, m->name) != NULL;

			if ((m->flags & STET_REQUIRED) != 0 ||
			    (!is_listed && m->permission == NULL && m->scope == NULL))
				continue;
			arguments++;
			hidden += !is_listed;
			if (is_always_refused(op, user, m) == is_listed)
				fail_msg("role %d with \"%s\": %s of %s is%s listed", user->role,
				    user->scopes, m->name, op->name, is_listed ? "" : " not");
		}
	}
	json_decref(tools);
}

/* A scope opens a tool, and `admin` opens all; some arguments require more. */
static void
arguments_are_listed_to_those_who_may_give_them(void **state)
{
	static const char *const some[] = { "content:read", "content:write", "media:read",
		"admin" };

	(void)state;
	for (size_t i = 1; i < PEOPLE; i++)
		for (size_t j = 0; j < sizeof(some) / sizeof(some[0]); j++)
			check_arguments((const struct harness_user[1]){
			    { .id = people[i]->id, .role = people[i]->role, .scopes = some[j] } });
	print_message("# %d arguments, %d of them not listed\n", arguments, hidden);
	assert_true(arguments > 500 && hidden > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tool_asks_for_the_scope_and_the_role_of_its_row),
		cmocka_unit_test(arguments_are_listed_to_those_who_may_give_them),
	};

	return cmocka_run_group_tests(tests, routes_begin, routes_end);
}
