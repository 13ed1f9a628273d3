/*
 * document.c - an item as a document of Markdown with front matter, as Hugo, Astro and Eleventy
 * read it. The importer of Markdown reads it back (modules/import/sources/markdown.c).
 */
#include "outgoing.h"
#include "text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define FRONT_MOST (240u << 10) /* bytes of front matter; importers read 256 KiB */
#define VALUE_MOST (8u << 10) /* of one value, if the front matter is too long */
#define DEPTH_MOST 14 /* of lists and objects in each other */

struct page {
	struct leaving *l;
	const json_t *item;
	json_t *front, *own;
};

/* ---- front matter ---- */

static void
move(const struct page *p, const char *member, const char *as)
{
	json_t *value = json_object_get(p->item, member);

	if (value != NULL)
		(void)json_object_set(p->front, as, value);
}

/* Has the name another meaning in front matter, so that no field can have it? */
static bool
is_known(const struct page *p, const char *slug)
{
	static const char *const names[] = { "title", "date", "pubdate", "publishdate",
		"published_at", "created", "lastmod", "updated", "updateddate", "modified",
		"last_modified_at", "slug", "permalink", "url", "description", "summary", "excerpt",
		"lang", "language", "locale", "translationkey", "type", "parent", "draft",
		"published", "tags", "tag", "keywords", "categories", "category", "author",
		"authors", "aliases", "redirect_from", "image", "cover", "featured_image",
		"heroimage", "thumbnail", "banner", "layout", "seo", "_stet", "menu", "menus",
		"expirydate", "unpublishdate", "ref", "page_id" };
	const json_t *taxonomy;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(names[i], slug) == 0)
			return true;
	json_array_foreach(p->l->x->taxonomies, i, taxonomy)
	{
		if (strcmp(export_text(taxonomy, "name"), slug) == 0)
			return true;
	}
	return false;
}

static json_t *
own_object(const struct page *p, const char *member)
{
	json_t *object = json_object_get(p->own, member);

	if (object == NULL) {
		object = json_object();
		(void)json_object_set_new(p->own, member, object);
	}
	return object;
}

/* Some directories have another meaning for importers, which the type overrules. */
static void
put_type(const struct page *p)
{
	static const char *const meant[] = { "post", "_posts", "_drafts", "blog", "articles",
		"news", "src", "content", "_pages" };
	const char *type = export_text(p->item, "type"), *slug = p->l->collection->slug;
	bool other =
	    strcmp(type, slug) != 0 && strcmp(slug, "posts") != 0 && strcmp(slug, "pages") != 0;

	for (size_t i = 0; i < sizeof(meant) / sizeof(meant[0]); i++)
		other |= strcmp(meant[i], slug) == 0;
	if (other)
		move(p, "type", "type");
}

/* Does an import make the same slug of the name? It replaces some signs by words. */
static bool
is_plain(struct stet_call *call, const char *slug, const char *name)
{
	return strcmp(stet_slugify(call, name), slug) == 0 && strpbrk(name, "#+.") == NULL;
}

static void
put_authors(struct stet_call *call, const struct page *p)
{
	const json_t *credit;
	json_t *names = json_array();
	bool plain = true;
	size_t i;

	json_array_foreach(p->l->credits, i, credit)
	{
		(void)json_array_append(names, json_object_get(credit, "name"));
		plain = plain && json_object_get(credit, "role") == NULL &&
			is_plain(call, export_text(credit, "slug"), export_text(credit, "name"));
	}
	if (json_array_size(names) > 0)
		(void)json_object_set(p->front, "authors", names);
	if (plain)
		(void)json_object_del(p->own, "credits");
	json_decref(names);
}

static void
put_terms(struct stet_call *call, const struct page *p)
{
	json_t *terms = json_object_get(p->item, "terms"), *list, *term;
	const char *name;
	size_t i;

	json_object_foreach(terms, name, list)
	{
		bool tag = strcmp(name, "tag") == 0, plain = tag || strcmp(name, "category") == 0;
		json_t *names = json_array();

		json_array_foreach(list, i, term)
		{
			(void)json_array_append(names, json_object_get(term, "name"));
			plain = plain && is_plain(call, export_text(term, "slug"),
					     export_text(term, "name"));
		}
		(void)json_object_set_new(p->front,
		    tag                             ? "tags"
		    : strcmp(name, "category") == 0 ? "categories"
						    : name,
		    names);
		if (!plain)
			(void)json_object_set(own_object(p, "terms"), name, list);
	}
}

