/*
 * rights.c - who may do what, as the tables of the ops say it: every op with a route, as each role
 * and as nobody, with each scope, on own and others' items, and by paths that are almost its own.
 * An op that is added is tested without a line here.
 */
#include "harness.h"
#include "site.h"
#include <stdio.h>
#include <stdlib.h>

#define API "/_cms/api"
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct harness *h;
static const struct generation *gen;
static const struct harness_user *const people[] = { nobody, subscriber, contributor, author,
	editor, admin };

static int
begin(void **state)
{
	(void)state;
	h = harness_open(NULL);
	gen = harness_site(h)->current;
	assert_ok(harness_op(h, admin, "schema_create_collection",
	    "{\"slug\":\"posts\",\"label\":\"Posts\",\"supports\":[\"drafts\",\"revisions\"]}"));
	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}"));
	return 0;
}

static int
end(void **state)
{
	(void)state;
	harness_close(h, false);
	return 0;
}

/* ---- requests made from tables ---- */

static json_t *example(const struct stet_member *);

/* Every member that is required, but those of the path. */
static json_t *
example_object(const struct stet_member *in, const char *route)
{
	json_t *out = json_object();
	char name[80];

	for (; in != NULL && in->name != NULL; in++) {
		(void)snprintf(name, sizeof(name), "/:%s", in->name);
		if ((in->flags & STET_REQUIRED) != 0 &&
		    (route == NULL || strstr(route, name) == NULL))
			json_object_set_new(out, in->name, example(in));
	}
	return out;
}

static json_t *
example_array(const struct stet_member *m)
{
	const struct stet_member item = { .name = m->name, .type = m->item, .of = m->of };
	json_t *out = json_array();

	for (int i = 0; (m->flags & STET_BOUNDED) != 0 && i < m->min; i++)
		json_array_append_new(
		    out, m->of != NULL ? example_object(m->of, NULL) : example(&item));
	return out;
}

static json_t *
example(const struct stet_member *m)
{
	if (m->choices != NULL)
		return json_string(m->choices[0]);
	switch (m->type) {
	case STET_STRING:
		return json_string("example");
	case STET_INTEGER:
	case STET_NUMBER:
		return json_integer(m->min > 1 ? (json_int_t)m->min : 1);
	case STET_BOOLEAN:
		return json_true();
	case STET_TIME:
		return json_string("2036-01-01T00:00:00Z");
	case STET_OBJECT:
		return example_object(m->of, NULL);
	case STET_ARRAY:
		return example_array(m);
	case STET_ANY:
		break;
	}
	return json_string("example");
}

/* The path of an op's route: posts for a collection, `id` for the other parameters. */
static void
path_of(const struct op *op, const char *id, char *out, size_t size)
{
	const char *at = strchr(op->route, '/');
	size_t len = 0;

	for (; *at != '\0' && len + 64 < size; at++) {
		if (*at != ':') {
			out[len++] = *at;
			continue;
		}
		len += (size_t)snprintf(out + len, size - len, "%s",
		    strncmp(at, ":collection", 11) == 0 ? "posts" : id);
		at += strcspn(at, "/") - 1;
	}
	out[len] = '\0';
}

static bool
has_body(const struct op *op)
{
	return op->method == HTTP_POST || op->method == HTTP_PUT || op->method == HTTP_PATCH;
}

/* A request of an op on a path. */
static struct outcome *
request(const struct op *op, const struct harness_user *user, const char *path, const char *headers)
{
	json_t *body = example_object(op->row.in, op->route);
	char *text = json_dumps(body, 0), *line;
	struct outcome *o;

	assert_true(asprintf(&line, "%.*s /%s", (int)strcspn(op->route, " "), op->route, path) > 0);
	o = harness_request(h, user, line, headers, has_body(op) ? text : NULL);
	free(line);
	free(text);
	json_decref(body);
	return o;
}

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

static bool
is_public(const struct op *op)
{
	return (op->row.flags & STET_PUBLIC) != 0;
}

/* May this role pass the gate of this op? */
static bool
allowed(const struct op *op, const struct harness_user *user)
{
	return is_public(op) || (user->role > 0 && user->role >= op->role);
}

#define EACH_ROUTE(op)                                                          \
	for (const struct op *op = gen->op; op < gen->op + gen->op_count; op++) \
		if (op->route != NULL)

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

static const char *const scopes[] = { "content:read", "content:write", "media:read", "media:write",
	"schema:read", "schema:write", "taxonomies:manage", "menus:manage", "settings:read",
	"settings:manage", "admin", "mcp:tools", "mcp:tools:word-count", "constructor",
	"content:rea", "content:readx", "" };

