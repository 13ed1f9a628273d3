/*
 * variants.c - paths, methods and headers that are almost those of an op: a caller whom the op
 * refuses must not get further with any of them.
 */
#include "http/http1.h"
#include "http/router.h"
#include "routes.h"
#include <stdio.h>
#include <stdlib.h>

/* Returns true if the request reaches another op that this user may call, or is malformed. */
static bool
is_other_op(const char *method, const char *target, const struct harness_user *user)
{
	struct router_match match;
	struct http1_head head;
	char *text;
	int n = asprintf(&text, "%s %s HTTP/1.1\r\nHost: x\r\n\r\n", method, target);
	bool other;

	assert_true(n > 0);
	other = !http1_parse(text, (size_t)n, &head); /* malformed, so always refused */
	if (!other) {
		router_find(gen->router, head.method, head.path, &match);
		other = match.op != NULL && allowed(match.op, user);
	}
	free(text);
	return other;
}

static int tried;

/* Sends a variant as a user whom the op refuses: it must be refused, too. */
static void
never_better(const struct op *op, const struct harness_user *user, const char *method,
    const char *target, const char *headers)
{
	char *line, *text;
	struct outcome *o;

	if (is_other_op(method, target, user))
		return;
	text = body_of(op);
	assert_true(asprintf(&line, "%s /%s", method, target) > 0);
	o = harness_request(h, user, line, headers, text);
	if (o->http < 400 || o->http >= 500 || strstr(o->text, "Secret") != NULL)
		fail_msg("%s as role %d: %s is answered %d %s", op->name, user->role, line, o->http,
		    o->text);
	tried++;
	free(line);
	free(text);
}

/* Replaces the slash before the n-th segment by `with`. Returns false if the path has fewer
 * segments. */
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
	const char *method = http1_method_name[op->method];
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
		/* Changes the first letter of a segment to upper case. */
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

/* Returns true if the op admits everyone by its own rule (`open`). */
static bool
is_opened(const struct op *op, const struct harness_user *user, const char *path)
{
	return op->row.open != NULL && request(op, user, path, NULL)->http < 400;
}

/* The draft and the definitions exist, so that a wrongly admitted request would succeed. */
static void
no_variant_of_a_request_is_answered_better(void **state)
{
	struct item item;
	char path[512];

	(void)state;
	item_make(other_author, DRAFT, &item);
	EACH_ROUTE(op)
	{
		path_of(op, on_items(op) ? item.id : "posts", path, sizeof(path));
		for (size_t i = 0; i < COUNT(people); i++) {
			if (allowed(op, people[i]) || is_opened(op, people[i], path))
				continue;
			try_paths(op, people[i], path);
			try_methods(op, people[i], path);
		}
	}
	print_message("# %d requests\n", tried);
	assert_true(tried > 2000);
	/* The item and the collection are unchanged. */
	assert_ok(harness_op(
	    h, admin, "content_get", "{\"collection\":\"posts\",\"id\":\"%s\"}", item.id));
	assert_ok(harness_op(h, admin, "schema_get_collection", "{\"slug\":\"posts\"}"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_variant_of_a_request_is_answered_better),
	};

	return cmocka_run_group_tests(tests, routes_begin, routes_end);
}
