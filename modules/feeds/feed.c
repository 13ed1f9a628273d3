/*
 * feed.c - the newest items of a collection as Atom (RFC 4287) and as JSON Feed 1.1. They are read
 * by the operation content_list, so a feed shows what a list shows to the caller.
 */
#include "feeds.h"
#include <stet/settings.h>
#include <string.h>

#define SUMMARY_MAX 500 /* characters of a summary that is made from the text */

const struct stet_member feed_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of a public collection" },
	{ "locale", STET_STRING, .about = "The site's default when omitted", STET_RANGE(1, 64) },
	{ "terms", STET_STRING, .about = "Items of these terms alone: category:news,sport;tag:db",
	    STET_RANGE(1, 500) },
	{ 0 },
};

struct feed {
	struct stet_call *call;
	const struct stet_collection *collection;
	const json_t *settings; /* NULL: none */
	const char *site; /* its address */
	const char *locale;
	const char *terms; /* NULL: no filter */
	const char *self; /* the address of the feed */
	const json_t *items;
};

/* ---- what is shown ---- */

/* Returns the first of these fields that the collection has, if its storage fits. */
static const struct stet_field *
field_named(const struct stet_collection *c, const char *const *names)
{
	for (; *names != NULL; names++) {
		const struct stet_field *f = stet_field(c, *names);

		if (f != NULL && f->type->storage == STET_STORE_TEXT && !f->json_text)
			return f;
	}
	return NULL;
}

static const struct stet_field *
field_of_type(const struct stet_collection *c, const char *type)
{
	for (size_t i = 0; i < c->field_count; i++)
		if (strcmp(c->fields[i]->type->name, type) == 0)
			return c->fields[i];
	return NULL;
}

static const json_t *
value_of(const json_t *item, const struct stet_field *f)
{
	return f != NULL ? json_object_get(json_object_get(item, "data"), f->slug) : NULL;
}

static const char *
text_of(const json_t *item, const struct stet_field *f)
{
	return json_string_value(value_of(item, f));
}

static const struct stet_field *
title_field(const struct stet_collection *c)
{
	const char *const names[] = { "title", "name", NULL };
	const struct stet_field *f = c->title_field != NULL ? stet_field(c, c->title_field) : NULL;

	return f != NULL ? f : field_named(c, names);
}

static const struct stet_field *
summary_field(const struct stet_collection *c)
{
	static const char *const names[] = { "excerpt", "summary", "description", NULL };

	return field_named(c, names);
}

/* Returns the first Portable Text field as HTML; NULL: the item has none. */
static const char *
content_of(struct feed *f, const json_t *item)
{
	const json_t *value = value_of(item, field_of_type(f->collection, "portableText"));

	return json_array_size(value) > 0 ? html_write(f->call, value, f->site) : NULL;
}

/* Returns the address of the first image field; NULL: there is none. */
static const char *
picture_of(struct feed *f, const json_t *item)
{
	const json_t *value = value_of(item, field_of_type(f->collection, "image"));
	const char *url = json_string_value(json_object_get(value, "url"));

	if (url == NULL)
		url = json_string_value(json_object_get(value, "src"));
	if (url == NULL || *url == '\0')
		return NULL;
	return *url == '/' ? stet_printf(f->call, "%s%s", f->site, url) : url;
}

static const char *
address_of(struct feed *f, const json_t *item)
{
	const char *path = stet_item_address(f->call, f->collection,
	    json_string_value(json_object_get(item, "id")),
	    json_string_value(json_object_get(item, "slug")),
	    json_string_value(json_object_get(item, "locale")),
	    json_string_value(json_object_get(item, "publishedAt")));

	return path != NULL ? stet_printf(f->call, "%s%s", f->site, path) : NULL;
}

