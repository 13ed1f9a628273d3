/*
 * resources.c - resources: texts that a host reads for its model.
 *
 *   stet://schema                   all collections and their fields
 *   stet://guide                    the house rules of the site (guide.c)
 *   stet://item/{collection}/{id}   an item as Markdown
 *
 * Each is read by an op, with its checks, so a caller reads no more than by the tools.
 */
#include "mcp.h"
#include <stdlib.h>
#include <stet/buf.h>
#include <stet/content.h>
#include <string.h>
#include <strings.h>

#define URI_MOST 2000 /* bytes */
#define TEXT_MOST 48000 /* bytes of a resource */
#define ITEM "stet://item/"
#define SCHEMA "stet://schema"
#define GUIDE "stet://guide"
#define SCHEMA_OP "schema_list_collections"
#define GUIDE_OP "guide_get"
#define ITEM_OP "content_get"

/* What the URI of an item names. */
struct wanted {
	const char *collection, *id;
};

/* ---- texts of a limited length ---- */

/* Returns the text or, if it is too long, its beginning with a note. */
static const char *
bounded(struct stet_call *call, const char *text, const char *note)
{
	size_t len = stet_utf8_cut(text, TEXT_MOST);

	return text[len] == '\0' ? text : stet_printf(call, "%.*s\n\n(%s)\n", (int)len, text, note);
}

/* ---- stet://schema ---- */

static void
put_options(struct stet_call *call, struct stet_buf *b, const struct stet_field *f)
{
	const json_t *list = json_object_get(f->validation, "options"), *value;
	const char *target = json_string_value(json_object_get(f->options, "collection"));
	const char *text = "";
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)list, i, value) text =
	    stet_printf(call, "%s%s%s", text, i > 0 ? "|" : "", json_string_value(value));
	if (*text != '\0' && strlen(text) <= 200)
		stet_buf_printf(b, " (%s)", text);
	if (target != NULL)
		stet_buf_printf(b, " -> %s", target);
}

static void
put_field(struct stet_call *call, struct stet_buf *b, const struct stet_field *f)
{
	stet_buf_printf(b, "- %s: %s", f->slug, f->type->name);
	put_options(call, b, f);
	if (f->required)
		stet_buf_str(b, ", required");
	if (f->unique)
		stet_buf_str(b, ", unique");
	if (strcasecmp(f->label, f->slug) != 0)
		stet_buf_printf(b, ". %s", f->label);
	stet_buf_str(b, "\n");
}

static void
put_collection(struct stet_call *call, struct stet_buf *b, const struct stet_collection *c)
{
	stet_buf_printf(b, "## %s\n\n%s%s%s%s\n", c->slug, c->label,
	    c->description != NULL ? ": " : "", c->description != NULL ? c->description : "",
	    c->drafts ? "" : " (no drafts: what is saved is live)");
	for (size_t i = 0; i < c->field_count; i++)
		put_field(call, b, c->fields[i]);
	stet_buf_str(b, "\n");
}

/* Returns the text of the buffer, owned by the call, and frees the buffer. */
static const char *
taken(struct stet_call *call, struct stet_buf *b)
{
	const char *text = stet_strdup(call, b->data != NULL ? b->data : "");

	stet_buf_free(b);
	return text;
}

static enum stet_status
read_schema(struct stet_call *call, const struct wanted *w, const char **text)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *all;
	struct stet_buf b = { 0 };
	json_t *listed;
	size_t count;

	(void)w;
	STET_TRY(stet_invoke_json(call, SCHEMA_OP, json_object(), &listed));
	STET_TRY(schema->collections(call, &all, &count));
	for (size_t i = 0; i < count; i++)
		if (stet_covers(call, all[i]->slug))
			put_collection(call, &b, all[i]);
	*text = bounded(call, taken(call, &b),
	    "There is more: the tool schema_get_collection describes one collection");
	return STET_OK;
}

/* ---- stet://guide ---- */