static void
put_fields(const struct page *p)
{
	const json_t *picture = json_object_get(p->item, "picture");
	json_t *value;
	const char *slug;

	if (picture != NULL)
		(void)json_object_set_new(p->front, "featured_image",
		    json_pack("{ss ss}", "src", export_text(picture, "url"), "alt",
			export_text(picture, "alt")));
	if (json_object_get(p->own, "seo") != NULL) {
		(void)json_object_set(p->front, "seo", json_object_get(p->own, "seo"));
		(void)json_object_del(p->own, "seo");
	}
	json_object_foreach(json_object_get(p->item, "fields"), slug, value)(void)
	    json_object_set(is_known(p, slug) ? own_object(p, "given") : p->front, slug, value);
}

static void
put_front(struct stet_call *call, const struct page *p)
{
	const char *status = export_text(p->item, "status");

	move(p, "title", "title");
	move(p, "slug", "slug");
	move(p, "published", "date");
	move(p, "updated", "lastmod");
	move(p, "created", "created");
	(void)json_object_set_new(
	    p->front, "draft", json_boolean(strcmp(status, "published") != 0));
	move(p, "locale", "locale");
	move(p, "group", "translationKey");
	put_type(p);
	put_authors(call, p);
	put_terms(call, p);
	move(p, "excerpt", "description");
	move(p, "parent", "parent");
	put_fields(p);
	if (json_object_size(p->own) > 0)
		(void)json_object_set(p->front, "_stet", p->own);
}

/* ---- what front matter cannot hold ---- */

static int
depth_of(const json_t *value)
{
	int most = 0;
	const char *key;
	json_t *one;
	size_t i;

	json_array_foreach(value, i, one)
	{
		int depth = depth_of(one);

		most = depth > most ? depth : most;
	}
	json_object_foreach((json_t *)(uintptr_t)value, key, one)
	{
		int depth = depth_of(one);

		most = depth > most ? depth : most;
	}
	return json_is_array(value) || json_is_object(value) ? most + 1 : 0;
}

/* Removes members that are too deep, and with `length` those that are long. */
static void
lighten(struct stet_call *call, const struct page *p, json_t *object, bool length)
{
	const char *name;
	json_t *value;
	void *next;

	json_object_foreach_safe(object, next, name, value)
	{
		bool deep = depth_of(value) > DEPTH_MOST;

		if (strcmp(name, "_stet") == 0 || (object == p->own && json_is_object(value))) {
			lighten(call, p, value, length);
		} else if (deep || (length && strlen(export_json(call, value)) > VALUE_MOST)) {
			outgoing_lost(p->l, name,
			    deep ? "is nested too deep for front matter"
				 : "is too long for front matter");
			(void)json_object_del(object, name);
		}
	}
}

static const char *
front_of(struct stet_call *call, const struct page *p)
{
	const char *text;

	lighten(call, p, p->front, false);
	text = yaml_of(call, p->front);
	if (strlen(text) <= FRONT_MOST)
		return text;
	lighten(call, p, p->front, true);
	return yaml_of(call, p->front);
}

/* ---- the file ---- */

enum stet_status
document_put(struct stet_call *call, struct leaving *l)
{
	struct outgoing *o = l->x->arg;
	struct page p = { .l = l, .own = l->own };
	const char *path, *text = "", *body;
	json_t *item;
	FILE *f;
	int fd;

	STET_TRY(object_of(call, l, &item, &body));
	p.item = item;
	p.front = stet_json_own(call, json_object());
	put_front(call, &p);
	STET_TRY(redirects_put(call, l, p.front));
	path = stet_printf(call, "%s.md", export_text(item, "id"));
	if (json_array_size(json_object_get(item, "blocks")) > 0)
		STET_TRY(text_of(call, l, body, json_object_get(item, "blocks"), &text));
	STET_TRY(folder_file(call, o->root, path, &fd));
	f = fdopen(fd, "w");
	if (f == NULL)
		stet_out_of_memory();
	(void)fprintf(f, "---\n%s---\n", front_of(call, &p));
	if (*text != '\0')
		(void)fprintf(f, "\n%s\n", text);
	if (ferror(f) | fclose(f))
		return stet_fault(call, "cannot write %s: %s", path, strerror(errno));
	l->x->done.items++;
	return STET_OK;
}
