/*
 * rights.c - permissions: the outcome of every op for every kind of caller (matrix.c) is compared
 * with rights.expect and with fixed rules. A new op is tested without changes here. UPDATE_RIGHTS=1
 * writes rights.expect.
 */
#include "expected.h"
#include "http/http1.h"
#include "matrix.h"
#include <fnmatch.h>
#include <stdlib.h>

static bool
is(const struct outcome *o, const char *code)
{
	return strcmp(o->code, code) == 0;
}

/* Returns true if the caller may call the op, whatever the handler's result; a fault counts as
 * false. */
static bool
admitted(const struct outcome *o)
{
	return o->http != 401 && o->http != 403 && !matrix_faulty(o);
}

#define WRONG(op, user, o)                                                                      \
	fail_msg("%s (%s) as role %d: %d %s", (op)->name, (op)->route, (user)->role, (o)->http, \
	    (o)->text)

#define EACH_RIGHT(r) for (const struct right *r = matrix; r < matrix + matrix_count; r++)

/* ---- the matrix ---- */

static void
everybody_may_do_what_is_expected(void **state)
{
	static const struct expected expected = { "rights.expect", "UPDATE_RIGHTS",
		"# Every op, the scope that a token needs for it, and who may: nobody (0), a Subscriber\n"
		"# (1), Contributor (2), Author (3), Editor (4), Admin (5); - refused, ? not found.\n"
		"# Ops on items have six columns: own published, draft, in the trash; others' the same.\n"
		"# Made by rights.t with UPDATE_RIGHTS=1. Read what changes.\n" };
	char *got = NULL;
	size_t size;
	FILE *to = open_memstream(&got, &size);

	(void)state;
	assert_non_null(to);
	matrix_write(to);
	assert_int_equal(fclose(to), 0);
	expected_compare(&expected, got);
	free(got);
}

/* A route admits the same callers as its op. */
static void
routes_admit_whom_their_ops_admit(void **state)
{
	char path[512];

	(void)state;
	EACH_RIGHT(r)
	{
		if (r->op->route == NULL)
			continue;
		path_of(r->op, "nothing", path, sizeof(path));
		for (int i = 0; i < PEOPLE; i++) {
			struct outcome *o = request(r->op, people[i], path, NULL);
			bool may = r->columns == 1 ? passed(r, ANY, i) : admitted(o);

			if (admitted(o) != may || (!may && (i == 0) != (o->http == 401)))
				WRONG(r->op, people[i], o);
		}
	}
}

/* A session has the rights of its user's role. If its sign-in is not recent, ops that require that
 * refuse it. Forms carry a CSRF token instead of a header; the tests of their pages send it. */
static void
a_session_may_do_what_a_token_of_its_role_may(void **state)
{
	char path[512];
	int again = 0;

	(void)state;
	EACH_RIGHT(r)
	{
		if (r->op->route == NULL || (r->op->row.flags & STET_FORM) != 0)
			continue;
		path_of(r->op, "nothing", path, sizeof(path));
		for (int i = 1; i < PEOPLE; i++) {
			bool may = admitted(request(r->op, people[i], path, NULL)), wants;
			struct harness_user user = *people[i];
			struct outcome *o;

			user.session = true;
			o = request(r->op, &user, path, NULL);
			if (admitted(o) != may)
				WRONG(r->op, &user, o);
			user.signed_in = INT64_C(11) * 60 * 1000;
			wants = may && (r->op->row.flags & STET_RECENT) != 0;
			o = request(r->op, &user, path, NULL);
			if (wants ? !is(o, "REAUTH_REQUIRED") : admitted(o) != may)
				WRONG(r->op, &user, o);
			again += wants;
		}
	}
	assert_true(again > 5);
}

