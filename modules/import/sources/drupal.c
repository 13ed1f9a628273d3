/*
 * drupal.c - content of Drupal 8 and later, as documents of its JSON:API that were saved as files:
 * nodes, with the terms, files, media, users, paragraphs and comments that they include. They are
 * read twice, since nodes refer to resources of any file. Option `url`: the address of the site;
 * without it, files are looked for in the directory.
 */
#include "sources/drupal.h"
#include "read/text.h"
#include <string.h>

#define ENDS " .json "
#define NODE "node--"

/* A resource while it is handled. */
struct one {
	struct drupal *drupal;
	const json_t *resource;
};

static const char *
related(const json_t *resource, const char *name, const char *member)
{
	const json_t *one = json_object_get(json_object_get(resource, "relationships"), name);

	return drupal_text(json_object_get(one, "data"), member);
}

/* The key of a node in one language. */
static const char *
key_of(struct stet_call *call, const json_t *node)
{
	return stet_printf(
	    call, "%s:%s", drupal_text(node, "id"), drupal_attribute(node, "langcode"));
}

static bool
is_true(const json_t *value)
{
	const char *text = json_string_value(value);

	return json_is_true(value) || json_integer_value(value) != 0 ||
	       (text != NULL && strcmp(text, "1") == 0);
}

/* ---- the first pass ---- */

static json_t *
list_in(json_t *object, const char *key)
{
	json_t *list = json_object_get(object, key);

	if (list == NULL) {
		list = json_array();
		(void)json_object_set_new(object, key, list);
	}
	return list;
}

static void
know_comment(struct drupal *d, const json_t *c)
{
	const json_t *attributes = json_object_get(c, "attributes");
	const json_t *body = json_object_get(attributes, "comment_body");
	const char *html = drupal_text(body, "processed"), *name = drupal_attribute(c, "name");

	(void)json_array_append_new(list_in(d->comments, related(c, "entity_id", "id")),
	    json_pack("{ss ss ss ss ss ss ss ss}", "own", drupal_text(c, "id"), "to",
		related(c, "pid", "id"), "author", name, "user", related(c, "uid", "id"), "email",
		drupal_attribute(c, "mail"), "created", drupal_attribute(c, "created"), "html",
		*html != '\0' ? html : drupal_text(body, "value"), "status",
		is_true(json_object_get(attributes, "status")) ? "approved" : "pending"));
}

/* Notes the old path of a node: redirect_redirect.uri is "internal:/node/5" or "entity:node/5". */
static void
know_redirect(struct drupal *d, const json_t *redirect)
{
	const json_t *attributes = json_object_get(redirect, "attributes");
	const char *path = drupal_text(json_object_get(attributes, "redirect_source"), "path");
	const char *to = drupal_text(json_object_get(attributes, "redirect_redirect"), "uri");
	const char *node = strstr(to, "node/");

	if (node != NULL && *path != '\0')
		(void)json_array_append_new(list_in(d->old, node + 5),
		    json_string(
			stet_printf(d->all.source->call, "%s%s", *path == '/' ? "" : "/", path)));
}

static bool
is_kept(const json_t *resource)
{
	static const char *const kinds[] = { "taxonomy_term--", "file--", "media--", "user--",
		"paragraph--", NULL };

	for (size_t i = 0; kinds[i] != NULL; i++)
		if (drupal_is(resource, kinds[i]))
			return true;
	return false;
}

static void
know_resource(struct drupal *d, const json_t *resource)
{
	const char *id = drupal_text(resource, "id"), *type = drupal_text(resource, "type");
	json_int_t count = json_integer_value(json_object_get(d->left, type));

	if (*id == '\0')
		return;
	if (drupal_is(resource, NODE)) {
		documents_know(&d->all, id, type + strlen(NODE));
		(void)json_object_set_new(
		    d->languages, drupal_attribute(resource, "langcode"), json_true());
	} else if (drupal_is(resource, "comment--"))
		know_comment(d, resource);
	else if (drupal_is(resource, "redirect--"))
		know_redirect(d, resource);
	else if (!is_kept(resource))
		(void)json_object_set_new(d->left, type, json_integer(count + 1));
	else if (json_object_size(d->resources) < KNOWN_MAX) {
		if (json_object_get(d->resources, id) == NULL)
			(void)json_object_set_new(
			    d->resources, id, json_deep_copy((json_t *)(uintptr_t)resource));
	} else
		d->full = true;
}

static const char *
link_in(const json_t *document, const char *name)
{
	const json_t *link = json_object_get(json_object_get(document, "links"), name);

	return json_is_string(link) ? json_string_value(link) : drupal_text(link, "href");
}

