/*
 * markdown.c - documents of Markdown with front matter, as Hugo, Jekyll and Astro have them. The
 * path of a document gives its type, slug and locale (site.h). Members of the front matter are known
 * by the names that these programs give them.
 */
#include "plan/given.h"
#include "plan/suggest.h"
#include "sources/dialect.h"
#include "sources/site.h"
#include <string.h>
#include <strings.h>

#define TEXT_MAX 262144 /* bytes of Markdown below the front matter */

/* A document while it is read. */
struct document {
	struct stet_source *source;
	struct stet_call *call;
	const struct site *site;
	const char *name; /* its path */
	struct place place;
	const json_t *front;
	json_t *item, *fields, *terms;
};

static void
set(json_t *object, const char *member, const char *text)
{
	(void)json_object_set_new(object, member, json_string(text));
}

/* ---- what its path says ---- */

static const char *
base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Is there a translation of the page, in a locale that its name says? */
static bool
is_translated(const struct document *d)
{
	const char *locale;
	json_t *any;

	json_object_foreach(d->site->locales, locale, any)
	{
		if (site_page(d->site, d->call, d->place.page, locale) != NULL)
			return true;
	}
	return false;
}

/* Sets locale and group. Of two documents of a page in one locale, the first has the group. */
static void
read_locale(struct document *d)
{
	const struct place *p = &d->place;
	const char *locale = *p->locale != '\0' ? p->locale : d->site->locale;
	const char *page = site_page(d->site, d->call, p->page, p->locale);

	if (*locale != '\0')
		set(d->item, "locale", locale);
	if (is_translated(d) && page != NULL && strcmp(page, p->id) == 0)
		set(d->item, "group", p->page);
}

static void
read_path(struct document *d)
{
	struct place *p = &d->place;

	site_place(d->site, d->call, d->name, p);
	site_choose_slug(d->site, d->call, p);
	set(d->item, "type", p->type);
	set(d->item, "id", p->id);
	read_locale(d);
	if (p->parent != NULL) {
		set(d->item, "parent", p->parent);
		(void)json_object_set_new(d->item, "types",
		    json_pack("{s{ss}}", "parent", "to", p->type));
	}
	if (p->date != NULL)
		set(d->item, "published", p->date);
	set(d->item, "slug", p->slug);
	set(d->item, "title", p->title);
	set(d->item, "status", p->draft ? "draft" : "published");
}

/* ---- pictures ---- */

static const char *
address_of(const struct document *d, const char *path)
{
	return site_file(d->site, d->call, d->name, path);
}

static enum stet_status
put_file(const struct document *d, const char *url, const char *alt)
{
	json_t *file = json_pack("{ss ss ss ss}", "type", "attachment", "id",
	    stet_printf(d->call, "file:%s", url), "url", url, "alt", alt);

	return stet_source_put(d->source, STET_SOURCE_ITEM, file);
}

/* Makes a link to another document one to its item. */
static enum stet_status
take_link(const struct document *d, json_t *object, const char *member)
{
	const char *href = json_string_value(json_object_get(object, member)), *to;

	if (href == NULL)
		return STET_OK;
	switch (site_link(d->site, d->call, d->name, &d->place, href, &to)) {
	case SITE_LINK_FOUND:
		set(object, member, to);
		return STET_OK;
	case SITE_LINK_LOST:
		return source_notice(d->source, d->name, false,
		    stet_printf(d->call, "Its link %.200s leads to no document", href));
	case SITE_LINK_OTHER:
		return STET_OK;
	}
	return STET_OK;
}

/* Hands on the files of pictures in blocks, if they are in the source. Their paths become URLs.
 * Links to documents become links to items. */
static enum stet_status
take_pictures(const struct document *d, json_t *value)
{
	const char *type = json_string_value(json_object_get(value, "_type")), *url, *key, *alt;
	json_t *asset = json_object_get(value, "asset"), *child;
	size_t i;

	json_array_foreach(value, i, child) STET_TRY(take_pictures(d, child));
	/* Inside a text, a picture has become a link to its file. */
	url = json_string_value(json_object_get(value, "href"));
	if (url != NULL && *suggest_media_type(url) != '\0' && (url = address_of(d, url)) != NULL) {
		set(value, "href", url);
		return put_file(d, url, "");
	}
	STET_TRY(take_link(d, value, "href"));
	STET_TRY(take_link(d, value, "link"));
	if (type != NULL && strcmp(type, "image") == 0) {
		url = json_string_value(json_object_get(asset, "url"));
		alt = json_string_value(json_object_get(value, "alt"));
		url = url != NULL ? address_of(d, url) : NULL;
		if (url == NULL)
			return STET_OK;
		set(asset, "url", url);
		set(asset, "_type", "reference"); /* as pictures of exports have it */
		set(asset, "_ref", url);
		return put_file(d, url, alt != NULL ? alt : "");
	}
	if (json_is_object(value))
		json_object_foreach(value, key, child) STET_TRY(take_pictures(d, child));
	return STET_OK;
}