static bool
listed(const char *const *names, const char *name)
{
	for (; *names != NULL; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

/* Returns the first person who may call the op; PEOPLE: none. */
static int
lowest(const struct right *r, int column)
{
	int person = 0;

	while (person < PEOPLE && !passed(r, column, person))
		person++;
	return person;
}

/* ---- rules that no table of the code says ---- */

/* All ops that anonymous callers may use. */
static const char *const anonymous_reads[] = { "admin_asset", "admin_page", "admin_page_1",
	"admin_page_2", "admin_page_3", "admin_page_4", "admin_page_5", "admin_page_slash",
	"admin_root", "admin_plugin_file", "admin_plugin_file_in", "comment_threads",
	"invite_accept", "invite_options", "media_file", "mcp_delete", "mcp_get", "oauth_apps",
	"oauth_device_page", "oauth_resource", "oauth_resource_mcp", "oauth_server",
	"oauth_server_below", "oauth_server_mcp", "oauth_server_root", "openapi_get",
	"page_account", "page_invite", "page_link", "page_script", "page_setup", "page_signin",
	"page_style", "passkey_options", "provider_public", "search_query", "search_suggest",
	"settings_robots", "setup_admin", "setup_status", "site_proof", "sitemap", NULL };
static const char *const anonymous_writes[] = { "comment_create", "invite_complete",
	"magic_link_send", "magic_link_use", "magic_link_verify", "oauth_apps_end",
	"oauth_authorize", "oauth_consent", "oauth_device_code", "oauth_device_post",
	"oauth_device_token", "oauth_register", "oauth_token", "oauth_token_refresh",
	"oauth_token_revoke", "oidc_callback", "oidc_start", "passkey_verify", "recovery_code_use",
	"release_preview", "setup_admin_verify", "setup_site", NULL };

static void
nobody_reaches_what_is_listed_and_nothing_else(void **state)
{
	(void)state;
	EACH_RIGHT(r)
	{
		bool reached = false, listed_here;

		for (int column = 0; column < r->columns; column++)
			reached |= passed(r, column, 0);
		listed_here = listed(r->op->row.lane == STET_READ || r->op->row.open != NULL
					 ? anonymous_reads
					 : anonymous_writes,
		    r->op->name);
		if (reached != listed_here)
			fail_msg("%s is %sreached by nobody", r->op->name, reached ? "" : "not ");
	}
}

static void
check_rise(const struct right *r, int column)
{
	for (int i = lowest(r, column); i < PEOPLE; i++)
		if (!passed(r, column, i))
			fail_msg("%s: role %d may not do what a lower one may", r->op->name,
			    people[i]->role);
}

static void
a_higher_role_may_do_what_a_lower_one_may(void **state)
{
	(void)state;
	EACH_RIGHT(r)
	{
		for (int column = 0; column < r->columns; column++)
			check_rise(r, column);
	}
}

/* The lowest role that may call ops of a module, or ops by name; the first match counts. */
struct floor {
	const char *module, *ops;
	int read, write;
};
static const struct floor floors[] = {
	{ "feeds", "sitemap", 0, 0 },
	{ "feeds", "*", 10, 10 },
	{ "settings", "settings_robots", 0, 0 },
	{ "settings", "*", 40, 50 },
	{ "schema", "*", 40, 50 },
	{ "taxonomies", "*", 10, 40 },
	{ "menus", "*", 10, 40 },
	{ "releases", "release_preview", 0, 0 },
	{ "releases", "*", 20, 30 },
	{ "bylines", "*", 10, 40 },
	{ "sections", "*", 10, 40 },
	{ "widgets", "*", 10, 40 },
	{ "users", "*", 50, 50 },
	{ "plugins", "*", 40, 50 },
	{ "audit", "*", 50, 50 },
	{ "backups", "*", 50, 50 },
	{ "daemons", "*", 50, 50 },
	{ "auth", "user_*", 50, 50 },
	{ "oauth", "oauth_client_*", 50, 50 },
	{ "oauth", "oauth_device_authorize", 10, 10 },
	{ "oauth", "grant_*", 10, 10 },
	{ "oauth", "*", 0, 0 },
	{ "signin", "user_*", 50, 50 },
	{ "signin", "magic_link_*", 0, 0 },
	{ "signin", "recovery_code_use", 0, 0 },
	{ "signin", "invite_accept", 0, 0 },
	{ "signin", "invite_complete", 0, 0 },
	{ "signin", "invite_options", 0, 0 },
	{ "signin", "invite_*", 50, 50 },
	{ "signin", "setup_link", 50, 50 },
	{ "signin", "setup_*", 0, 0 },
	{ "signin", "passkey_options", 0, 0 },
	{ "signin", "passkey_verify", 0, 0 },
	{ "auth", "*_any", 50, 50 },
	{ "media", "media_file", 0, 0 },
	{ "media", "media_folder_*", 10, 40 },
	{ "media", "media_get_upload_url", 20, 20 },
	{ "media", "media_post", 20, 20 },
	{ "media", "media_upload", 20, 20 },
	{ "media", "media_put", 20, 20 },
	{ "media", "media_confirm_upload", 20, 20 },
	{ "media", "*", 10, 30 },
	{ "redirects", "*", 10, 30 },
	{ "import", "*", 50, 50 },
	{ "media-usage", "media_usage_detail", 20, 20 },
	{ "media-usage", "*", 50, 50 },
	{ "comments", "comment_threads", 0, 0 },
	{ "comments", "comment_create", 0, 0 },
	{ "comments", "*_delete", 50, 50 },
	{ "comments", "*", 40, 40 },
	{ "reviews", "review_approve", 40, 40 },
	{ "reviews", "review_return", 40, 40 },
	{ "reviews", "*", 20, 20 },
	{ "content", "content_list_trashed", 20, 50 },
	{ "content", "content_permanent_delete", 50, 50 },
	{ "content", "content_authors", 20, 50 },
	{ "content", "content_compare", 20, 50 },
	{ "content", "content_preview_url", 20, 50 },
	{ "content", "preview_link*", 20, 20 },
	{ "content", "content_add", 20, 20 },
	{ "content", "content_create", 20, 20 },
	{ "content", "content_copy", 20, 20 },
	{ "content", "content_duplicate", 20, 20 },
	{ "content", "revision*", 20, 30 },
	{ "content", "*", 10, 30 },
};

/* Long reads are in the slow lane: ops with GET and a scope that reads. */
static bool
is_read(const struct op *op)
{
	const char *scope = op->row.scope, *part = scope != NULL ? strchr(scope, ':') : NULL;

	return op->row.lane == STET_READ || (op->row.lane == STET_SLOW && op->row.route != NULL &&
						strncmp(op->row.route, "GET ", 4) == 0 &&
						part != NULL && strcmp(part, ":read") == 0);
}

static int
floor_of(const struct right *r)
{
	const bool write = !is_read(r->op);

	for (size_t i = 0; i < COUNT(floors); i++)
		if (strcmp(floors[i].module, r->op->owner->m.name) == 0 &&
		    fnmatch(floors[i].ops, r->op->name, 0) == 0)
			return write ? floors[i].write : floors[i].read;
	return write && !is_public(r->op) ? 10 : 0;
}

static void
roles_are_not_below_those_of_the_contract(void **state)
{
	(void)state;
	EACH_RIGHT(r)
	{
		int floor = floor_of(r);

		for (int column = 0; column < r->columns; column++) {
			int who = lowest(r, column), need = floor;

			/* Changing others' items requires an Editor; creating copies does not. */
			if (column >= OTHERS && floor == 30)
				need = 40;
			if (column % ITEM_STATES != PUBLISHED && need < 20)
				need = 20;
			if (who < PEOPLE && people[who]->role < need)
				fail_msg("%s (column %d) is open to role %d, and %d is needed",
				    r->op->name, column, people[who]->role, need);
		}
	}
}

/* Drafts, the trash and revisions exist for Contributors and above only, even one's own. */
static void
what_is_not_published_is_not_there_for_subscribers(void **state)
{
	int cases = 0;

	(void)state;
	EACH_RIGHT(r)
	{
		for (int column = 0; r->columns > 1 && column < COLUMNS; column++) {
			int who = lowest(r, column);

			if (!r->revision && column % ITEM_STATES == PUBLISHED)
				continue;
			if (who < PEOPLE && people[who]->role < 20)
				fail_msg("%s passes role %d", r->op->name, people[who]->role);
			cases++;
		}
	}
	assert_true(cases > 100);
}

/* ---- scopes ---- */

/* Returns true if the op admits everyone by its own rule (`open`). Then it admits every token,
 * too. */
static bool
is_opened(const struct right *r)
{
	return r->op->row.open != NULL && admitted(matrix_call(r, nobody, NULL));
}

static void
every_op_admits_the_scopes_that_its_row_says(void **state)
{
	(void)state;
	EACH_RIGHT(r)
	{
		const struct op *op = r->op;
		for (size_t i = 0; scopes[i] != NULL; i++) {
			const struct harness_user limited[1] = {
				{ .id = admin->id, .role = 50, .scopes = scopes[i] }
			};
			struct outcome *o = matrix_call(r, limited, NULL);
			const char *code = scope_refusal(op, scopes[i]);
			bool good =
			    is_public(op) || (op->row.flags & STET_ANY_SCOPE) != 0 || *code == '\0'
				? admitted(o)
				: o->http == 403 && is(o, code);

			if (!good && !is_opened(r))
				fail_msg(
				    "%s with \"%s\": %d %s", op->name, scopes[i], o->http, o->text);
		}
	}
}

static void
refuses_scopes(const struct right *r, const char *scopes_held)
{
	const struct harness_user limited[1] = {
		{ .id = admin->id, .role = 50, .scopes = scopes_held }
	};
	struct outcome *o = matrix_call(r, limited, NULL);

	if (!is(o, "INSUFFICIENT_SCOPE"))
		fail_msg("%s with \"%s\": %d %s", r->op->name, scopes_held, o->http, o->text);
}

#define READ_SCOPES "content:read media:read schema:read settings:read"

/* Returns true for ops without a scope of their own: public ones, the tool server and batches,
 * whose operations check scopes. */
static bool
asks_on(const struct right *r)
{
	return is_public(r->op) || (r->op->row.flags & STET_ANY_SCOPE) != 0 ||
	       strcmp(r->op->owner->m.name, "mcp") == 0;
}

static void
a_token_that_reads_changes_nothing(void **state)
{
	int cases = 0;

	(void)state;
	EACH_RIGHT(r)
	{
		/* Public ops only read, whatever their lane: the sitemap runs in the slow lane. */
		if (is_read(r->op) || r->op->row.open != NULL || asks_on(r))
			continue;
		refuses_scopes(r, READ_SCOPES);
		cases++;
	}
	assert_true(cases > 50);
}

static void
no_op_is_open_to_a_token_without_a_scope(void **state)
{
	(void)state;
	EACH_RIGHT(r)
	{
		if (!asks_on(r) && !is_opened(r))
			refuses_scopes(r, "");
	}
}

static void
what_is_below_admin_needs_the_scope_admin(void **state)
{
	int cases = 0;

	(void)state;
	EACH_RIGHT(r)
	{
		if (r->op->route == NULL || strstr(r->op->route, " " API "/admin/") == NULL)
			continue;
		/* The admin pages request it first, for every user. */
		if (strcmp(r->op->name, "manifest_get") == 0 ||
		    strcmp(r->op->name, "manifest_collection") == 0)
			continue;
		refuses_scopes(r,
		    READ_SCOPES " content:write media:write schema:write taxonomies:manage "
				"menus:manage settings:manage mcp:tools");
		cases++;
	}
	assert_true(cases > 10);
}

/* A scope does not raise a role. */
static void
a_scope_does_not_replace_a_role(void **state)
{
	static const struct harness_user low[1] = { { .id = "01USERSUBSCRIBER0000000010",
	    .role = 10,
	    .scopes = "admin mcp:tools content:read content:write schema:read schema:write "
		      "taxonomies:manage menus:manage settings:read settings:manage" } };

	(void)state;
	EACH_RIGHT(r)
	{
		struct outcome *o;

		if (r->columns > 1 || passed(r, ANY, 1))
			continue;
		o = matrix_call(r, low, NULL);
		if (o->http != 403 || !is(o, "FORBIDDEN"))
			WRONG(r->op, low, o);
	}
}

/* ---- requests ---- */

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
		/* Anonymous callers get UNAUTHORIZED instead. */
		o = request(op, nobody, path, "");
		if (!is(o, "UNAUTHORIZED"))
			WRONG(op, nobody, o);
	}
}

