/*
 * squarespace.c - contents of exports of Squarespace. Scripts of its pages make pictures and
 * players of what stands there: an <img> with data-src behind a <noscript> with the same picture,
 * and players as HTML in an attribute.
 */
#include "item/squarespace.h"
#include "sources/markup.h"
#include "sources/page.h"
#include <string.h>

#define WORK_MAX (64u << 20) /* bytes among which the ends of elements are looked for */

/* A content while it is read. */
struct reading {
	struct stet_call *call;
	FILE *out; /* what takes the place of an element */
	size_t work;
};

bool
squarespace_is(const char *html)
{
	return strstr(html, "sqs-layout") != NULL || strstr(html, "sqs-block") != NULL;
}

static const char *
picture_of(struct stet_call *call, const struct page_tag *tag)
{
	static const char *const names[] = { "data-src", "data-image", "src" };
	const char *url = NULL;

	for (size_t i = 0; i < 3 && (url == NULL || *url == '\0'); i++)
		url = page_attribute(call, tag, names[i]);
	return url != NULL && *url != '\0' ? url : NULL;
}

/* Returns what follows an element; NULL: enough was looked at. *inside: its length without its
 * tags. */
static const char *
behind(struct reading *r, const struct page_tag *start, size_t *inside)
{
	const char *end, *close;

	if (r->work > WORK_MAX)
		return NULL;
	end = page_end(start);
	*inside = (size_t)(end - start->end);
	r->work += *inside;
	close = strchr(end, '>');
	return close != NULL ? close + 1 : end;
}

/* Does a picture follow that the text inside <noscript> repeats? */
static bool
is_repeated(const char *after)
{
	struct page_tag next = { .end = NULL };

	return page_next(after, &next) && page_is(&next, "img") &&
	       after + strspn(after, " \t\r\n") == next.begin;
}

/* ---- galleries ---- */

static void
put_picture(struct stet_call *call, FILE *out, const struct page_tag *tag, const char *href,
    const char *title)
{
	const char *src = picture_of(call, tag), *alt = page_attribute(call, tag, "alt");
	bool leads = href != NULL && *href != '\0' && strcmp(href, src) != 0;

	(void)fputs("<!-- wp:image --><figure class=\"wp-block-image\">", out);
	if (leads) {
		(void)fputs("<a", out);
		markup_attribute(out, "href", href);
		(void)fputs(">", out);
	}
	(void)fputs("<img", out);
	markup_attribute(out, "src", src);
	markup_attribute(out, "alt", alt != NULL ? alt : "");
	(void)fputs(leads ? "/></a>" : "/>", out);
	if (title != NULL && *title != '\0') {
		(void)fputs("<figcaption>", out);
		markup_text(out, title);
		(void)fputs("</figcaption>", out);
	}
	(void)fputs("</figure><!-- /wp:image -->", out);
}

/* Puts the pictures of a gallery as a block. Returns their number. */
static int
put_gallery(struct stet_call *call, FILE *out, const char *html)
{
	struct page_tag tag = { .end = NULL };
	const char *href = NULL, *title = NULL;
	bool hidden = false;
	int count = 0;

	while (page_next(html, &tag)) {
		if (page_is(&tag, "noscript"))
			hidden = !tag.closes;
		else if (page_is(&tag, "a")) {
			href = tag.closes ? NULL : page_attribute(call, &tag, "href");
			title = tag.closes ? NULL : page_attribute(call, &tag, "data-title");
		} else if (page_is(&tag, "img") && !hidden && picture_of(call, &tag) != NULL) {
			if (count++ == 0)
				(void)fputs("<!-- /wp:group --><!-- wp:gallery --><figure "
					    "class=\"wp-block-gallery has-nested-images\">",
				    out);
			put_picture(call, out, &tag, href, title);
		}
	}
	if (count > 0)
		(void)fputs("</figure><!-- /wp:gallery --><!-- wp:group -->", out);
	return count;
}

/* ---- contents ---- */

/* Puts what takes the place of an element. Returns where the text goes on behind it; NULL: it
 * stays. */
static const char *
put_instead(struct reading *r, const struct page_tag *tag)
{
	const char *class = page_attribute(r->call, tag, "class"), *after, *player;
	size_t len;

	if (page_is(tag, "noscript")) {
		after = behind(r, tag, &len);
		return after != NULL && is_repeated(after) ? after : NULL;
	}
	if (class == NULL || !page_is(tag, "div"))
		return NULL;
	if (strcmp(class, "sqs-gallery") == 0 && (after = behind(r, tag, &len)) != NULL)
		return put_gallery(r->call, r->out, stet_strndup(r->call, tag->end, len)) > 0
			   ? after
			   : NULL;
	player = strstr(class, "sqs-video-wrapper") != NULL
		     ? page_attribute(r->call, tag, "data-html")
		     : NULL;
	if (player != NULL)
		(void)fputs(player, r->out);
	return player != NULL ? tag->end : NULL;
}

const char *
squarespace_html(struct stet_call *call, const char *html)
{
	struct reading r = { .call = call };
	struct page_tag tag = { .end = NULL };
	const char *done = html, *goes_on;
	char *text, *piece;
	size_t len, size;
	FILE *out = markup_begin(&text, &len);

	(void)fputs("<!-- wp:group -->", out);
	while (page_next(html, &tag)) {
		if (tag.closes || (!page_is(&tag, "noscript") && !page_is(&tag, "div")))
			continue;
		r.out = markup_begin(&piece, &size);
		goes_on = put_instead(&r, &tag);
		if (goes_on != NULL)
			(void)fwrite(done, 1, (size_t)(tag.begin - done), out);
		(void)fputs(markup_end(call, r.out, &piece), out);
		if (goes_on != NULL)
			tag.end = done = goes_on;
	}
	(void)fputs(done, out);
	(void)fputs("<!-- /wp:group -->", out);
	return markup_end(call, out, &text);
}
