/*
 * address.c - addresses on the site that people read: its own, and those of items; and whether a
 * page may lead to an address.
 */
#include <stet/content.h>
#include <stet/portabletext.h>
#include <stet/settings.h>
#include <string.h>
#include <strings.h>

enum stet_status
stet_site_address(struct stet_call *call, const char **out)
{
	enum stet_status status = stet_setting_text(call, "url", out);
	size_t len;

	if (*out == NULL || **out == '\0')
		*out = stet_base_url(call);
	len = strcspn(*out, "?#");
	while (len > 0 && (*out)[len - 1] == '/')
		len--;
	*out = stet_strndup(call, *out, len);
	return status;
}

const char *
stet_item_path(struct stet_call *call, const char *pattern, const char *collection, const char *id,
    const char *slug, const char *locale)
{
	const char *const parts[] = { "slug", slug, "id", id, "locale", locale, "collection",
		collection, NULL };
	const char *path = slug != NULL ? stet_path_fill(call, pattern, parts) : NULL;

	return path != NULL && strchr(path, '{') == NULL ? path : NULL;
}

const char *
stet_url_pattern(const struct stet_collection *c, const char *locale)
{
	const char *own = json_string_value(json_object_get(c->url_patterns, locale)),
		   *pattern = own != NULL ? own : c->url_pattern;

	return c->routable && pattern != NULL && *pattern != '\0' ? pattern : NULL;
}

const char *
stet_pattern_address(struct stet_call *call, const char *pattern, const struct stet_collection *c,
    const char *id, const char *slug, const char *locale, const char *published_at)
{
	const bool dated = published_at != NULL && strlen(published_at) >= strlen("YYYY-MM-DD");
	/* Without a date the list ends before its parts, so that their placeholders stay. */
	const char *const parts[] = { "slug", slug, "id", id, "locale", locale, "collection",
		c->slug, dated ? "year" : NULL, dated ? stet_strndup(call, published_at, 4) : NULL,
		"month", dated ? stet_strndup(call, published_at + 5, 2) : NULL, "day",
		dated ? stet_strndup(call, published_at + 8, 2) : NULL, NULL };
	const char *path = slug != NULL ? stet_path_fill(call, pattern, parts) : NULL;

	return path != NULL && strchr(path, '{') == NULL ? path : NULL;
}

const char *
stet_item_address(struct stet_call *call, const struct stet_collection *c, const char *id,
    const char *slug, const char *locale, const char *published_at)
{
	const char *pattern = stet_url_pattern(c, locale);

	return pattern != NULL
		   ? stet_pattern_address(call, pattern, c, id, slug, locale, published_at)
		   : NULL;
}

/* ---- what a page may lead to ---- */

#define BLANKS " \t\r\n\f"

/* Returns the length of the scheme (RFC 3986, 3.1), without its colon; 0: there is none. */
static size_t
scheme_of(const char *address)
{
	size_t len = 0;

	while ((address[len] >= 'a' && address[len] <= 'z') ||
	       (address[len] >= 'A' && address[len] <= 'Z') ||
	       (len > 0 && address[len] != '\0' && strchr("0123456789+-.", address[len]) != NULL))
		len++;
	return address[len] == ':' ? len : 0;
}

/* Returns true if there may be a scheme behind control characters, which browsers leave out. */
static bool
is_disguised(const char *address)
{
	for (; *address != '\0' && strchr(":/?#", *address) == NULL; address++)
		if ((unsigned char)*address < ' ' || *address == 0x7f)
			return true;
	return false;
}

static bool
is_one_of(const char *const *schemes, const char *address, size_t len)
{
	for (; *schemes != NULL; schemes++)
		if (strlen(*schemes) == len && strncasecmp(*schemes, address, len) == 0)
			return true;
	return false;
}

bool
stet_is_source(const char *address)
{
	static const char *const schemes[] = { "http", "https", NULL };
	size_t len;

	address += strspn(address, BLANKS);
	len = scheme_of(address);
	return len > 0 ? is_one_of(schemes, address, len) : *address == '/';
}

bool
stet_is_link(const char *address)
{
	static const char *const schemes[] = { "http", "https", "mailto", "tel", NULL };
	size_t len;

	address += strspn(address, BLANKS);
	len = scheme_of(address);
	return len > 0 ? is_one_of(schemes, address, len) : !is_disguised(address);
}

/* ---- Portable Text ---- */

static bool
is_any(const char *text, const char *const *names)
{
	for (; text != NULL && *names != NULL; names++)
		if (*text == **names && strcmp(text, *names) == 0)
			return true;
	return false;
}

bool
stet_block_address_good(
    const json_t *object, const char *holder, const char *member, const char *text)
{
	static const char *const loaded[] = { "url", "src", "poster", "backgroundImage", NULL };
	static const char *const files[] = { "image", "file", "video", "audio", "cover", NULL };
	static const char *const linked[] = { "href", "link", "url", "src", "poster",
		"backgroundImage", NULL };
	bool file;

	if (*text == '\0' || !is_any(member, linked))
		return true;
	file = (holder != NULL && strcmp(holder, "asset") == 0) ||
	       is_any(json_string_value(json_object_get(object, "_type")), files);
	return file && is_any(member, loaded) ? stet_is_source(text) : stet_is_link(text);
}