/* Browsers send the origin of a request. */
static void
a_session_is_of_no_use_to_another_site(void **state)
{
	static const struct harness_user session[1] = {
		{ .id = "01USERADMIN000000000000050", .role = 50, .session = true }
	};
	static const struct {
		const char *headers;
		bool passes;
	} cases[] = { { "Origin: HTTP://LOCALHOST", true },
		{ "Origin: http://localhost.evil.example", false },
		{ "Origin: https://evil.example", false }, { "Origin: null", false },
		{ "Sec-Fetch-Site: same-origin", true }, { "Sec-Fetch-Site: none", true },
		{ "Sec-Fetch-Site: same-site", false }, { "Sec-Fetch-Site: cross-site", false },
		{ "Origin: https://evil.example\r\nSec-Fetch-Site: same-origin", false } };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char headers[200];
		struct outcome *o;

		snprintf(headers, sizeof(headers), "%s\r\nX-CMS-Request: 1", cases[i].headers);
		o = harness_request(
		    h, session, "POST /auth/me", headers, "{\"action\":\"dismissWelcome\"}");
		if (is(o, "CSRF_REJECTED") == cases[i].passes)
			print_error("%s\n", cases[i].headers);
		assert_int_equal(!is(o, "CSRF_REJECTED"), cases[i].passes);
		/* A token is accepted from any origin: browsers do not send it by themselves. */
		o = harness_request(
		    h, admin, "POST /auth/me", headers, "{\"action\":\"dismissWelcome\"}");
		assert_false(is(o, "CSRF_REJECTED"));
	}
}

