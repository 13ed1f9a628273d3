/*
 * reply.c - settings as JSON: the values that are set, and for media references the items they
 * refer to.
 */
#include "settings.h"
#include <stet/feeds.h>
#include <string.h>
#include <strings.h>

struct media {
	const json_t *reference; /* as stored */
	struct stet_media_item item;
};
#define REFERENCES 3 /* the number of settings_media */

struct shown {
	struct media media[REFERENCES];
	size_t count;
};

static void
note(struct shown *s, const json_t *reference)
{
	if (json_object_get(reference, "mediaId") != NULL)
		s->media[s->count++].reference = reference;
}

/* Looks up the media items. A reference to an item that is deleted shows only its id. */
static enum stet_status
resolve(struct stet_call *call, struct shown *s)
{
	const struct stet_media_1 *service = stet_service(call, STET_MEDIA_1);
	struct stet_table found;
	const char *ids[REFERENCES];

	if (service == NULL || s->count == 0)
		return STET_OK;
	for (size_t i = 0; i < s->count; i++)
		ids[i] = json_string_value(json_object_get(s->media[i].reference, "mediaId"));
	STET_TRY(service->find(call, ids, s->count, &found));
	for (uint32_t i = 0; i < s->count && i < found.count; i++)
		stet_table_row(&found, i, &s->media[i].item, sizeof(s->media[i].item));
	return STET_OK;
}

static const struct stet_media_item *
item_of(const struct shown *s, const json_t *reference)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->media[i].reference == reference)
			return &s->media[i].item;
	return NULL;
}

/* title: the name of the member with the title; NULL: leave it out. */
static void put_members(
    struct stet_json *, const struct shown *, const char *title, const json_t *object);

static void
put_value(struct stet_json *out, const struct shown *s, const char *name, const json_t *value)
{
	const struct stet_media_item *item = item_of(s, value);

	if (!json_is_object(value)) {
		stet_put_json(out, name, value);
		return;
	}
	stet_object(out, name);
	put_members(out, s, NULL, value);
	if (item != NULL && item->id != NULL) {
		stet_put_str(out, "url", item->url);
		stet_put_str(out, "contentType", item->content_type);
		if (item->width > 0)
			stet_put_int(out, "width", item->width);
		if (item->height > 0)
			stet_put_int(out, "height", item->height);
	}
	stet_close(out);
}

static void
put_members(struct stet_json *out, const struct shown *s, const char *title, const json_t *object)
{
	json_t *all = (json_t *)(uintptr_t)object, *value;
	const char *name;

	json_object_foreach(all, name, value)
	{
		bool is_title = title != NULL && strcmp(name, "title") == 0;

		put_value(out, s, is_title ? title : name, value);
	}
}

/* Copies these members, if they are set. */
static json_t *
pick(struct stet_call *call, const json_t *from, const char *const *names)
{
	json_t *out = stet_json_own(call, json_object());

	for (; *names != NULL; names++)
		if (json_object_get(from, *names) != NULL)
			json_object_set(out, *names, json_object_get(from, *names));
	return out;
}

/* Returns the settings that callers without credentials see: those that pages of the site show. A
 * new setting is hidden until it is listed here. */
static const json_t *
public_part(struct stet_call *call, const json_t *all)
{
	static const char *const members[] = { "title", "tagline", "logo", "favicon", "url",
		"postsPerPage", "dateFormat", "timezone", "social", NULL };
	static const char *const seo[] = { "titleSeparator", "defaultOgImage", NULL };
	json_t *out = pick(call, all, members);

	if (json_object_get(all, "seo") != NULL)
		json_object_set(out, "seo", pick(call, json_object_get(all, "seo"), seo));
	return out;
}

enum stet_status
settings_put_reply(struct stet_call *call, bool rest)
{
	struct stet_json *out = stet_reply(call);
	struct shown s = { .count = 0 };
	const json_t *all;

	STET_TRY(stored_read(call, &all));
	if (stet_is_open(call))
		all = public_part(call, all);
	note(&s, json_object_get(all, "logo"));
	note(&s, json_object_get(all, "favicon"));
	note(&s, json_object_get(json_object_get(all, "seo"), "defaultOgImage"));
	STET_TRY(resolve(call, &s));
	stet_object(out, NULL);
	put_members(out, &s, rest ? "siteTitle" : "title", all);
	stet_close(out);
	return STET_OK;
}

/* ---- robots ---- */

#define ROBOTS "User-agent: *\nDisallow: /_cms/\n"

static bool
names_sitemap(const char *text)
{
	for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
		if (strncasecmp(text, "sitemap:", 8) == 0)
			return true;
	return false;
}

/* Returns robots.txt. Appends the address of the sitemap unless the text names one. */
enum stet_status
settings_robots(struct stet_call *call)
{
	const struct stet_feeds_1 *feeds = stet_service(call, STET_FEEDS_1);
	const char *text, *sitemap = NULL;
	const json_t *all;

	STET_TRY(stored_read(call, &all));
	text = json_string_value(json_object_get(json_object_get(all, "seo"), "robotsTxt"));
	if (text == NULL)
		text = ROBOTS;
	if (feeds != NULL && !names_sitemap(text))
		STET_TRY(feeds->sitemap(call, &sitemap));
	if (sitemap != NULL)
		text = stet_printf(call, "%s%s\nSitemap: %s\n", text,
		    *text != '\0' && text[strlen(text) - 1] != '\n' ? "\n" : "", sitemap);
	stet_reply_type(call, "text/plain; charset=utf-8");
	return stet_write(call, text, strlen(text));
}
