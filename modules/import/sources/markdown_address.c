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

/* ---- patterns ---- */

static const char *
pattern_of(const struct document *d)
{
	static const char *const styles[][2] = { { "date",
						     "/:categories/:year/:month/:day/:title.html" },
		{ "pretty", "/:categories/:year/:month/:day/:title/" },
		{ "none", "/:categories/:title.html" } };
	const struct place *p = &d->place;
	bool post = strcmp(p->type, "post") == 0 && d->site->jekyll;
	const char *dir = stet_strndup(d->call, p->path, strcspn(p->path, "/"));
	const char *pattern =
	    json_string_value(json_object_get(d->site->permalinks, post ? "" : dir));

	if (pattern == NULL && p->date != NULL)
		pattern = "date";
	for (size_t i = 0; pattern != NULL && i < sizeof(styles) / sizeof(styles[0]); i++)
		if (strcmp(styles[i][0], pattern) == 0)
			return styles[i][1];
	return pattern;
}

/* Returns what a word of a pattern stands for; NULL: it is not known. */
static const char *
word_of(const struct document *d, const char *word)
{
	const struct place *p = &d->place;
	const char *date = json_string_value(json_object_get(d->item, "published"));
	const char *slug = d->slug != NULL ? d->slug : p->title;

	if (date == NULL || strlen(date) < 10)
		date = "0000-00-00";
	if (document_is_one(word, " year "))
		return stet_strndup(d->call, date, 4);
	if (document_is_one(word, " month "))
		return stet_strndup(d->call, date + 5, 2);
	if (document_is_one(word, " day "))
		return stet_strndup(d->call, date + 8, 2);
	if (document_is_one(word, " slug title slugorfilename slugorcontentbasename "))
		return slug;
	if (document_is_one(word, " filename contentbasename "))
		return p->title;
	if (document_is_one(word, " section "))
		return stet_strndup(d->call, p->path, strcspn(p->path, "/"));
	if (document_is_one(word, " categories "))
		return p->categories;
	return NULL;
}

/* Returns a path by a pattern, in which words follow colons; NULL: not all of them are known. */
static const char *
filled(const struct document *d, const char *pattern)
{
	const char *out = "", *word;
	size_t len;

	while (*pattern != '\0') {
		len = strcspn(pattern, ":");
		out = stet_printf(d->call, "%s%.*s", out, (int)len, pattern);
		pattern += len;
		if (*pattern != ':')
			break;
		len = strspn(++pattern, "abcdefghijklmnopqrstuvwxyz_");
		word = word_of(d, stet_strndup(d->call, pattern, len));
		if (word == NULL)
			return NULL;
		pattern += len;
		/* An empty word leaves no empty part. */
		pattern += *word == '\0' && *pattern == '/';
		out = stet_printf(d->call, "%s%s", out, word);
	}
	return out;
}

/* Returns the path at which the program shows the document if nothing else is said; NULL: none that
 * is known. */
static const char *
usual_path(const struct document *d)
{
	const struct place *p = &d->place;
	const char *pattern = pattern_of(d), *page = p->page;

	if (p->draft)
		return NULL;
	if (pattern != NULL)
		return filled(d, pattern);
	if (strcmp(page, "index") == 0 || strcmp(page, "_index") == 0)
		return stet_printf(d->call, "/%s", p->locale);
	page += *page == '_'; /* a collection of Jekyll */
	return stet_printf(d->call, "/%s%s%s%s", p->locale, *p->locale != '\0' ? "/" : "", page,
	    d->site->jekyll ? ".html" : "/");
}

/* Returns the address of the document at the source; NULL: it is not known. */
static const char *
address_of(const struct document *d)
{
	const char *link = d->link;

	if (link != NULL && strchr(link, ':') != NULL && strstr(link, "://") == NULL)
		link = filled(d, link);
	return link != NULL ? link : usual_path(d);
}

void
document_take_address(struct document *d)
{
	const char *part = d->slug != NULL ? d->slug : "", *slug;

	if (strpbrk(part, "/:") != NULL) /* else also "index" is a slug */
		part = last_part(d->call, part);
	if (*part == '\0' && d->link != NULL)
		part = last_part(d->call, d->link);
	slug = stet_slugify(d->call, part);
	if (*slug != '\0')
		document_set(d->item, "slug", slug);
	d->link = address_of(d);
	if (d->link != NULL)
		document_set(d->item, "link",
		    strstr(d->link, "://") != NULL
			? d->link
			: stet_printf(d->call, "%s%s", GIVEN_FILE, path_of(d->call, d->link) + 1));
	put_old_links(d);
}