/* Only the path selects the item; a query or a body cannot select another one. */
static void
the_query_and_the_body_do_not_name_another_item(void **state)
{
	struct item own, other;
	struct outcome *o;

	(void)state;
	item_make(author, PUBLISHED, &own);
	item_make(other_author, PUBLISHED, &other);
	for (int i = 0; i < 4; i++) {
		static const char *const body[] = { "{\"id\":\"%s\",\"data\":{\"title\":\"x\"}}",
			"{\"id\":[\"%s\"],\"data\":{\"title\":\"x\"}}",
			"{\"authorId\":\"%s\",\"data\":{\"title\":\"x\"}}",
			"{\"data\":{\"title\":\"x\",\"id\":\"%s\"}}" };
		char text[256], line[256];

		(void)snprintf(text, sizeof(text), "{\"data\":{\"title\":\"x\"}}");
		(void)snprintf(line, sizeof(line), "PUT /content/posts/%s?id=%s&id=%s", other.id,
		    own.id, own.id);
		o = harness_request(h, author, line, NULL, text);
		assert_true(o->http >= 400 && o->http < 500);
		(void)snprintf(line, sizeof(line), "PUT /content/posts/%s", other.id);
		assert_non_null(strstr(body[i], "%s"));
		(void)snprintf(text, sizeof(text), "%.*s%s%s",
		    (int)(strstr(body[i], "%s") - body[i]), body[i], own.id,
		    strstr(body[i], "%s") + 2);
		o = harness_request(h, author, line, NULL, text);
		assert_true(o->http >= 400 && o->http < 500);
	}
	harness_ok(o, harness_op(h, admin, "content_get",
			  "{\"collection\":\"posts\",\"id\":\"%s\"}", other.id));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Secret two");
	assert_string_equal(harness_text(o->data, "item.authorId"), other_author->id);
}

