/*
 * site_place.c - what the name of a document says: its locale, its type, its slug, the page above
 * it. A locale is a directory (content/de/docs/a.md, src/content/docs/de/a.md,
 * i18n/de/docusaurus-plugin-content-docs/current/a.md) or stands before the ending (a.de.md).
 */
#include "plan/suggest.h"
#include "read/text.h"
#include "sources/site.h"
#include <string.h>
#include <strings.h>

/* ---- directories ---- */

/* Docusaurus: i18n/LOCALE/PLUGIN/… has the translations of what another directory has. */
static const char *
of_docusaurus(struct stet_call *call, const char *path, const char **locale)
{
	static const char plugin[] = "docusaurus-plugin-content-";
	const char *at = text_begins(path, "i18n/") ? path + 5 : NULL;
	const char *slash = at != NULL ? strchr(at, '/') : NULL, *below, *name;

	if (slash == NULL || !text_begins(slash + 1, plugin))
		return NULL;
	*locale = stet_strndup(call, at, (size_t)(slash - at));
	name = slash + sizeof(plugin);
	below = strchr(name, '/');
	if (below++ == NULL)
		return path;
	if (text_begins(name, "pages"))
		return below;
	if (text_begins(name, "blog"))
		return stet_printf(call, "blog/%s", below);
	if (text_begins(below, "version-"))
		return stet_printf(call, "versioned_docs/%s", below);
	if (text_begins(below, "current/"))
		below += 8;
	return name[4] == '-'
		   ? stet_printf(call, "%.*s/%s", (int)strcspn(name + 5, "/"), name + 5, below)
		   : stet_printf(call, "docs/%s", below);
}

/* Removes the directories in which these programs keep content from the front of a path. */
static const char *
below_content(const char *path)
{
	static const char *const roots[] = { "src/", "content/", "pages/", "_pages/" };

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		if (text_begins(path, roots[i]))
			return below_content(path + strlen(roots[i]));
	return path;
}

/* Removes the longest directory that the settings name. */
static const char *
below_root(const struct site *site, const char *path, const char **locale)
{
	const char *root, *best = "";
	json_t *of;

	json_object_foreach(site->roots, root, of)
	{
		if (text_begins(path, root) && strlen(root) > strlen(best)) {
			best = root;
			*locale = json_string_value(of);
		}
	}
	return path + strlen(best);
}

/* Removes the first or second directory if it is a locale. */
static const char *
without_directory(
    const struct site *site, struct stet_call *call, const char *path, const char **locale)
{
	const char *part = path, *slash;

	for (int i = 0; i < 2 && (slash = strchr(part, '/')) != NULL; i++, part = slash + 1) {
		if (!site_is_locale(site, part, (size_t)(slash - part)))
			continue;
		*locale = stet_strndup(call, part, (size_t)(slash - part));
		return stet_printf(call, "%.*s%s", (int)(part - path), path, slash + 1);
	}
	return path;
}

/* Removes the locale at the end of a name ("about.de"). */
static const char *
without_suffix(
    const struct site *site, struct stet_call *call, const char *path, const char **locale)
{
	const char *base = text_base(path), *dot = strrchr(base, '.');

	if (dot == NULL || dot == base || !site_is_locale(site, dot + 1, strlen(dot + 1)))
		return path;
	*locale = stet_strdup(call, dot + 1);
	return stet_strndup(call, path, (size_t)(dot - path));
}

/* ---- types and slugs ---- */

/* Is the directory at this place one of posts? */
static bool
is_posts(const char *dir, size_t len)
{
	static const char *const posts[] = { "posts", "post", "_posts", "_drafts", "blog",
		"articles", "news" };

	for (size_t i = 0; i < sizeof(posts) / sizeof(posts[0]); i++)
		if (strlen(posts[i]) == len && memcmp(posts[i], dir, len) == 0)
			return true;
	return false;
}

/* Jekyll keeps posts in _posts below any directory. Returns what follows it, or NULL. */
static const char *
below_posts(const char *path)
{
	static const char *const dirs[] = { "_posts/", "_drafts/" };

	for (size_t i = 0; i < 2; i++) {
		const char *at = strstr(path, dirs[i]);

		if (at != NULL && (at == path || at[-1] == '/'))
			return at + strlen(dirs[i]);
	}
	return NULL;
}

static bool
is_index(const char *base)
{
	return strcmp(base, "index") == 0 || strcmp(base, "_index") == 0;
}

/* Sets the type. *below: the path below the directory of the type. */
static void
read_type(struct stet_call *call, struct place *p, const char **below)
{
	const char *slash = strchr(p->path, '/'), *posts = below_posts(p->path);

	*below = slash != NULL ? slash + 1 : p->path;
	p->type = "page";
	if (posts != NULL) {
		const char *dir = strstr(p->path, "_posts/");

		*below = posts;
		p->type = "post";
		if (dir != NULL && dir > p->path)
			p->categories = stet_strndup(call, p->path, (size_t)(dir - 1 - p->path));
	} else if (slash == NULL || strcmp(slash, "/_index") == 0) {
		*below = p->page; /* the page of a section, or of the site */
	} else if (is_posts(p->path, (size_t)(slash - p->path))) {
		p->type = "post";
	} else if (strcmp(slash, "/index") == 0) {
		*below = p->page; /* a page with its pictures: about/index.md */
	} else {
		p->type =
		    suggest_slug(call, stet_strndup(call, p->path, (size_t)(slash - p->path)));
	}
}