static enum stet_status
read_guide(struct stet_call *call, const struct wanted *w, const char **text)
{
	json_t *answer;

	(void)w;
	STET_TRY(stet_invoke_json(call, GUIDE_OP, json_object(), &answer));
	*text = json_string_value(json_object_get(answer, "text"));
	if (**text == '\0')
		*text = "There are no house rules yet. Editors write them in the admin pages.";
	*text = bounded(call, *text, "There is more");
	return STET_OK;
}

/* ---- stet://item/{collection}/{id} ---- */

/* Writes the short values as front matter, whose lines are JSON. */
static void
put_line(struct stet_buf *b, const char *name, const json_t *value)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);

	if (text != NULL)
		stet_buf_printf(b, "%s: %s\n", name, text);
	free(text);
}

static bool
is_text(const json_t *value)
{
	return json_is_string(value) &&
	       (json_string_length(value) > 200 || strchr(json_string_value(value), '\n') != NULL);
}

static const char *
markdown_of(struct stet_call *call, const json_t *item)
{
	static const char *const members[] = { "id", "collection", "slug", "status", "locale",
		"publishedAt", "updatedAt" };
	const json_t *data = json_object_get(item, "data"), *value;
	struct stet_buf b = { 0 };
	const char *name;

	stet_buf_str(&b, "---\n");
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if ((value = json_object_get(item, members[i])) != NULL && !json_is_null(value))
			put_line(&b, members[i], value);
	json_object_foreach((json_t *)(uintptr_t)data, name, value)
	{
		if (!is_text(value) && !json_is_null(value))
			put_line(&b, name, value);
	}
	stet_buf_str(&b, "---\n");
	json_object_foreach((json_t *)(uintptr_t)data, name, value)
	{
		if (is_text(value))
			stet_buf_printf(&b, "\n## %s\n\n%s\n", name, json_string_value(value));
	}
	return taken(call, &b);
}

static enum stet_status
read_item(struct stet_call *call, const struct wanted *w, const char **text)
{
	json_t *answer, *args = json_pack(
			    "{ss ss sb}", "collection", w->collection, "id", w->id, "markdown", 1);

	STET_TRY(stet_invoke_json(call, ITEM_OP, args, &answer));
	*text = bounded(call, markdown_of(call, json_object_get(answer, "item")),
	    "There is more: read its fields with the tool content_get");
	return STET_OK;
}

/* ---- the resources ---- */

static const struct resource {
	const char *uri; /* of a template: up to its first variable */
	const char *name, *title, *about;
	const char *op; /* who may call it may read the resource */
	enum stet_status (*read)(struct stet_call *, const struct wanted *, const char **text);
	const char *template; /* NULL: none */
} resources[] = {
	{ GUIDE, "guide", "House rules",
	    "What the editors of this site want you to know: read it before you write.", GUIDE_OP,
	    read_guide, NULL },
	{ SCHEMA, "schema", "Collections and fields", "What the site is made of, in brief.",
	    SCHEMA_OP, read_schema, NULL },
	{ ITEM, "item", "Item", "An item as Markdown.", ITEM_OP, read_item,
	    ITEM "{collection}/{id}" },
};
#define RESOURCES (sizeof(resources) / sizeof(resources[0]))

static bool
is_open(struct stet_call *call, const struct resource *r)
{
	const struct stet_op_info *op = tool_op(call, r->op);

	return op != NULL && tool_open(call, op);
}

static int
hex(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c != '\0' ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;

	return at != NULL ? (int)(at - digits) : -1;
}

/* Decodes %XX. Returns NULL if the text is empty or wrong. */
static const char *
decoded(struct stet_call *call, const char *text, size_t len)
{
	char *out = stet_alloc(call, len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		int high = text[i] == '%' && i + 2 < len ? hex(text[i + 1]) : -1;

		out[n] = text[i];
		if (text[i] == '%') {
			if (high < 0 || hex(text[i + 2]) < 0)
				return NULL;
			out[n] = (char)(high * 16 + hex(text[i + 2]));
			i += 2;
		}
		if (out[n++] == '\0')
			return NULL;
	}
	return n > 0 && stet_utf8_length(out) >= 0 ? out : NULL;
}