static const char *
member(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

/* Returns the title; "" if there is none, since Atom requires one. */
static const char *
title_of(struct feed *f, const json_t *item)
{
	const char *title = text_of(item, title_field(f->collection));

	return title != NULL ? title : "";
}

static const char *
title_of_feed(struct feed *f)
{
	const char *site = member(f->settings, "title"), *label = f->collection->label;

	if (f->terms != NULL)
		label = stet_printf(f->call, "%s (%s)", label, f->terms);
	return *site != '\0' ? stet_printf(f->call, "%s: %s", site, label) : label;
}

/* ---- reading ---- */

static enum stet_status
read_items(struct feed *f)
{
	json_t *args = stet_json_own(f->call,
	    json_pack("{ss ss ss ss ss}", "collection", f->collection->slug, "status", "published",
		"orderBy", "publishedAt", "order", "desc", "locale", f->locale));
	const char *text;
	json_t *list;
	size_t len;

	if (f->terms != NULL)
		json_object_set_new(args, "terms", json_string(f->terms));
	json_object_set_new(
	    args, "limit", json_integer(json_integer_value(stet_setting(f->call, "items"))));
	STET_TRY(stet_invoke(f->call, "content_list", args, &text, &len));
	list = stet_json_own(f->call, json_loadb(text, len, 0, NULL));
	f->items = json_object_get(list, "items");
	return STET_OK;
}

/* The address under which the feed was asked for, from its arguments. */
static const char *
self_of(struct feed *f, const char *name, const char *locale)
{
	const char *pattern = f->terms == NULL ? "/feeds/{collection}/{name}?locale={locale}"
			      : locale == NULL
				  ? "/feeds/{collection}/{name}?terms={terms}"
				  : "/feeds/{collection}/{name}?locale={locale}&terms={terms}";

	if (f->terms == NULL && locale == NULL)
		pattern = "/feeds/{collection}/{name}";
	return stet_printf(f->call, "%s%s", f->site,
	    stet_path_fill(f->call, pattern,
		(const char *const[]){ "collection", f->collection->slug, "name", name, "locale",
		    locale, "terms", f->terms, NULL }));
}

static enum stet_status
begin(struct stet_call *call, const char *name, struct feed *f)
{
	const struct stet_settings_1 *settings = stet_service(call, STET_SETTINGS_1);
	const char *locale = stet_locale(call, stet_arg(call, "locale"));

	STET_TRY(stet_issues(call));
	*f = (struct feed){ .call = call,
		.locale = locale != NULL ? locale : stet_locales(call)[0] };
	STET_TRY(site_collection(call, &f->collection));
	STET_TRY(site_url(call, &f->site));
	if (settings != NULL)
		STET_TRY(settings->get(call, &f->settings));
	f->terms = stet_arg(call, "terms");
	f->self = self_of(f, name, locale);
	STET_TRY(read_items(f));
	/* content_list has mixed its items into the tag; mix in the rest of the feed. */
	site_mix(call, member(f->settings, "title"));
	site_mix(call, member(f->settings, "tagline"));
	site_mix(call, f->self);
	return STET_OK;
}

/* ---- Atom ---- */

static void
put_link(struct out *o, const char *relation, const char *type, const char *to)
{
	out_raw(o, "<link rel=\"");
	out_raw(o, relation);
	out_raw(o, "\" type=\"");
	out_raw(o, type);
	out_raw(o, "\" href=\"");
	out_text(o, to);
	out_raw(o, "\"/>\n");
}

static void
put_authors(struct out *o, const json_t *item)
{
	const json_t *credit;
	size_t i;

	json_array_foreach(json_object_get(item, "bylines"), i, credit)
	{
		const json_t *byline = json_object_get(credit, "byline");

		if (*member(byline, "displayName") == '\0')
			continue;
		out_raw(o, "<author>\n");
		out_element(o, "name", member(byline, "displayName"));
		out_element(o, "uri", member(byline, "websiteUrl"));
		out_raw(o, "</author>\n");
	}
}

static void
put_entry(struct feed *f, struct out *o, const json_t *item, const char *to)
{
	const char *content = content_of(f, item);

	out_raw(o, "<entry>\n");
	out_element(
	    o, "id", stet_printf(f->call, "urn:uuid:%s", site_uuid(f->call, member(item, "id"))));
	out_raw(o, "<title>");
	out_text(o, title_of(f, item));
	out_raw(o, "</title>\n");
	put_link(o, "alternate", "text/html", to);
	out_element(o, "published", member(item, "publishedAt"));
	out_element(o, "updated", member(item, "updatedAt"));
	put_authors(o, item);
	out_element(o, "summary", text_of(item, summary_field(f->collection)));
	if (content != NULL) {
		out_raw(o, "<content type=\"html\">");
		out_text(o, content);
		out_raw(o, "</content>\n");
	}
	out_raw(o, "</entry>\n");
}

/* Returns the time of the newest change; of a feed without items, of the collection's creation. */
static const char *
updated(struct feed *f)
{
	const char *newest = f->collection->created_at;
	const json_t *item;
	size_t i;

	json_array_foreach(f->items, i, item) if (strcmp(member(item, "updatedAt"), newest) > 0)
	    newest = member(item, "updatedAt");
	return newest;
}

enum stet_status
feed_atom(struct stet_call *call)
{
	const json_t *item;
	struct feed f;
	struct out o;
	size_t i;

	STET_TRY(begin(call, "atom.xml", &f));
	stet_reply_type(call, "application/atom+xml; charset=utf-8");
	out_reply(&o, call);
	out_raw(&o, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
		    "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"");
	out_text(&o, f.locale);
	out_raw(&o, "\">\n");
	out_element(&o, "id", f.self);
	out_element(&o, "title", title_of_feed(&f));
	out_element(&o, "subtitle", member(f.settings, "tagline"));
	out_element(&o, "updated", updated(&f));
	put_link(&o, "self", "application/atom+xml", f.self);
	put_link(&o, "alternate", "text/html", stet_printf(call, "%s/", f.site));
	/* An entry without an author needs one of the feed. */
	out_raw(&o, "<author>\n");
	out_element(&o, "name", title_of_feed(&f));
	out_raw(&o, "</author>\n<generator>stet</generator>\n");
	json_array_foreach(f.items, i, item)
	{
		const char *to = address_of(&f, item);

		if (to != NULL)
			put_entry(&f, &o, item, to);
	}
	out_raw(&o, "</feed>\n");
	return out_end(&o);
}

/* ---- JSON Feed ---- */

static void
put_some(struct stet_json *out, const char *name, const char *text)
{
	if (text != NULL && *text != '\0')
		stet_put_str(out, name, text);
}

static void
put_json_authors(struct stet_json *out, const json_t *item)
{
	const json_t *credit;
	size_t i;

	stet_array(out, "authors");
	json_array_foreach(json_object_get(item, "bylines"), i, credit)
	{
		const json_t *byline = json_object_get(credit, "byline");

		if (*member(byline, "displayName") == '\0')
			continue;
		stet_object(out, NULL);
		stet_put_str(out, "name", member(byline, "displayName"));
		put_some(out, "url", member(byline, "websiteUrl"));
		stet_close(out);
	}
	stet_close(out);
}

/* JSON Feed requires content_html or content_text. */
static void
put_json_item(struct feed *f, struct stet_json *out, const json_t *item, const char *to)
{
	const char *content = content_of(f, item);
	const char *summary = text_of(item, summary_field(f->collection));

	stet_object(out, NULL);
	stet_put_str(
	    out, "id", stet_printf(f->call, "urn:uuid:%s", site_uuid(f->call, member(item, "id"))));
	stet_put_str(out, "url", to);
	put_some(out, "title", title_of(f, item));
	if (content != NULL)
		stet_put_str(out, "content_html", content);
	else
		stet_put_str(out, "content_text",
		    summary != NULL && *summary != '\0' ? summary : title_of(f, item));
	put_some(out, "summary", summary);
	put_some(out, "image", picture_of(f, item));
	put_some(out, "date_published", member(item, "publishedAt"));
	put_some(out, "date_modified", member(item, "updatedAt"));
	put_some(out, "language", member(item, "locale"));
	put_json_authors(out, item);
	stet_close(out);
}

enum stet_status
feed_json(struct stet_call *call)
{
	struct stet_json *out = stet_json_new(call);
	const json_t *item;
	const char *text;
	struct feed f;
	size_t i, len;

	STET_TRY(begin(call, "feed.json", &f));
	stet_object(out, NULL);
	stet_put_str(out, "version", "https://jsonfeed.org/version/1.1");
	stet_put_str(out, "title", title_of_feed(&f));
	stet_put_str(out, "home_page_url", stet_printf(call, "%s/", f.site));
	stet_put_str(out, "feed_url", f.self);
	put_some(out, "description", member(f.settings, "tagline"));
	stet_put_str(out, "language", f.locale);
	stet_array(out, "items");
	json_array_foreach(f.items, i, item)
	{
		const char *to = address_of(&f, item);

		if (to != NULL)
			put_json_item(&f, out, item, to);
	}
	stet_close(out);
	stet_close(out);
	text = stet_json_text(out, &len);
	stet_reply_type(call, "application/feed+json");
	return stet_write(call, text, len);
}