/* Tells what the blocks do not express. */
static enum stet_status
tell_losses(const struct document *d, const json_t *lost)
{
	for (size_t i = 0; i < json_array_size(lost); i++) {
		const json_t *one = json_array_get(lost, i);

		STET_TRY(source_notice(d->source, d->name, false,
		    stet_printf(d->call, "Line %lld of the text: %s",
			(long long)json_integer_value(json_object_get(one, "line")),
			json_string_value(json_object_get(one, "what")))));
	}
	return STET_OK;
}

/* Tells which shortcodes are kept as they stand. */
static enum stet_status
tell_kept(const struct document *d, const json_t *kept)
{
	const char *all = NULL, *name;
	json_t *count;

	json_object_foreach((json_t *)(uintptr_t)kept, name, count)
	{
		all = stet_printf(d->call, "%s%s%s (%lld)", all != NULL ? all : "",
		    all != NULL ? ", " : "", name, (long long)json_integer_value(count));
	}
	if (all == NULL)
		return STET_OK;
	return source_notice(d->source, d->name, false,
	    stet_printf(d->call, "Shortcodes that are kept as blocks: %s", all));
}

/* Reads the text. A document whose text cannot be read is left out, and told. */
static enum stet_status
read_body(const struct document *d, const char *body)
{
	const struct stet_content_1 *content = stet_service(d->call, STET_CONTENT_1);
	json_t *blocks, *lost = stet_json_own(d->call, json_array());
	struct dialect dialect = { .call = d->call,
		.kept = stet_json_own(d->call, json_object()),
		.components =
		    strlen(d->name) > 4 && strcasecmp(d->name + strlen(d->name) - 4, ".mdx") == 0 };

	body += strspn(body, "\r\n");
	if (*body == '\0')
		return STET_OK;
	if (strlen(body) > TEXT_MAX) {
		stet_issue(d->call, "text", "is longer than 256 KiB");
		return STET_OK;
	}
	blocks = content->blocks_foreign(d->call, "markdown", dialect_read(&dialect, body), lost);
	STET_TRY(tell_losses(d, lost));
	STET_TRY(tell_kept(d, dialect.kept));
	if (blocks == NULL)
		return STET_OK;
	blocks = stet_json_own(d->call, json_deep_copy(blocks));
	STET_TRY(take_pictures(d, blocks));
	(void)json_object_set(d->item, "blocks", blocks);
	return STET_OK;
}

/* ---- front matter ---- */

static void
put_picture(struct document *d, const json_t *value)
{
	static const char *const members[] = { "src", "url", "image", "path", "filename" };
	const char *url = json_string_value(value), *alt, *address;

	for (size_t i = 0; url == NULL && i < sizeof(members) / sizeof(members[0]); i++)
		url = json_string_value(json_object_get(value, members[i]));
	alt = json_string_value(json_object_get(value, "alt"));
	if (url == NULL || *url == '\0')
		return;
	address = address_of(d, url);
	(void)json_object_set_new(d->item, "picture",
	    json_pack(
		"{ss ss}", "url", address != NULL ? address : url, "alt", alt != NULL ? alt : ""));
}

/* Names, of a list of texts or of {name}, or one text; a new reference. */
static json_t *
names_of(const json_t *value)
{
	json_t *out = json_array(), *one;
	size_t i;

	if (json_is_string(value))
		(void)json_array_append(out, (json_t *)(uintptr_t)value);
	json_array_foreach(value, i, one)
	{
		json_t *name = json_is_object(one) ? json_object_get(one, "name") : one;

		if (json_is_string(name))
			(void)json_array_append(out, name);
		else if (json_is_integer(name))
			(void)json_array_append_new(
			    out, json_sprintf("%" JSON_INTEGER_FORMAT, json_integer_value(name)));
	}
	if (json_is_object(value) && json_is_string(json_object_get(value, "name")))
		(void)json_array_append(out, json_object_get(value, "name"));
	return out;
}