static int
begin(void **state)
{
	int failed = routes_begin(state);

	matrix_make();
	return failed;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everybody_may_do_what_is_expected),
		cmocka_unit_test(routes_admit_whom_their_ops_admit),
		cmocka_unit_test(a_session_may_do_what_a_token_of_its_role_may),
		cmocka_unit_test(nobody_reaches_what_is_listed_and_nothing_else),
		cmocka_unit_test(a_higher_role_may_do_what_a_lower_one_may),
		cmocka_unit_test(roles_are_not_below_those_of_the_contract),
		cmocka_unit_test(what_is_not_published_is_not_there_for_subscribers),
		cmocka_unit_test(every_op_admits_the_scopes_that_its_row_says),
		cmocka_unit_test(a_token_that_reads_changes_nothing),
		cmocka_unit_test(no_op_is_open_to_a_token_without_a_scope),
		cmocka_unit_test(what_is_below_admin_needs_the_scope_admin),
		cmocka_unit_test(a_scope_does_not_replace_a_role),
		cmocka_unit_test(what_changes_state_needs_the_header),
		cmocka_unit_test(a_session_is_of_no_use_to_another_site),
		cmocka_unit_test(the_query_and_the_body_do_not_name_another_item),
	};

	return cmocka_run_group_tests(tests, begin, routes_end);
}