/* ---- nodes ---- */

static void
put_author(struct drupal *d, const json_t *node)
{
	const json_t *user = json_object_get(d->resources, related(node, "uid", "id"));
	const char *name = drupal_attribute(user, "display_name");

	(void)json_object_set_new(
	    d->item, "author", json_string(*name != '\0' ? name : drupal_attribute(user, "name")));
}

/* The address at the site: its alias, or /node/5, below the language of a translation. */
static void
put_addresses(struct drupal *d, const json_t *node)
{
	struct stet_call *call = d->all.source->call;
	const json_t *attributes = json_object_get(node, "attributes");
	const char *alias = drupal_text(json_object_get(attributes, "path"), "alias");
	const char *number = stet_printf(call, "%lld",
	    (long long)json_integer_value(json_object_get(attributes, "drupal_internal__nid")));
	const char *own = stet_printf(call, "/node/%s", number), *slash = strrchr(alias, '/');
	bool first = !json_is_false(json_object_get(attributes, "default_langcode"));
	json_t *old = json_object_get(d->old, number);

	(void)json_object_set_new(d->item, "link",
	    json_string(stet_printf(call, "%s%s%s%s", d->site, first ? "" : "/",
		first ? "" : drupal_text(attributes, "langcode"), *alias != '\0' ? alias : own)));
	if (slash != NULL)
		(void)json_object_set_new(
		    d->item, "slug", json_string(stet_slugify(call, slash + 1)));
	old = old != NULL ? json_copy(old) : json_array();
	if (first && *alias != '\0')
		(void)json_array_append_new(old, json_string(own));
	(void)json_object_set_new(d->item, "oldLinks", old);
}

static void
put_language(struct drupal *d, const json_t *node)
{
	const char *language = drupal_attribute(node, "langcode");

	if (json_object_size(d->languages) < 2 || strcmp(language, "und") == 0 ||
	    strcmp(language, "zxx") == 0)
		return;
	(void)json_object_set_new(d->item, "locale", json_string(language));
	(void)json_object_set_new(d->item, "group", json_string(drupal_text(node, "id")));
}

static void
put_comments(struct drupal *d, const char *id)
{
	json_t *list = json_object_get(d->comments, id), *one;
	size_t i;

	json_array_foreach(list, i, one)
	{
		const json_t *user = json_object_get(d->resources, drupal_text(one, "user"));

		if (*drupal_text(one, "author") == '\0')
			(void)json_object_set_new(one, "author",
			    json_string(*drupal_attribute(user, "display_name") != '\0'
					    ? drupal_attribute(user, "display_name")
					    : drupal_attribute(user, "name")));
	}
	if (list == NULL)
		return;
	(void)json_object_set(
	    d->item, "comments", (json_t *)(uintptr_t)document_comments(d->all.source->call, list));
	(void)json_object_set_new(d->done, id, json_true());
}

static enum stet_status
put_node(struct stet_call *call, void *arg)
{
	const struct one *o = arg;
	struct drupal *d = o->drupal;
	const json_t *node = o->resource, *attributes = json_object_get(node, "attributes");
	const char *id = drupal_text(node, "id"), *key = key_of(call, node), *author;
	bool first = !json_is_false(json_object_get(attributes, "default_langcode"));

	if (json_object_get(d->done, key) != NULL)
		return STET_OK; /* in several files */
	(void)json_object_set_new(d->done, key, json_true());
	d->item = document_new(call, first ? id : key, drupal_text(node, "type") + strlen(NODE),
	    is_true(json_object_get(attributes, "status")));
	(void)json_object_set_new(d->item, "terms", json_object());
	(void)json_object_set_new(d->item, "title", json_string(drupal_attribute(node, "title")));
	(void)json_object_set(d->item, "created", json_object_get(attributes, "created"));
	(void)json_object_set(d->item, "published", json_object_get(attributes, "created"));
	(void)json_object_set(d->item, "updated", json_object_get(attributes, "changed"));
	put_addresses(d, node);
	put_language(d, node);
	put_author(d, node);
	author = stet_strdup(call, drupal_text(d->item, "author"));
	(void)json_object_del(d->item, "author");
	STET_TRY(document_author(d->all.source, d->item, author, ""));
	STET_TRY(drupal_values(d, node));
	if (first)
		put_comments(d, id);
	return stet_source_put(d->all.source, STET_SOURCE_ITEM, json_incref(d->item));
}

/* ---- documents ---- */

static enum stet_status
take_resource(struct drupal *d, const char *name, const json_t *resource)
{
	struct one o = { d, resource };

	if (d->knowing) {
		know_resource(d, resource);
		return STET_OK;
	}
	if (*drupal_text(resource, "id") == '\0')
		return source_notice(d->all.source, name, true, "It has a resource without an id");
	return drupal_is(resource, NODE) ? stet_scope(d->all.source->call, put_node, &o) : STET_OK;
}