/* Finds the resource of a URI, and what it names. NULL: there is none. */
static const struct resource *
find(struct stet_call *call, const char *uri, struct wanted *w)
{
	const char *rest, *slash;

	*w = (struct wanted){ NULL, NULL };
	for (size_t i = 0; i < RESOURCES && uri != NULL; i++) {
		const struct resource *r = &resources[i];

		if (r->template == NULL && strcmp(uri, r->uri) == 0)
			return r;
		if (r->template == NULL || strncmp(uri, r->uri, strlen(r->uri)) != 0)
			continue;
		rest = uri + strlen(r->uri);
		slash = strchr(rest, '/');
		if (slash == NULL || strchr(slash + 1, '/') != NULL)
			return NULL;
		w->collection = decoded(call, rest, (size_t)(slash - rest));
		w->id = decoded(call, slash + 1, strlen(slash + 1));
		return w->collection != NULL && w->id != NULL ? r : NULL;
	}
	return NULL;
}

/* ---- methods ---- */

static void
put_list(struct stet_call *call, struct exchange *x, const struct message *m, bool templates)
{
	struct stet_json *out = reply_open(call, x, m->id);

	reply_result(out, x);
	stet_array(out, templates ? "resourceTemplates" : "resources");
	for (size_t i = 0; i < RESOURCES; i++) {
		const struct resource *r = &resources[i];

		if ((r->template != NULL) != templates || !is_open(call, r))
			continue;
		stet_object(out, NULL);
		stet_put_str(
		    out, templates ? "uriTemplate" : "uri", templates ? r->template : r->uri);
		stet_put_str(out, "name", r->name);
		stet_put_str(out, "title", r->title);
		stet_put_str(out, "description", r->about);
		stet_put_str(out, "mimeType", "text/markdown");
		stet_close(out);
	}
	stet_close(out);
	reply_cached(out, x);
	stet_close(out);
	reply_close(out);
}

enum stet_status
resources_list(struct stet_call *call, struct exchange *x, const struct message *m)
{
	if (!list_refused(call, x, m))
		put_list(call, x, m, false);
	return STET_OK;
}

enum stet_status
resources_templates(struct stet_call *call, struct exchange *x, const struct message *m)
{
	if (!list_refused(call, x, m))
		put_list(call, x, m, true);
	return STET_OK;
}

void
resource_refuse(
    struct stet_call *call, struct exchange *x, const struct message *m, const char *text)
{
	json_t *data = stet_json_own(call, json_object());

	json_object_set_new(data, "uri", json_string(x->uri));
	/* The revisions differ in the code for a resource that is not there. */
	reply_error(
	    call, x, m->id, x->era.modern ? RPC_INVALID_PARAMS : RPC_NO_RESOURCE, text, data);
}

enum stet_status
resources_read(struct stet_call *call, struct exchange *x, const struct message *m)
{
	const json_t *uri = json_object_get(m->params, "uri");
	const struct resource *r = NULL;
	struct wanted w;
	struct stet_json *out;
	const char *text;

	x->uri = json_string_value(uri);
	if (x->uri == NULL) {
		reply_error(call, x, m->id, RPC_INVALID_PARAMS,
		    "Invalid params: uri must be a string", NULL);
		return STET_OK;
	}
	if (json_string_length(uri) <= URI_MOST && strlen(x->uri) == json_string_length(uri))
		r = find(call, x->uri, &w);
	if (r == NULL || !is_open(call, r)) {
		resource_refuse(call, x, m, "Resource not found");
		return STET_OK;
	}
	STET_TRY(r->read(call, &w, &text)); /* invoke_failed answers a failure */
	out = reply_open(call, x, m->id);
	reply_result(out, x);
	stet_array(out, "contents");
	stet_object(out, NULL);
	stet_put_str(out, "uri", x->uri);
	stet_put_str(out, "mimeType", "text/markdown");
	stet_put_str(out, "text", text);
	stet_close(out);
	stet_close(out);
	reply_cached(out, x);
	stet_close(out);
	reply_close(out);
	x->uri = NULL;
	return STET_OK;
}
