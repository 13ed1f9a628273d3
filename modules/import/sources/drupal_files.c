/* drupal_files.c - files, pictures in texts, and terms of Drupal. */
#include "plan/suggest.h"
#include "read/text.h"
#include "sources/drupal.h"
#include "sources/page.h"
#include <string.h>

#define STYLES "/styles/"

/* ---- members ---- */

const char *
drupal_text(const json_t *object, const char *member)
{
	const char *text = json_string_value(json_object_get(object, member));

	return text != NULL ? text : "";
}

const char *
drupal_attribute(const json_t *resource, const char *name)
{
	return drupal_text(json_object_get(resource, "attributes"), name);
}

const json_t *
drupal_resource(const struct drupal *d, const json_t *reference)
{
	return json_object_get(d->resources, drupal_text(reference, "id"));
}

bool
drupal_is(const json_t *reference, const char *kind)
{
	return strncmp(drupal_text(reference, "type"), kind, strlen(kind)) == 0;
}

/* ---- files ---- */

/* The address of a file by its path at the site. Copies of pictures by a style become the original:
 * /files/styles/large/public/a.jpg?itok=x is /files/a.jpg. */
static const char *
site_url(const struct drupal *d, const char *path)
{
	struct stet_call *call = d->all.source->call;
	const char *style = strstr(path, STYLES), *name, *scheme;
	size_t len = strcspn(path, "?#");

	if (style != NULL && (name = strchr(style + strlen(STYLES), '/')) != NULL &&
	    (scheme = strchr(name + 1, '/')) != NULL && scheme < path + len)
		return stet_printf(call, "%s%.*s%.*s", d->site, (int)(style - path), path,
		    (int)(path + len - scheme), scheme);
	return stet_printf(call, "%s%.*s", d->site, (int)len, path);
}

static const char *
url_of(const struct drupal *d, const char *url)
{
	return *url == '/' && url[1] != '/' ? site_url(d, url) : url;
}

/* The file of a media resource: that of the first relationship which leads to one. */
static const json_t *
media_file(const struct drupal *d, const json_t *media)
{
	const json_t *found = NULL, *target;
	const char *name;
	json_t *one;

	json_object_foreach(json_object_get(media, "relationships"), name, one)
	{
		const json_t *data = json_object_get(one, "data");

		target = json_is_array(data) ? json_array_get(data, 0) : data;
		if (drupal_is(target, "file--") && strcmp(name, "thumbnail") != 0)
			found = target;
	}
	return drupal_resource(d, found);
}

const char *
drupal_file(const struct drupal *d, const json_t *resource, const char **type)
{
	const json_t *file = drupal_is(resource, "media--") ? media_file(d, resource) : resource;
	const json_t *uri = json_object_get(json_object_get(file, "attributes"), "uri");

	*type = drupal_attribute(file, "filemime");
	if (!drupal_is(file, "file--"))
		return "";
	return url_of(d, *drupal_text(uri, "url") != '\0' ? drupal_text(uri, "url")
							  : drupal_attribute(file, "url"));
}

/* ---- texts ---- */

struct rewriting {
	struct drupal *drupal;
	enum stet_status status;
};

static const char *
rewrite(void *arg, const struct page_tag *tag, const char *url)
{
	struct rewriting *r = arg;
	const char *alt = page_attribute(r->drupal->all.source->call, tag, "alt");
	bool picture = page_is(tag, "img"), file = *suggest_media_type(url) != '\0';
	const char *out;

	if (!picture && (!file || *url != '/'))
		return NULL;
	out = url_of(r->drupal, url);
	if (r->status == STET_OK && strncmp(out, "http", 4) == 0)
		r->status =
		    document_put_file(r->drupal->all.source, out, "", alt != NULL ? alt : "");
	return out;
}

enum stet_status
drupal_html(struct drupal *d, const char *html, const char **out)
{
	struct rewriting r = { d, STET_OK };

	*out = page_rewrite(d->all.source->call, html, rewrite, &r);
	if (r.status == STET_OK && strstr(html, "<drupal-media") != NULL)
		r.status = source_notice(d->all.source, drupal_text(d->item, "title"), true,
		    "Media inside the text are left out: the export has not what Drupal makes of "
		    "them");
	return r.status;
}

/* ---- terms ---- */

const char *
drupal_taxonomy(struct stet_call *call, const char *type)
{
	const char *name = strstr(type, "--");

	name = name != NULL ? name + 2 : type;
	if (strcmp(name, "tags") == 0)
		return "tag";
	return strcmp(name, "categories") == 0 ? "category" : suggest_slug(call, name);
}

/* The slug of a term: the last part of its path, or its name. */
const char *
drupal_term_slug(struct stet_call *call, const json_t *term)
{
	const json_t *path = json_object_get(json_object_get(term, "attributes"), "path");
	const char *alias = drupal_text(path, "alias"), *slash = strrchr(alias, '/');

	return stet_slugify(
	    call, slash != NULL && slash[1] != '\0' ? slash + 1 : drupal_attribute(term, "name"));
}