/* Returns the member for a name of front matter; NULL: it is none of these. */
static const char *
member_of(const char *key)
{
	static const char *const names[][2] = { { "title", "title" }, { "date", "published" },
		{ "pubdate", "published" }, { "publishdate", "published" },
		{ "published_at", "published" }, { "created", "created" }, { "lastmod", "updated" },
		{ "updated", "updated" }, { "updateddate", "updated" }, { "modified", "updated" },
		{ "last_modified_at", "updated" }, { "slug", "slug" }, { "permalink", "link" },
		{ "url", "link" }, { "description", "excerpt" }, { "summary", "excerpt" },
		{ "excerpt", "excerpt" }, { "lang", "locale" }, { "language", "locale" },
		{ "locale", "locale" }, { "translationkey", "group" }, { "type", "type" },
		{ "parent", "parent" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(names[i][0], key) == 0)
			return names[i][1];
	return NULL;
}

static bool
is_one_of(const char *key, const char *words)
{
	const char *at = words;
	size_t len = strlen(key);

	for (; len > 0 && (at = strchr(at, ' ')) != NULL && *++at != '\0';)
		if (strncasecmp(at, key, len) == 0 && at[len] == ' ')
			return true;
	return false;
}

static void
put_text(struct document *d, const char *member, const json_t *value)
{
	const char *text = json_string_value(value);

	if (json_is_integer(value))
		text = stet_printf(d->call, "%lld", (long long)json_integer_value(value));
	if (text == NULL || *text == '\0')
		return;
	/* Replaces what the path has given. Of several names for one member, the last counts. */
	if (strcmp(member, "slug") == 0)
		text = stet_slugify(d->call, base_of(text));
	else if (strcmp(member, "link") == 0)
		text = strstr(text, "://") != NULL
			   ? text
			   : stet_printf(d->call, "%s%s", GIVEN_FILE, text + (*text == '/'));
	if (strcmp(member, "type") != 0 || strcmp(text, "posts") != 0)
		set(d->item, member, text);
}

static void
put_member(struct document *d, const char *key, json_t *value)
{
	const char *member = member_of(key);

	if (member != NULL)
		put_text(d, member, value);
	else if (is_one_of(key, " draft "))
		set(d->item, "status", json_is_true(value) ? "draft" : "published");
	else if (is_one_of(key, " published "))
		set(d->item, "status", json_is_false(value) ? "draft" : "published");
	else if (is_one_of(key, " tags tag keywords "))
		(void)json_object_set_new(d->terms, "tag", names_of(value));
	else if (is_one_of(key, " categories category "))
		(void)json_object_set_new(d->terms, "category", names_of(value));
	else if (is_one_of(key, " author authors "))
		(void)json_object_set_new(d->item, "authors", names_of(value));
	else if (is_one_of(key, " aliases redirect_from "))
		(void)json_object_set_new(d->item, "oldLinks", names_of(value));
	else if (is_one_of(key, " image cover featured_image heroimage thumbnail banner "))
		put_picture(d, value);
	else if (!json_is_null(value) && !is_one_of(key, " layout "))
		(void)json_object_set(d->fields, key, value);
}

/* Front matter has the names of authors; the login is made from the name. */
static enum stet_status
put_authors(struct document *d)
{
	json_t *names = json_object_get(d->item, "authors"), *name;
	size_t i;

	json_array_foreach(names, i, name)
	{
		const char *text = json_string_value(name), *login = stet_slugify(d->call, text);

		STET_TRY(stet_source_put(d->source, STET_SOURCE_AUTHOR,
		    json_pack("{ss ss}", "login", login, "name", text)));
		(void)json_array_set_new(names, i, json_string(login));
	}
	return STET_OK;
}

static enum stet_status
take_document(void *arg, const char *name, const char *text, size_t len)
{
	const struct site *site = arg;
	struct stet_call *call = site->source->call;
	struct document d = { .source = site->source, .call = call, .site = site, .name = name };
	const char *body, *why, *key;
	json_t *value;

	front_read(call, text, len, &d.front, &body, &why);
	if (why != NULL)
		return source_notice(d.source, name, true, why);
	d.item = stet_json_own(call, json_object());
	d.fields = stet_json_own(call, json_object());
	d.terms = stet_json_own(call, json_object());
	read_path(&d);
	json_object_foreach((json_t *)(uintptr_t)d.front, key, value) put_member(&d, key, value);
	STET_TRY(put_authors(&d));
	STET_TRY(read_body(&d, body));
	if (stet_issues(call) != STET_OK) {
		why = stet_strdup(call, stet_error_text(call));
		stet_error_clear(call);
		return source_notice(d.source, name, true, why);
	}
	(void)json_object_set(d.item, "fields", d.fields);
	(void)json_object_set(d.item, "terms", d.terms);
	return stet_source_put(d.source, STET_SOURCE_ITEM, json_incref(d.item));
}

enum stet_status
markdown_source(struct stet_call *call, struct stet_source *source)
{
	struct site *site;

	(void)call;
	STET_TRY(site_find(source, &site));
	STET_TRY(site_tell(site));
	return tree_some(source, SITE_ENDS, site->wanted, take_document, site);
}