static bool
opens(const char *have, const char *need)
{
	if (strcmp(have, need) == 0)
		return true;
	if (strncmp(need, "mcp:tools", 9) == 0)
		return strcmp(have, "mcp:tools") == 0;
	if (strcmp(have, "admin") == 0)
		return true;
	return strcmp(have, "content:write") == 0 &&
	       (strcmp(need, "taxonomies:manage") == 0 || strcmp(need, "menus:manage") == 0);
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
		for (size_t i = 0; i < COUNT(scopes); i++) {
			const struct harness_user limited[1] = {
				{ .id = admin->id, .role = 50, .scopes = scopes[i] }
			};
			struct outcome *o = request(op, limited, path, NULL);
			bool good = is_public(op) || opens(scopes[i], need)
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

enum item_state { PUBLISHED, DRAFT, TRASHED, ITEM_STATES };

/* An item of this author. */
static void
item_make(const struct harness_user *owner, enum item_state how, char id[27])
{
	/* With the rights to make any. */
	const struct harness_user maker[1] = { { .id = owner->id, .role = 50 } };
	struct outcome *o;

	harness_ok(o, harness_send(h, maker, "POST /content/posts",
			  "{\"status\":\"%s\",\"data\":{\"title\":\"Secret\"}}",
			  how == PUBLISHED ? "published" : "draft"));
	(void)snprintf(id, 27, "%s", harness_text(o->data, "item.id"));
	assert_string_equal(harness_text(o->data, "item.authorId"), owner->id);
	if (how == TRASHED)
		assert_ok(harness_op(
		    h, admin, "content_delete", "{\"collection\":\"posts\",\"id\":\"%s\"}", id));
}

/* Does the route name an item of a collection? */
static bool
on_items(const struct op *op)
{
	return strstr(op->route, " " API "/content/:collection/:") != NULL;
}

/* The three that this table knows all answers of. */
static bool
is_plain(const struct op *op)
{
	return strcmp(op->name, "content_get") == 0 || strcmp(op->name, "content_put") == 0 ||
	       strcmp(op->name, "content_delete") == 0;
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

static void
check_item(const struct op *op, const struct harness_user *user, bool own, enum item_state how)
{
	char id[27], path[512];
	struct outcome *o;
	bool role, sees, good;

	item_make(own ? user : other_author, how, id);
	path_of(op, id, path, sizeof(path));
	o = request(op, user, path, NULL);
	role = is_public(op) || (user->role > 0 && user->role >= role_needed(op, own));
	sees = how == PUBLISHED || user->role >= generation_role(gen, "content:read_drafts");
	if (user->role == 0 && !is_public(op))
		good = o->http == 401;
	else if (!role)
		/* What is in the trash is there for nobody who may not empty it. */
		good = o->http == 403 || (how != PUBLISHED && o->http == 404);
	else if (!sees)
		good = o->http == 404 || o->http == 403;
	else if (is_plain(op))
		good = how == TRASHED ? o->http == 404 : o->http == 200;
	else
		good = o->http < 500;
	if (!good)
		fail_msg("%s on %s item that is %s, as role %d: %d %s", op->name,
		    own ? "an own" : "another's",
		    how == PUBLISHED ? "published"
		    : how == DRAFT   ? "a draft"
				     : "in the trash",
		    user->role, o->http, o->text);
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
		for (size_t i = 0; i < COUNT(people); i++)
			for (int how = 0; how < ITEM_STATES; how++)
				for (int own = people[i]->role == 0 ? 0 : 1; own >= 0; own--)
					check_item(op, people[i], own != 0, (enum item_state)how);
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

/* ---- almost the same request ---- */

/* Does the daemon see another op in it, one that this user may call? */
static bool
is_other_op(const char *method, const char *target, const struct harness_user *user)
{
	struct router_match match;
	struct http1_head head;
	char *text;
	int n = asprintf(&text, "%s %s HTTP/1.1\r\nHost: x\r\n\r\n", method, target);
	bool other;

	assert_true(n > 0);
	other = !http1_parse(text, (size_t)n, &head); /* refused in any case */
	if (!other) {
		router_find(gen->router, head.method, head.path, &match);
		other = match.op != NULL && allowed(match.op, user);
	}
	free(text);
	return other;
}

static int tried;

/* A request by a user for whom the op is closed. */
static void
never_better(const struct op *op, const struct harness_user *user, const char *method,
    const char *target, const char *headers)
{
	char *line, *text;
	struct outcome *o;
	json_t *body;

	if (is_other_op(method, target, user))
		return;
	body = example_object(op->row.in, op->route);
	text = json_dumps(body, 0);
	assert_true(asprintf(&line, "%s /%s", method, target) > 0);
	o = harness_request(h, user, line, headers, text);
	if (o->http < 400 || o->http >= 500 || strstr(o->text, "Secret") != NULL)
		fail_msg("%s as role %d: %s is answered %d %s", op->name, user->role, line, o->http,
		    o->text);
	tried++;
	free(line);
	free(text);
	json_decref(body);
}

/* The path with `with` in the place of the slash before its n-th segment; false: it has not so
 * many. */
static bool
spliced(const char *path, int n, const char *with, char *out, size_t size)
{
	const char *at = path;

	for (; n > 0 && at != NULL; n--)
		at = strchr(at + 1, '/');
	if (at == NULL)
		return false;
	(void)snprintf(out, size, "%.*s%s%s", (int)(at - path), path, with, at + 1);
	return true;
}

static const char *const slashes[] = { "//", "/./", "/x/../", "/%2e/", "/%2E%2e/", "%2f", "%2F",
	";x/", "/;x/", "\\", "/%5c", "/%00", "/ ", "/%20", "/.%2f", "///" };
static const char *const tails[] = { "/", "//", "/.", "/..", "/%2e", ";x", ";/", "?", "%00", "%20",
	".json", "?_method=GET", "?id=x&id=y", "?collection=posts&collection=pages", "?role=50",
	"/.json", "%2f", "#", "?scope=admin", "%" };
static const char *const odd_headers[] = {
	"X-CMS-Request: 1\r\nX-HTTP-Method-Override: GET",
	"X-CMS-Request: 1\r\nX-Original-URL: /_cms/api/auth/me\r\nX-Rewrite-URL: /_cms/api/auth/me",
	"X-CMS-Request: 1\r\nX-Forwarded-For: 127.0.0.1\r\nX-Forwarded-User: admin",
	"X-CMS-Request: 1\r\nAuthorization: Bearer\r\nCookie: session=admin",
	"X-CMS-Request: 1\r\nAuthorization: Basic YWRtaW46YWRtaW4=",
};

static void
upper(char *text)
{
	for (; *text != '\0'; text++)
		if (*text >= 'a' && *text <= 'z')
			*text = (char)(*text - 'a' + 'A');
}

static void
try_paths(const struct op *op, const struct harness_user *user, const char *path)
{
	const char *method = http_method_name[op->method];
	char target[1024];

	for (size_t i = 0; i < COUNT(slashes); i++)
		for (int n = 0; spliced(path, n, slashes[i], target, sizeof(target)); n++)
			never_better(op, user, method, target, NULL);
	for (size_t i = 0; i < COUNT(tails); i++) {
		(void)snprintf(target, sizeof(target), "%s%s", path, tails[i]);
		never_better(op, user, method, target, NULL);
	}
	for (size_t i = 0; i < COUNT(odd_headers); i++)
		never_better(op, user, method, path, odd_headers[i]);
	(void)snprintf(target, sizeof(target), "%s", path);
	upper(target);
	never_better(op, user, method, target, NULL);
	for (int n = 0; n < 6; n++) {
		char *at = target;

		(void)snprintf(target, sizeof(target), "%s", path);
		for (int k = 0; k < n && at != NULL; k++)
			at = strchr(at + 1, '/');
		if (at == NULL || at[1] == '\0')
			break;
		/* One letter of a segment in upper case; encoded. */
		at[1] = (char)(at[1] & ~0x20);
		never_better(op, user, method, target, NULL);
	}
	(void)snprintf(target, sizeof(target), "http://x%s", path);
	never_better(op, user, method, target, NULL);
}

static void
try_methods(const struct op *op, const struct harness_user *user, const char *path)
{
	static const char *const methods[] = { "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE",
		"OPTIONS", "TRACE", "get", "Post", "PROPFIND", "M-SEARCH" };

	for (size_t i = 0; i < COUNT(methods); i++)
		never_better(op, user, methods[i], path, NULL);
}

/* Draft items and things that are there: an answer that is too good would show. */
static void
no_variant_of_a_request_is_answered_better(void **state)
{
	char id[27], path[512];

	(void)state;
	item_make(other_author, DRAFT, id);
	EACH_ROUTE(op)
	{
		path_of(op, on_items(op) ? id : "posts", path, sizeof(path));
		for (size_t i = 0; i < COUNT(people); i++) {
			if (allowed(op, people[i]))
				continue;
			try_paths(op, people[i], path);
			try_methods(op, people[i], path);
		}
	}
	print_message("# %d requests\n", tried);
	assert_true(tried > 2000);
	/* And it is as it was. */
	assert_ok(
	    harness_op(h, admin, "content_get", "{\"collection\":\"posts\",\"id\":\"%s\"}", id));
	assert_ok(harness_op(h, admin, "schema_get_collection", "{\"slug\":\"posts\"}"));
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
		cmocka_unit_test(no_variant_of_a_request_is_answered_better),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
