/*
 * site_link.c - finds the document to which a link leads. Links are paths of files (../b.md), of
 * pages (./b/, /docs/b), names alone (references of Hugo and Jekyll), or Jekyll's addresses with a
 * date.
 */
#include "read/source.h"
#include "read/text.h"
#include "sources/documents.h"
#include "sources/site.h"
#include <ctype.h>
#include <string.h>

/* What a link is looked up from. */
struct seeking {
	const struct site *site;
	struct stet_call *call;
	const char *locale; /* of the document that has the link */
};

void
site_note_names(const struct site *site, struct stet_call *call, const struct place *p)
{
	const char *slash = strrchr(p->id, '/'), *base = slash != NULL ? slash + 1 : p->id, *date;
	json_t *was = json_object_get(site->ids, base);

	/* A name that several documents have is none. */
	(void)json_object_set_new(site->ids, base,
	    json_string(was == NULL || strcmp(json_string_value(was), p->id) == 0 ? p->id : ""));
	if (p->date == NULL)
		return;
	date = stet_printf(call, "%.4s/%.2s/%.2s/%s", p->date, p->date + 5, p->date + 8, p->title);
	(void)json_object_set_new(site->ids, date, json_string(p->id));
}

/* ---- paths ---- */

const char *
site_resolved(struct stet_call *call, const char *name, const char *path)
{
	const char *slash = strrchr(name, '/');
	char *dir = stet_strndup(call, name, slash != NULL ? (size_t)(slash + 1 - name) : 0);
	size_t len;

	for (;;) {
		if (strncmp(path, "./", 2) == 0) {
			path += 2;
		} else if (strncmp(path, "../", 3) == 0 || strcmp(path, "..") == 0) {
			path += path[2] == '/' ? 3 : 2;
			len = strlen(dir);
			if (len == 0)
				return NULL;
			while (--len > 0 && dir[len - 1] != '/')
				continue;
			dir[len] = '\0';
		} else
			return stet_printf(call, "%s%s", dir, strcmp(path, ".") == 0 ? "" : path);
	}
}

/* ---- documents ---- */

/* Returns the id of the document with this page, first in the locale of the link's document. */
static const char *
page_of(const struct seeking *s, const struct place *q)
{
	const char *const locales[] = { *q->locale != '\0' ? q->locale : s->locale, q->locale, "" };
	const char *id = NULL;

	for (size_t i = 0; i < 3 && id == NULL; i++)
		id = site_page(s->site, s->call, q->page, locales[i]);
	return id;
}

/* Returns the id of the document at a path from the root, with or without its ending. */
static const char *
at_path(const struct seeking *s, const char *path)
{
	const char *known =
		       path != NULL ? json_string_value(json_object_get(s->site->ids, path)) : NULL,
		   *same;
	size_t len = path != NULL ? strlen(path) : 0;
	struct place q;

	if (len == 0)
		return NULL;
	if (json_object_get(s->site->wanted, path) != NULL) {
		site_place(s->site, s->call, path, &q);
		same = *q.locale == '\0' ? page_of(s, &q) : NULL;
		return same != NULL ? same : q.id;
	}
	if (known != NULL && strchr(path, '/') != NULL)
		return known;
	if (source_ends(SITE_ENDS, path))
		len = (size_t)(strrchr(path, '.') - path);
	else if (path[len - 1] == '/')
		len--;
	site_place(s->site, s->call, stet_printf(s->call, "%.*s.md", (int)len, path), &q);
	known = page_of(s, &q);
	return known != NULL ? known
			     : json_string_value(json_object_getn(
				   s->site->ids, path, strchr(path, '/') != NULL ? len : 0));
}

/* Returns the id of the only document with this name; NULL: there is none. */
static const char *
by_name(const struct seeking *s, const char *path)
{
	size_t len =
	    source_ends(SITE_ENDS, path) ? (size_t)(strrchr(path, '.') - path) : strlen(path);
	const char *id = strchr(path, '/') == NULL
			     ? json_string_value(json_object_getn(s->site->ids, path, len))
			     : NULL;

	return id != NULL && *id != '\0' ? id : NULL;
}

static const char *
seek(const struct seeking *s, const char *name, const struct place *p, const char *path)
{
	const char *id;

	if (*path == '/')
		return at_path(s, path + 1);
	id = at_path(s, site_resolved(s->call, name, path));
	if (id == NULL)
		id = at_path(s, site_resolved(s->call, p->path, path));
	if (id == NULL) /* as browsers see it, from the address of a page: /docs/a/ */
		id = at_path(s, site_resolved(s->call, stet_printf(s->call, "%s/", p->page), path));
	if (id == NULL)
		id = at_path(s, path);
	return id != NULL ? id : by_name(s, path);
}

/* ---- links ---- */

/* Does it begin with a scheme, or with a host? */
static bool
is_elsewhere(const char *href)
{
	const char *c = href;

	while (isalnum((unsigned char)*c) || *c == '+' || *c == '.' || *c == '-')
		c++;
	return (*c == ':' && c > href) || strncmp(href, "//", 2) == 0;
}

enum site_link
site_link(const struct site *site, struct stet_call *call, const char *name, const struct place *p,
    const char *href, const char **to)
{
	const struct seeking s = { site, call, p->locale };
	size_t len = strcspn(href, "?#");
	const char *path, *id;

	if (len == 0 || is_elsewhere(href))
		return SITE_LINK_OTHER;
	path = text_unescape(call, stet_strndup(call, href, len));
	id = seek(&s, name, p, path);
	if (id == NULL)
		return *path != '/' || source_ends(SITE_MARKDOWN, path) ? SITE_LINK_LOST
									: SITE_LINK_OTHER;
	*to = stet_printf(call, "%s%s", document_item(call, id), href + len);
	return SITE_LINK_FOUND;
}

const char *
site_target(
    const struct site *site, struct stet_call *call, const char *locale, const char *address)
{
	const struct seeking s = { site, call, locale };
	const char *path;

	if (is_elsewhere(address))
		return NULL;
	path = text_unescape(call, stet_strndup(call, address, strcspn(address, "?#")));
	return at_path(&s, path + strspn(path, "/"));
}