/* Tells errors, and what Drupal has left out because the caller may not see it. */
static enum stet_status
tell_problems(struct drupal *d, const char *name, const json_t *document)
{
	const json_t *errors = json_object_get(document, "errors");
	const json_t *omitted = json_object_get(json_object_get(document, "meta"), "omitted");
	const json_t *data = json_object_get(document, "data");

	if (errors != NULL)
		return source_notice(d->all.source, name, true,
		    stet_printf(d->all.source->call, "It is an error: %.200s",
			drupal_text(json_array_get(errors, 0), "title")));
	if (!json_is_object(data) && !json_is_array(data))
		return source_notice(d->all.source, name, true, "It is no document of JSON:API");
	if (omitted != NULL)
		return source_notice(d->all.source, name, true,
		    "Drupal has left out resources that its caller may not see");
	return STET_OK;
}

static enum stet_status
take_document(void *arg, const char *name, const json_t *document)
{
	struct drupal *d = arg;
	const json_t *data = json_object_get(document, "data"), *one;
	size_t i;

	if (d->knowing) {
		(void)json_object_set_new(d->pages, link_in(document, "self"), json_true());
		(void)json_object_set_new(d->nexts, link_in(document, "next"), json_string(name));
	} else
		STET_TRY(tell_problems(d, name, document));
	if (json_is_object(data))
		STET_TRY(take_resource(d, name, data));
	json_array_foreach((json_t *)(uintptr_t)data, i, one) STET_TRY(take_resource(d, name, one));
	json_array_foreach(json_object_get(document, "included"), i, one)
	    STET_TRY(take_resource(d, name, one));
	return STET_OK;
}

/* ---- between the passes, and behind them ---- */

static enum stet_status
put_terms(struct drupal *d)
{
	struct stet_call *call = d->all.source->call;
	const char *id;
	json_t *term;

	json_object_foreach(d->resources, id, term)
	{
		const json_t *parents =
		    json_object_get(json_object_get(term, "relationships"), "parent");
		const json_t *up =
		    drupal_resource(d, json_array_get(json_object_get(parents, "data"), 0));
		const json_t *about =
		    json_object_get(json_object_get(term, "attributes"), "description");

		if (drupal_is(term, "taxonomy_term--"))
			STET_TRY(stet_source_put(d->all.source, STET_SOURCE_TERM,
			    json_pack("{ss ss ss ss ss}", "taxonomy",
				drupal_taxonomy(call, drupal_text(term, "type")), "slug",
				drupal_term_slug(call, term), "name",
				drupal_attribute(term, "name"), "description",
				text_plain(call, drupal_text(about, "value")), "parent",
				up != NULL ? drupal_term_slug(call, up) : "")));
	}
	return STET_OK;
}

static enum stet_status
tell_rest(struct drupal *d)
{
	struct stet_call *call = d->all.source->call;
	const char *name;
	json_t *value;

	json_object_foreach(d->left, name, value) STET_TRY(source_notice(d->all.source, name, true,
	    stet_printf(call, "%lld of them are left out: there is no place for them",
		(long long)json_integer_value(value))));
	json_object_foreach(d->nexts, name, value)
	{
		if (*name != '\0' && json_object_get(d->pages, name) == NULL)
			STET_TRY(source_notice(d->all.source, json_string_value(value), true,
			    "The page that follows it is not among the files"));
	}
	json_object_foreach(d->comments, name, value)
	{
		if (json_object_get(d->done, name) == NULL)
			STET_TRY(source_notice(d->all.source, "comments", true,
			    stet_printf(call, "%zu comments have no node in the export",
				json_array_size(value))));
	}
	return d->full ? source_notice(d->all.source, "resources", true,
			     "Some are left out: there are more than 200,000")
		       : STET_OK;
}

enum stet_status
drupal_source(struct stet_call *call, struct stet_source *source)
{
	struct drupal d = { .site = document_site(source), .knowing = true };
	json_t **maps[] = { &d.resources, &d.comments, &d.old, &d.languages, &d.done, &d.pages,
		&d.nexts, &d.left };

	documents_begin(&d.all, source);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		*maps[i] = stet_json_own(call, json_object());
	STET_TRY(tree_objects(source, ENDS, take_document, &d));
	d.knowing = false;
	STET_TRY(document_put_site(source));
	STET_TRY(put_terms(&d));
	STET_TRY(tree_objects(source, ENDS, take_document, &d));
	return tell_rest(&d);
}
