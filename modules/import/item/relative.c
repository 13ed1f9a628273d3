/* relative.c - makes links of a content to its own site begin with "/", since its host will be
 * another one. */
#include "item/relative.h"
#include <string.h>
#include <strings.h>

#define DEPTH_MAX 200
#define FILES "/wp-content/"

struct relating {
	struct stet_call *call;
	const char *host;
	size_t len;
};

/* Returns what follows scheme and host if the URL is a page of the site; NULL: it is not. */
static const char *
behind_host(const struct relating *r, const char *url)
{
	size_t scheme = strncasecmp(url, "https://", 8) == 0  ? 8
			: strncasecmp(url, "http://", 7) == 0 ? 7
							      : 0;
	const char *host = url + scheme;

	if (scheme == 0)
		return NULL;
	if (strncasecmp(host, "www.", 4) == 0)
		host += 4;
	if (strncasecmp(host, r->host, r->len) != 0)
		return NULL;
	host += r->len;
	if (*host == ':' || *host == '.' || *host == '-' || *host == '@' ||
	    (*host != '\0' && strchr("/?#\"'<> \t\r\n", *host) == NULL))
		return NULL;
	return strncmp(host, FILES, strlen(FILES)) == 0 ? NULL : host;
}

static void
make_relative(const struct relating *r, json_t *object, const char *member)
{
	const char *url = json_string_value(json_object_get(object, member));
	const char *path = url != NULL ? behind_host(r, url) : NULL;

	if (path != NULL)
		(void)json_object_set_new(object, member,
		    json_string(stet_printf(r->call, "%s%s", *path == '/' ? "" : "/", path)));
}

/* ---- HTML ---- */

/* Does the value of an attribute href begin here? */
static bool
is_href(const char *html, const char *at)
{
	if (at > html && (at[-1] == '"' || at[-1] == '\''))
		at--;
	while (at > html && strchr(" \t\r\n", at[-1]) != NULL)
		at--;
	if (at == html || *--at != '=')
		return false;
	while (at > html && strchr(" \t\r\n", at[-1]) != NULL)
		at--;
	return at - html >= 5 && strncasecmp(at - 4, "href", 4) == 0 &&
	       strchr(" \t\r\n\"'/", at[-5]) != NULL;
}

static void
html_links(const struct relating *r, json_t *object)
{
	const char *html = json_string_value(json_object_get(object, "html")), *at, *path;
	size_t len, n = 0, done = 0;
	char *out;

	if (html == NULL || (len = strlen(html)) == 0)
		return;
	out = stet_alloc(r->call, len + 1);
	for (at = html; (at = strcasestr(at, "http")) != NULL; at++) {
		path = is_href(html, at) ? behind_host(r, at) : NULL;
		if (path == NULL)
			continue;
		memcpy(out + n, html + done, (size_t)(at - html) - done);
		n += (size_t)(at - html) - done;
		if (*path != '/')
			out[n++] = '/';
		done = (size_t)(path - html);
	}
	if (done == 0)
		return;
	memcpy(out + n, html + done, len - done + 1);
	(void)json_object_set_new(object, "html", json_string(out));
}

/* ---- values ---- */

static void
walk(const struct relating *r, json_t *value, int depth)
{
	const char *type = json_string_value(json_object_get(value, "_type")), *key;
	json_t *child;
	size_t i;

	if (depth == DEPTH_MAX)
		return;
	json_array_foreach(value, i, child) walk(r, child, depth + 1);
	if (!json_is_object(value))
		return;
	make_relative(r, value, "href");
	html_links(r, value);
	if (type != NULL && strncmp(type, "button", 6) == 0)
		make_relative(r, value, "url");
	json_object_foreach(value, key, child)
	{
		if (json_is_object(child) || json_is_array(child))
			walk(r, child, depth + 1);
	}
}

/* Sets the host of a site. Returns false if its address has none. */
static bool
set_host(struct relating *r, const char *site)
{
	const char *host = strstr(site, "://");

	if (host == NULL)
		return false;
	host += 3;
	if (strncasecmp(host, "www.", 4) == 0)
		host += 4;
	r->host = host;
	r->len = strcspn(host, "/?#");
	return r->len > 0;
}

void
relative_links(struct stet_call *call, const char *site, json_t *blocks)
{
	struct relating r = { .call = call };

	if (set_host(&r, site))
		walk(&r, blocks, 0);
}

const char *
relative_page(struct stet_call *call, const char *site, const char *url)
{
	struct relating r = { .call = call };
	const char *path = url[0] == '/' && url[1] != '/' ? url : NULL;
	char *page;
	size_t len;

	if (path == NULL && set_host(&r, site))
		path = behind_host(&r, url);
	if (path == NULL)
		return NULL;
	page = stet_strndup(call, path, strcspn(path, "?#"));
	for (len = strlen(page); len > 0 && page[len - 1] == '/'; len--)
		page[len - 1] = '\0';
	return len > 0 ? page : NULL;
}
