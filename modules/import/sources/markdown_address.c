/*
 * markdown_address.c - the slug of a document, its address at the source, and earlier ones, for
 * redirects. Without an address in the front matter, it is that of the file, or what the settings
 * make of its date and name.
 */
#include "plan/given.h"
#include "sources/markdown.h"
#include <string.h>
#include <strings.h>

/* Returns the last part of an address without ".html"; "": it has none, or is a pattern. */
static const char *
last_part(struct stet_call *call, const char *address)
{
	size_t len = strcspn(address, "?#"), begin;

	while (len > 0 && address[len - 1] == '/')
		len--;
	for (begin = len; begin > 0 && address[begin - 1] != '/';)
		begin--;
	if (memchr(address, ':', len) != NULL && strstr(address, "://") == NULL)
		return "";
	if (len - begin > 5 && strncasecmp(address + len - 5, ".html", 5) == 0)
		len -= 5;
	address = stet_strndup(call, address + begin, len - begin);
	return strcmp(address, "index") == 0 ? "" : address;
}

/* Returns an address of the source as a path from its root. */
static const char *
path_of(struct stet_call *call, const char *address)
{
	const char *host = strstr(address, "://"), *path;

	if (host == NULL)
		return *address == '/' ? address : stet_printf(call, "/%s", address);
	path = strchr(host + 3, '/');
	return path != NULL ? path : "/";
}

static void
put_old_links(struct document *d)
{
	json_t *all = json_array(), *names, *name;
	const char *key;
	json_t *value;
	size_t i;

	json_object_foreach((json_t *)(uintptr_t)d->front, key, value)
	{
		if (!document_is_one(key, DOCUMENT_ALIASES))
			continue;
		names = document_names(value);
		json_array_foreach(names, i, name)(void) json_array_append_new(
		    all, json_string(path_of(d->call, json_string_value(name))));
		json_decref(names);
	}
	if (json_array_size(all) > 0)
		(void)json_object_set(d->item, "oldLinks", all);
	json_decref(all);
}

/* Returns the path at which the program shows the document if nothing else is said. */
static const char *
usual_path(const struct document *d)
{
	const struct place *p = &d->place;
	const char *date = json_string_value(json_object_get(d->item, "published"));
	const char *page = strcmp(p->page, "index") == 0 || strcmp(p->page, "_index") == 0
			       ? ""
			       : stet_printf(d->call, "%s/", p->page);

	if (p->date != NULL && date != NULL && strlen(date) >= 10)
		return stet_printf(d->call, "/%.4s/%.2s/%.2s/%s.html", date, date + 5, date + 8,
		    d->slug != NULL ? d->slug : p->title);
	return stet_printf(d->call, "/%s%s%s", p->locale, *p->locale != '\0' ? "/" : "", page);
}

void
document_take_address(struct document *d)
{
	const char *part = d->slug != NULL ? last_part(d->call, d->slug) : "", *slug;

	if (*part == '\0' && d->link != NULL)
		part = last_part(d->call, d->link);
	slug = stet_slugify(d->call, part);
	if (*slug != '\0')
		document_set(d->item, "slug", slug);
	if (d->link == NULL || (strchr(d->link, ':') != NULL && strstr(d->link, "://") == NULL))
		d->link = usual_path(d);
	document_set(d->item, "link",
	    strstr(d->link, "://") != NULL
		? d->link
		: stet_printf(d->call, "%s%s", GIVEN_FILE, path_of(d->call, d->link) + 1));
	put_old_links(d);
}