/* Does the name begin with a date and "-", as in Jekyll? */
static bool
has_date(const char *base)
{
	static const char form[] = "0000-00-00-";

	for (size_t i = 0; form[i] != '\0'; i++)
		if (form[i] == '0' ? base[i] < '0' || base[i] > '9' : base[i] != '-')
			return false;
	return true;
}

/* Joins the names of the directories with that of the document. Directories of posts that are
 * numbers are those of years and months. */
static const char *
joined(struct stet_call *call, const struct place *p, const char *below)
{
	const char *out = "", *slash, *part;
	bool posts = strcmp(p->type, "post") == 0;

	for (; (slash = strchr(below, '/')) != NULL; below = slash + 1) {
		if (posts && strspn(below, "0123456789") == (size_t)(slash - below))
			continue;
		part = stet_slugify(call, stet_strndup(call, below, (size_t)(slash - below)));
		out = stet_printf(call, "%s%s%s", out, part, *part != '\0' ? "-" : "");
	}
	return stet_printf(call, "%s%s", out, stet_slugify(call, p->title));
}

/* Returns the directory of a path, or NULL. */
static const char *
directory_of(struct stet_call *call, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? stet_strndup(call, path, (size_t)(slash - path)) : NULL;
}

/* Sets the slug. `below` is the path below the directory of the type. */
static void
read_slug(const struct site *site, struct stet_call *call, struct place *p, const char *below)
{
	const char *how = json_string_value(json_object_get(site->source->options, "paths"));
	const char *dir = directory_of(call, below), *page = p->page;
	size_t begin = strlen(p->path) - strlen(below);

	/* Of an index, the directory is the name. */
	if (page != p->path && begin <= strlen(page))
		dir = directory_of(call, page + begin);
	p->slug = dir != NULL && (how == NULL || strcmp(how, "name") != 0)
		      ? joined(call, p, stet_printf(call, "%s/", dir))
		      : stet_slugify(call, p->title);
}

/* ---- the page above ---- */

static const char *
page_key(struct stet_call *call, const char *page, const char *locale)
{
	char code[SITE_CODE];

	return stet_printf(
	    call, "%s %s", site_code(locale, strlen(locale), code) ? code : locale, page);
}

const char *
site_page(const struct site *site, struct stet_call *call, const char *page, const char *locale)
{
	return json_string_value(json_object_get(site->pages, page_key(call, page, locale)));
}

void
site_note_page(const struct site *site, struct stet_call *call, const struct place *p)
{
	const char *key = page_key(call, p->page, p->locale);

	if (json_object_get(site->pages, key) == NULL)
		(void)json_object_set_new(site->pages, key, json_string(p->id));
}

bool
site_has_page(const struct site *site, struct stet_call *call, const char *page)
{
	const char *locale;
	json_t *any;

	if (site_page(site, call, page, "") != NULL)
		return true;
	json_object_foreach(site->locales, locale, any)
	{
		if (site_page(site, call, page, locale) != NULL)
			return true;
	}
	return false;
}

const char *
site_above(const struct site *site, struct stet_call *call, struct place *p)
{
	const char *how = json_string_value(json_object_get(site->source->options, "paths"));
	const char *dir = directory_of(call, p->page), *id;

	if ((how != NULL && strcmp(how, "tree") != 0) || strcmp(p->type, "post") == 0 ||
	    strcmp(p->type, "page") == 0)
		return NULL;
	/* The page of the first directory is a page, and not of the type. */
	for (; dir != NULL && strchr(dir, '/') != NULL; dir = directory_of(call, dir)) {
		id = site_page(site, call, dir, p->locale);
		if (id == NULL && !site_has_page(site, call, dir))
			continue;
		p->parent = id; /* a translation has the slug, if not the parent */
		return joined(call, p, p->page + strlen(dir) + 1);
	}
	return NULL;
}

void
site_place(const struct site *site, struct stet_call *call, const char *name, struct place *p)
{
	const char *path, *below, *dot = strrchr(text_base(name), '.'), *moved;
	size_t base = strlen(site->base);

	memset(p, 0, sizeof(*p));
	p->locale = p->categories = "";
	p->id = dot != NULL ? stet_strndup(call, name, (size_t)(dot - name)) : name;
	path = text_begins(p->id, site->base) ? p->id + base : p->id;
	moved = of_docusaurus(call, path, &p->locale);
	path = below_content(moved != NULL ? moved : below_root(site, path, &p->locale));
	if (*p->locale == '\0')
		path = without_directory(site, call, path, &p->locale);
	if (*p->locale == '\0')
		path = without_suffix(site, call, path, &p->locale);
	p->path = p->page = path;
	if (is_index(text_base(path)) && strchr(path, '/') != NULL)
		p->page = directory_of(call, path);
	p->title = is_index(p->page) ? "index" : text_base(p->page);
	if (has_date(p->title)) {
		p->date = stet_strndup(call, p->title, 10);
		p->title += 11;
	}
	p->draft = text_begins(path, "_drafts/") || strstr(path, "/_drafts/") != NULL;
	read_type(call, p, &below);
	read_slug(site, call, p, below);
}
