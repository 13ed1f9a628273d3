/*
 * medium.c - exports of Medium: posts as HTML with marks of microformats (h-entry), named
 * posts/DATE_TITLE-ID.html, drafts posts/draft_TITLE-ID.html. Beside them are files about the
 * account, which are told and left out.
 */
#include "read/text.h"
#include "sources/documents.h"
#include "sources/markup.h"
#include "sources/page.h"
#include <string.h>

#define ENDS " .html "
#define GIST "https://gist.github.com/"

struct medium {
	struct stet_source *source;
	json_t *asides; /* {directory: number of files} */
	int64_t posts;
};

/* The id at the end of a name: its last part behind "-" or "_", without ".html". */
static const char *
id_of(struct stet_call *call, const char *base)
{
	size_t len = strlen(base) - strlen(".html"), at = len;

	while (at > 0 && base[at - 1] != '-' && base[at - 1] != '_')
		at--;
	return stet_strndup(call, base + at, len - at);
}

/* The slug of an address that ends with "-" and the id. */
static const char *
slug_of(struct stet_call *call, const char *link, const char *id)
{
	const char *base = strrchr(link, '/');
	size_t len = base != NULL ? strcspn(base + 1, "?#") : 0, n = strlen(id);

	if (len > n + 1 && strncmp(base + 1 + len - n, id, n) == 0 && base[len - n] == '-')
		len -= n + 1;
	return base != NULL ? stet_slugify(call, stet_strndup(call, base + 1, len)) : "";
}

/* ---- texts ---- */

/* Copies the text without its first heading, which repeats the title, and with links in place of
 * the scripts that show a gist. *gists: their number. */
static const char *
text_of(struct stet_call *call, const char *html, const char *title, int *gists)
{
	struct page_tag tag, script = { .end = NULL };
	const char *inner, *src, *done = html;
	char *text;
	size_t len;
	FILE *out = markup_begin(&text, &len);

	*gists = 0;
	if (page_find(call, html, "class", "graf--title", &tag, &inner) &&
	    strcmp(text_plain(call, inner), title) == 0) {
		(void)fwrite(html, 1, (size_t)(tag.begin - html), out);
		done = strchr(tag.end + strlen(inner), '>');
		done = done != NULL ? done + 1 : tag.end + strlen(inner);
		script.end = done;
		script.name = "";
	}
	while (page_next(done, &script)) {
		src = page_is(&script, "script") ? page_attribute(call, &script, "src") : NULL;
		if (src == NULL || script.closes || strncmp(src, GIST, strlen(GIST)) != 0)
			continue;
		++*gists;
		(void)fwrite(done, 1, (size_t)(script.begin - done), out);
		len = strlen(src) - (strcmp(src + strlen(src) - 3, ".js") == 0 ? 3 : 0);
		(void)fputs("<p><a", out);
		markup_attribute(out, "href", stet_strndup(call, src, len));
		(void)fputs(">", out);
		markup_text(out, stet_strndup(call, src, len));
		(void)fputs("</a></p>", out);
		done = script.end;
	}
	(void)fputs(done, out);
	return markup_end(call, out, &text);
}

static void
put_picture(struct stet_call *call, json_t *item, const char *html)
{
	struct page_tag tag;
	const char *inner, *src;

	if (!page_find(call, html, "data-is-featured", "true", &tag, &inner))
		return;
	src = page_attribute(call, &tag, "src");
	if (src != NULL)
		(void)json_object_set_new(item, "picture", json_string(src));
}

/* ---- posts ---- */

static const char *
attribute_of(struct stet_call *call, const char *html, const char *class, const char *attribute)
{
	struct page_tag tag;
	const char *inner, *value = NULL;

	if (page_find(call, html, "class", class, &tag, &inner))
		value = page_attribute(call, &tag, attribute);
	return value != NULL ? value : "";
}

static enum stet_status
put_post(struct medium *m, const char *base, const char *html)
{
	struct stet_call *call = m->source->call;
	const char *title = text_plain(call, page_inner(call, html, "class", "p-name"));
	const char *link = attribute_of(call, html, "p-canonical", "href"), *id = id_of(call, base);
	const char *time = attribute_of(call, html, "dt-published", "datetime"), *text;
	json_t *item = document_new(call, id, "post", strncmp(base, "draft_", 6) != 0);
	int gists;

	text = text_of(call, page_inner(call, html, "class", "e-content"), title, &gists);
	(void)json_object_set_new(item, "title", json_string(title));
	(void)json_object_set_new(item, "slug", json_string(slug_of(call, link, id)));
	(void)json_object_set_new(item, "link", json_string(link));
	(void)json_object_set_new(item, "created", json_string(time));
	(void)json_object_set_new(item, "published", json_string(time));
	(void)json_object_set_new(item, "excerpt",
	    json_string(text_plain(call, page_inner(call, html, "class", "p-summary"))));
	(void)json_object_set_new(item, "html", json_string(text));
	put_picture(call, item, text);
	if (gists > 0)
		STET_TRY(source_notice(
		    m->source, title, false, stet_printf(call, "%d gists are links now", gists)));
	STET_TRY(document_author(
	    m->source, item, text_plain(call, page_inner(call, html, "class", "p-author")), ""));
	STET_TRY(document_put_pictures(m->source, text));
	return stet_source_put(m->source, STET_SOURCE_ITEM, json_incref(item));
}

static enum stet_status
take(void *arg, const char *name, const char *text, size_t len)
{
	struct medium *m = arg;
	const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name, *above;
	size_t directory = slash != NULL ? (size_t)(slash - name) : 0;
	json_int_t count;

	(void)len;
	above = stet_strndup(m->source->call, name, directory);
	above = strrchr(above, '/') != NULL ? strrchr(above, '/') + 1 : above;
	if (strstr(text, "h-entry") != NULL && (slash == NULL || strcmp(above, "posts") == 0)) {
		m->posts++;
		return put_post(m, base, text);
	}
	if (strcmp(above, "posts") == 0)
		return source_notice(m->source, name, true, "It is no post");
	above = *above != '\0' ? above : base;
	count = json_integer_value(json_object_get(m->asides, above));
	(void)json_object_set_new(m->asides, above, json_integer(count + 1));
	return STET_OK;
}

enum stet_status
medium_source(struct stet_call *call, struct stet_source *source)
{
	struct medium m = { .source = source, .asides = stet_json_own(call, json_object()) };
	const char *name;
	json_t *count;

	STET_TRY(tree_some(source, ENDS, NULL, take, &m));
	if (m.posts == 0)
		return stet_fail(call, STET_VALIDATION_ERROR, "file",
		    "It is no export of Medium: it has no post");
	json_object_foreach(m.asides, name, count) STET_TRY(source_notice(source, name, false,
	    stet_printf(call, "%lld files about the account are left out",
		(long long)json_integer_value(count))));
	return STET_OK;
}
