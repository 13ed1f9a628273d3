/*
 * toolrights.c - the tools that a token may list and call: every tool, for each role and scope. A
 * new tool is tested without changes here.
 */
#include "inside.h"
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
	const char *code = scope_refusal(op, scope);

	if (is_public(op) || (op->row.flags & STET_ANY_SCOPE) != 0)
		return "";
	if (*code != '\0')
		return code;
	return user->role < op->role ? "INSUFFICIENT_PERMISSIONS" : "";
}

static bool
is_refusal(const char *code)
{
	return strncmp(code, "INSUFFICIENT_", 13) == 0 ||
	       strcmp(code, "PUBLISH_NEEDS_APPROVAL") == 0;
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

/* ---- drafts only ---- */

/* What the public sees, and what stands in no draft. */
static char *
public_view(void)
{
	static const char *const tables[] = { "menu", "menu_item", "taxonomy", "term", "section",
		"widget_area", "widget", "site_setting", "byline", "collection", "field",
		"comment" };
	static const char *const lists[] = { "menu_list", "taxonomy_list", "section_list",
		"widget_area_list", "settings_get", "byline_list", "schema_list_collections" };
	static const char *const pages[] = { "GET /content/posts?include=terms,bylines,author",
		"GET /content/plain?include=terms,bylines,author", "GET /content/posts/shown",
		"GET /content/posts/waits", "GET /content/plain/open" };
	char *out = strdup(""), *more;

	for (size_t i = 0; i < COUNT(pages); i++) {
		more = out;
		assert_true(asprintf(&out, "%s%s\n", more,
				harness_request(h, subscriber, pages[i], NULL, NULL)->text) > 0);
		free(more);
	}
	for (size_t i = 0; i < COUNT(lists); i++) {
		more = out;
		assert_true(
		    asprintf(&out, "%s%s\n", more, harness_op(h, admin, lists[i], "{}")->text) > 0);
		free(more);
	}
	for (size_t i = 0; i < COUNT(tables); i++) {
		char sql[100];

		(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", tables[i]);
		more = out;
		assert_true(asprintf(&out, "%s%s: %s\n", more, tables[i], inside_ask(h, sql)) > 0);
		free(more);
	}
	return out;
}

/* The items that the calls are about: one that is published, one with a draft beside, one with a
 * schedule, one that never was published, and one of a collection without revisions. */
static const struct target {
	const char *collection, *slug;
} targets[] = { { "posts", "shown" }, { "posts", "both" }, { "posts", "waits" },
	{ "posts", "hidden" }, { "plain", "open" } };

/* What is given beside the required arguments. */
static const char *const givens[] = { "{}", "{\"status\":\"published\"}", "{\"status\":\"draft\"}",
	"{\"data\":{\"title\":\"Changed\"}}",
	"{\"data\":{\"title\":\"Changed\"},\"status\":\"published\"}",
	"{\"data\":{\"title\":\"Changed\"},\"status\":\"draft\"}",
	"{\"data\":{\"title\":\"Set\"},\"taxonomies\":{\"topic\":[\"b\"]}}",
	"{\"set\":{\"title\":\"Patched\"}}", "{\"slug\":\"other\"}",
	"{\"publishedAt\":\"2020-01-01T00:00:00Z\"}",
	"{\"authorId\":\"01USERAUTHOR0000000000030\"}", "{\"action\":\"approve\"}",
	"{\"atomic\":true}" };

static json_t *
arguments_for(const struct op *op, const struct target *t, const char *given)
{
	json_t *args = example_of(op), *more = json_loads(given, 0, NULL), *v;
	struct outcome *o = harness_op(h, admin, "content_get",
	    "{\"collection\":\"%s\",\"id\":\"%s\"}", t->collection, t->slug);
	const char *rev = harness_text(o->data, "_rev"), *id = harness_text(o->data, "item.id"),
		   *name;
	char sql[200];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT id FROM revision WHERE entry_id = '%s' ORDER BY id LIMIT 1", id);
	json_object_set_new(more, "collection", json_string(t->collection));
	json_object_set_new(more, "id", json_string(t->slug));
	json_object_set_new(more, "_rev", json_string(rev));
	json_object_set_new(more, "name", json_string("main"));
	json_object_set_new(more, "revisionId", json_string(inside_ask(h, sql)));
	json_object_foreach(more, name, v)
	{
		for (const struct stet_member *m = op->row.in; m != NULL && m->name != NULL; m++)
			if (strcmp(m->name, name) == 0)
				json_object_set(args, name, v);
	}
	json_decref(more);
	return args;
}

static void
make_shown(void)
{
	static const char *const calls[][2] = {
		{ "schema_create_collection",
		    "{\"slug\":\"plain\",\"label\":\"Plain\",\"supports\":[\"drafts\"]}" },
		{ "schema_create_field",
		    "{\"collection\":\"plain\",\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}" },
		{ "schema_update_collection",
		    "{\"slug\":\"posts\",\"supports\":[\"drafts\",\"revisions\",\"scheduling\"]}" },
		{ "taxonomy_create",
		    "{\"name\":\"topic\",\"label\":\"Tags\",\"collections\":[\"posts\",\"plain\"]}" },
		{ "taxonomy_create_term",
		    "{\"taxonomy\":\"topic\",\"slug\":\"a\",\"label\":\"A\"}" },
		{ "taxonomy_create_term",
		    "{\"taxonomy\":\"topic\",\"slug\":\"b\",\"label\":\"B\"}" },
		{ "menu_create", "{\"name\":\"main\",\"label\":\"Main\"}" },
		{ "content_create",
		    "{\"collection\":\"plain\",\"slug\":\"open\",\"status\":\"published\","
		    "\"data\":{\"title\":\"Open\"}}" },
		{ "content_create",
		    "{\"collection\":\"posts\",\"slug\":\"shown\",\"status\":\"published\","
		    "\"data\":{\"title\":\"Shown\"},\"taxonomies\":{\"topic\":[\"a\"]}}" },
		{ "content_create",
		    "{\"collection\":\"posts\",\"slug\":\"both\",\"status\":\"published\","
		    "\"data\":{\"title\":\"Both\"}}" },
		{ "content_put",
		    "{\"collection\":\"posts\",\"id\":\"both\",\"data\":{\"title\":\"Draft\"}}" },
		{ "content_create",
		    "{\"collection\":\"posts\",\"slug\":\"waits\",\"data\":{\"title\":\"Waits\"}}" },
		{ "content_schedule", "{\"collection\":\"posts\",\"id\":\"waits\","
				      "\"scheduledAt\":\"2099-01-01T00:00:00Z\"}" },
		{ "content_create",
		    "{\"collection\":\"posts\",\"slug\":\"hidden\",\"data\":{\"title\":\"Hidden\"}}" },
	};

	for (size_t i = 0; i < COUNT(calls); i++)
		assert_ok(harness_op(h, admin, calls[i][0], "%s", calls[i][1]));
	gen = harness_site(h)->current;
}

/* The text of what the scheduled item will be. */
static const char *
waiting(void)
{
	return inside_ask(h,
	    "SELECT f_title || coalesce(draft_revision_id, '') || scheduled_at FROM c_posts"
	    " WHERE slug = 'waits'");
}

/* Ops of the write lane, and tools of the slow lane: uploads, imports, repairs. */
static bool
may_write(const struct op *op)
{
	return op->row.lane == STET_WRITE ||
	       (op->row.lane == STET_SLOW && (op->row.flags & STET_TOOL) != 0);
}

/* An op that is refused whatever it is given needs no more than one. */
static size_t
targets_for(const struct op *op)
{
	return *scope_refusal(op, "content:draft") == '\0' ? COUNT(targets) : 1;
}

static void
check_view(const struct op *op, const char *args, const char *before, const char *scheduled)
{
	char *after = public_view();

	if (strcmp(after, before) != 0 || strcmp(waiting(), scheduled) != 0)
		fail_msg("%s %s\n%s\n%s", op->name, args, before, after);
	free(after);
}

static void
drafts_only_makes_nothing_public(void **state)
{
	const struct harness_user drafts[1] = { { .id = admin->id,
	    .role = 50,
	    .scopes =
		"content:read content:draft media:read media:write schema:read settings:read" } };
	int calls = 0, done = 0, slow = 0;
	char *before, scheduled[200];

	(void)state;
	make_shown();
	before = public_view();
	assert_non_null(strstr(before, "Shown"));
	(void)snprintf(scheduled, sizeof(scheduled), "%s", waiting());
	for (const struct op *op = gen->op; op < gen->op + gen->op_count; op++)
		for (size_t t = 0; may_write(op) && t < targets_for(op); t++)
			for (size_t g = 0; g < (targets_for(op) > 1 ? COUNT(givens) : 1); g++) {
				json_t *args = arguments_for(op, &targets[t], givens[g]);
				char *text = json_dumps(args, 0);
				struct outcome *o = harness_op(h, drafts, op->name, "%s", text);

				calls++;
				slow += op->row.lane == STET_SLOW;
				done += *o->code == '\0';
				check_view(op, text, before, scheduled);
				free(text);
				json_decref(args);
			}
	free(before);
	print_message("# %d calls, %d of them done, %d of the slow lane\n", calls, done, slow);
	assert_true(calls > 500 && done > 50 && slow >= 6);
}

static void
a_token_for_some_collections_reaches_no_other(void **state)
{
	const struct harness_user some[1] = { { .id = admin->id,
	    .role = 50,
	    .scopes = "content:read content:write collection:plain" } };
	struct outcome *o;

	(void)state;
	assert_ok(harness_request(h, some, "GET /content/plain/open", NULL, NULL));
	o = harness_request(h, some, "GET /content/posts/shown", NULL, NULL);
	assert_code(o, "INSUFFICIENT_SCOPE");
	assert_ok(harness_request(
	    h, some, "PUT /content/plain/open", NULL, "{\"data\":{\"title\":\"New\"}}"));
	EACH_TOOL(op)
	{
		json_t *args = arguments_for(op, &targets[0], "{}");
		const char *code;

		if (op->row.scope == NULL || strncmp(op->row.scope, "content:", 8) != 0 ||
		    (op->row.more & STET_MORE_COLLECTIONS) != 0) {
			json_decref(args);
			continue;
		}
		code = code_with(op, some, args);
		if (strcmp(code, "INSUFFICIENT_SCOPE") != 0 &&
		    strcmp(code, "VALIDATION_ERROR") != 0)
			fail_msg("%s of another collection: \"%s\"", op->name, code);
		json_decref(args);
	}
	/* What content:write opens beside is of no collection. */
	assert_code(harness_op(h, some, "menu_update", "{\"name\":\"main\",\"label\":\"M\"}"),
	    "INSUFFICIENT_SCOPE");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tool_asks_for_the_scope_and_the_role_of_its_row),
		cmocka_unit_test(arguments_are_listed_to_those_who_may_give_them),
		cmocka_unit_test(drafts_only_makes_nothing_public),
		cmocka_unit_test(a_token_for_some_collections_reaches_no_other),
	};

	return cmocka_run_group_tests(tests, routes_begin, routes_end);
}
