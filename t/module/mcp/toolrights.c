/*
 * toolrights.c - which tools a token lists and runs: every tool, as each role with each scope. A
 * tool that is added is tested without a line here.
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

/* What a call of the tool answers: its code, "" for a success. */
static const char *
code_of(const struct op *op, const struct harness_user *user)
{
	char *args = arguments_of(op), *params = NULL;
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

/* Arguments are checked first; of a few tools the example is none. */
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
	gen = harness_site(h)->current; /* the setting made a new one */
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tool_asks_for_the_scope_and_the_role_of_its_row),
	};

	return cmocka_run_group_tests(tests, routes_begin, routes_end);
}
