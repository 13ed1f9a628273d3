/*
 * markdown_html.c - documents of HTML with front matter. The module html converts the text; before
 * that, its links lead to items, its pictures have the addresses of their files, and references in
 * the language of templates are paths.
 */
#include "plan/suggest.h"
#include "sources/dialect.h"
#include "sources/markdown.h"
#include "sources/markup.h"
#include "sources/page.h"
#include <string.h>

/* ---- the language of templates ---- */

enum stet_status
document_tell_kept(const struct document *d, const json_t *kept, const char *what)
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
	    stet_printf(d->call, "Shortcodes that are kept as %s: %s", what, all));
}

/* Returns the text with paths and code for the expressions of templates that are understood. Others
 * stay, and are counted. */
static const char *
without_code(struct dialect *d, const char *text)
{
	char *out;
	size_t size, n;

	d->out = markup_begin(&out, &size);
	while (*text != '\0') {
		n = strcspn(text, "{");
		(void)fwrite(text, 1, n, d->out);
		text += n;
		if (*text == '\0')
			break;
		n = dialect_site(d, text);
		if (n == 0)
			n = dialect_code(d, text, false);
		if (n == 0)
			n = fwrite(text, 1, 1, d->out);
		text += n > 0 ? n : 1;
	}
	return markup_end(d->call, d->out, &out);
}

/* ---- addresses ---- */

struct addresses {
	const struct document *document;
	enum stet_status status;
};

static const char *
take_address(void *arg, const struct page_tag *tag, const char *url)
{
	struct addresses *a = arg;
	const struct document *d = a->document;
	const bool picture = page_is(tag, "img");
	const char *to = NULL, *alt = NULL;

	if (a->status != STET_OK)
		return NULL;
	if (picture || *suggest_media_type(url) != '\0')
		to = site_file(d->site, d->call, d->name, url);
	if (to != NULL) {
		alt = picture ? page_attribute(d->call, tag, "alt") : NULL;
		a->status = document_put_copy(d, to, alt != NULL ? alt : "");
	} else if (!picture)
		a->status = document_link(d, url, &to);
	return to;
}

/* Returns what stands in <body>, or the whole text. */
static const char *
body_of(struct stet_call *call, const char *text)
{
	struct page_tag tag = { .end = NULL };

	while (page_next(text, &tag))
		if (!tag.closes && page_is(&tag, "body"))
			return page_inside(call, &tag);
	return text;
}

enum stet_status
document_take_html(struct document *d, const char *text)
{
	struct dialect dialect = { .call = d->call,
		.kept = stet_json_own(d->call, json_object()),
		.lost = stet_json_own(d->call, json_array()),
		.html = true };
	struct addresses a = { d, STET_OK };

	text = body_of(d->call, without_code(&dialect, text));
	STET_TRY(document_tell_kept(d, dialect.kept, "text"));
	document_set(d->item, "html", page_rewrite(d->call, text, take_address, &a));
	return a.status;
}
