/* routes.c - requests made from the declarations of ops. */
#include "routes.h"
#include "http/http1.h"
#include <stdio.h>
#include <stdlib.h>

struct harness *h;
const struct generation *gen;
const struct harness_user *const people[PEOPLE] = { nobody, subscriber, contributor, author, editor,
	admin };

const char *const *routes_public_read;

int
routes_begin(void **state)
{
	const struct harness_options options = { .public_read = routes_public_read };

	(void)state;
	h = harness_open(&options);
	assert_ok(harness_op(h, admin, "schema_create_collection",
	    "{\"slug\":\"posts\",\"label\":\"Posts\",\"supports\":[\"drafts\",\"revisions\"]}"));
	assert_ok(harness_op(h, admin, "schema_update_collection",
	    "{\"slug\":\"posts\",\"commentsEnabled\":true,\"commentsModeration\":\"none\"}"));
	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"posts\",\"slug\":\"title\",\"label\":\"T\",\"type\":\"string\"}"));
	assert_ok(harness_op(h, admin, "plugin_settings_put",
	    "{\"id\":\"comments\",\"values\":{\"limitCount\":100000}}"));
	/* With a database that daemons share, the first write compiles the site again. */
	gen = harness_site(h)->current;
	return 0;
}

int
routes_end(void **state)
{
	(void)state;
	harness_close(h, false);
	return 0;
}

/* ---- requests made from declarations ---- */

static json_t *example(const struct stet_member *);

/* Returns all required members, except those of the path. */
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
	case STET_STRING: /* a private address, so that nothing is fetched */
		return json_string(strcmp(m->name, "url") == 0 ? "http://10.0.0.1" : "example");
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

void
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

json_t *
example_value(const struct stet_member *m)
{
	return example(m);
}

json_t *
example_of(const struct op *op)
{
	return example_object(op->row.in, NULL);
}

char *
body_of(const struct op *op)
{
	json_t *body = example_object(op->row.in, op->route);
	char *text = json_dumps(body, 0);

	assert_non_null(text);
	json_decref(body);
	return text;
}

struct outcome *
request(const struct op *op, const struct harness_user *user, const char *path, const char *headers)
{
	char *text = body_of(op), *line;
	struct outcome *o;

	assert_true(asprintf(&line, "%.*s /%s", (int)strcspn(op->route, " "), op->route, path) > 0);
	o = harness_request(h, user, line, headers, has_body(op) ? text : NULL);
	free(line);
	free(text);
	return o;
}

const char *const scopes[] = { "content:read", "content:write", "media:read", "media:write",
	"schema:read", "schema:write", "taxonomies:manage", "menus:manage", "settings:read",
	"settings:manage", "admin", "mcp:tools", "mcp:tools:word-count", "content:draft",
	"constructor", "content:rea", "content:readx", "", NULL };

const char *
scope_refusal(const struct op *op, const char *have)
{
	const char *need = op->row.scope != NULL ? op->row.scope : "admin";

	if (scope_opens(have, need))
		return "";
	if (strcmp(have, "content:draft") != 0)
		return "INSUFFICIENT_SCOPE";
	if ((op->row.more & STET_MORE_DRAFTS) != 0)
		return "";
	return op->row.lane != STET_READ && strcmp(need, "admin") != 0 ? "PUBLISH_NEEDS_APPROVAL"
								       : "INSUFFICIENT_SCOPE";
}

bool
scope_opens(const char *have, const char *need)
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

bool
is_public(const struct op *op)
{
	return (op->row.flags & STET_PUBLIC) != 0;
}

bool
allowed(const struct op *op, const struct harness_user *user)
{
	return is_public(op) || (user->role > 0 && user->role >= op->role);
}

bool
on_items(const struct op *op)
{
	return strstr(op->route, " " API "/content/:collection/:") != NULL;
}

void
item_make(const struct harness_user *owner, enum item_state how, struct item *out)
{
	static const char *const op[ITEM_STATES] = { NULL, "content_withdraw", "content_delete" };
	/* An owner with the rights to create any item. */
	const struct harness_user maker[1] = { { .id = owner->id, .role = 50 } };
	struct outcome *o;
	char which[80];

	harness_ok(o, harness_send(h, maker, "POST /content/posts",
			  "{\"status\":\"published\",\"data\":{\"title\":\"%s\"}}",
			  how == PUBLISHED ? "Open" : "Secret"));
	(void)snprintf(out->id, sizeof(out->id), "%s", harness_text(o->data, "item.id"));
	assert_string_equal(harness_text(o->data, "item.authorId"), owner->id);
	(void)snprintf(which, sizeof(which), "{\"collection\":\"posts\",\"id\":\"%s\"", out->id);
	harness_ok(o,
	    harness_op(h, maker, "content_put", "%s,\"data\":{\"title\":\"Secret two\"}}", which));
	(void)snprintf(out->rev, sizeof(out->rev), "%s", harness_text(o->data, "_rev"));
	harness_ok(o, harness_op(h, admin, "revisions", "%s}", which));
	(void)snprintf(
	    out->revision, sizeof(out->revision), "%s", harness_text(o->data, "items[0].id"));
	assert_int_equal(strlen(out->revision), 26);
	if (op[how] != NULL)
		harness_ok(o, harness_op(h, admin, op[how], "%s}", which));
	if (how == DRAFT)
		(void)snprintf(out->rev, sizeof(out->rev), "%s", harness_text(o->data, "_rev"));
}
