/*
 * write.c - writes block markup. Texts of a layout are HTML that nobody has checked: the module
 * html, which reads the markup, trusts nothing of it.
 */
#include "layout/write.h"
#include "sources/markup.h"
#include <string.h>
#include <strings.h>

void
layout_begin(struct writing *w, struct stet_call *call, char **text, size_t *len)
{
	*w = (struct writing){ .call = call,
		.out = markup_begin(text, len),
		.idle = stet_json_own(call, json_object()),
		.unknown = stet_json_own(call, json_object()) };
}

void
layout_end(struct writing *w, char **text, struct layout *l)
{
	l->markup = markup_end(w->call, w->out, text);
	l->idle = w->idle;
	l->unknown = w->unknown;
}

void
layout_count(json_t *counts, const char *name)
{
	json_t *count = json_object_get(counts, name);

	if (count == NULL)
		(void)json_object_set_new(counts, name, json_integer(1));
	else
		(void)json_integer_set(count, json_integer_value(count) + 1);
}

static void
put(struct writing *w, const char *text)
{
	(void)fputs(text, w->out);
}

void
layout_columns(struct writing *w, bool open)
{
	put(w, open ? "<!-- wp:columns -->\n" : "<!-- /wp:columns -->\n");
}

void
layout_column(struct writing *w, bool open)
{
	put(w, open ? "<!-- wp:column -->\n" : "<!-- /wp:column -->\n");
}

void
layout_text(struct writing *w, const char *html, size_t len)
{
	size_t blank = 0;

	while (blank < len && html[blank] != '\0' && strchr(" \t\r\n", html[blank]) != NULL)
		blank++;
	if (blank == len)
		return;
	put(w, "<!-- wp:freeform -->");
	(void)fwrite(html, 1, len, w->out);
	put(w, "<!-- /wp:freeform -->\n");
	w->blocks++;
}

/* Opens a link, unless it has no address. */
static void
open_link(struct writing *w, const char *href, const char *class)
{
	if (*href == '\0')
		return;
	put(w, "<a");
	if (class != NULL)
		markup_attribute(w->out, "class", class);
	markup_attribute(w->out, "href", href);
	put(w, ">");
}

static void
close_link(struct writing *w, const char *href)
{
	put(w, *href != '\0' ? "</a>" : "");
}

const char *
layout_around(struct writing *w, const char *href)
{
	const char *around = w->href;

	if (*href != '\0')
		w->href = href;
	return around;
}

void
layout_behind(struct writing *w, const char *href, const char *around)
{
	if (*href == '\0')
		return;
	if (w->href == href)
		layout_link(w, href, href);
	w->href = around;
}

/* The address of a heading or picture, or else that of what is around it. */
static const char *
address_of(struct writing *w, const char *href)
{
	if (*href == '\0' && w->href != NULL) {
		href = w->href;
		w->href = NULL;
	}
	return href;
}

void
layout_heading(struct writing *w, int level, const char *html, const char *href)
{
	if (strstr(html, "<a ") == NULL)
		href = address_of(w, href);
	(void)fprintf(w->out, "<!-- wp:heading {\"level\":%d} --><h%d>", level, level);
	open_link(w, href, NULL);
	put(w, html);
	close_link(w, href);
	(void)fprintf(w->out, "</h%d><!-- /wp:heading -->\n", level);
	w->blocks++;
}

void
layout_raw(struct writing *w, const char *html)
{
	if (html[strspn(html, " \t\r\n")] == '\0')
		return;
	put(w, "<!-- wp:html -->");
	put(w, html);
	put(w, "<!-- /wp:html -->\n");
	w->blocks++;
}

void
layout_rule(struct writing *w)
{
	put(w, "<!-- wp:separator --><hr class=\"wp-block-separator\"/><!-- /wp:separator -->\n");
	w->blocks++;
}

void
layout_button(struct writing *w, const char *html, const char *href)
{
	put(w, "<!-- wp:buttons --><div><!-- wp:button --><div>");
	open_link(w, href, "wp-block-button__link");
	put(w, html);
	close_link(w, href);
	put(w, "</div><!-- /wp:button --></div><!-- /wp:buttons -->\n");
	w->blocks++;
}

void
layout_link(struct writing *w, const char *html, const char *href)
{
	put(w, "<!-- wp:paragraph --><p>");
	open_link(w, href, NULL);
	put(w, html);
	close_link(w, href);
	put(w, "</p><!-- /wp:paragraph -->\n");
	w->blocks++;
}

/* Does the address end like that of a file of films? */
static bool
is_file(const char *address)
{
	static const char *const ends[] = { ".mp4", ".m4v", ".webm", ".ogv", ".mov" };
	size_t len = strcspn(address, "?#");

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (len > strlen(ends[i]) &&
		    strncasecmp(address + len - strlen(ends[i]), ends[i], strlen(ends[i])) == 0)
			return true;
	return false;
}

void
layout_film(struct writing *w, const char *address)
{
	bool file = is_file(address);

	put(w, file ? "<!-- wp:video --><figure><video" : "<!-- wp:embed --><figure><div>");
	if (file)
		markup_attribute(w->out, "src", address);
	else
		markup_text(w->out, address);
	put(w, file ? "></video></figure><!-- /wp:video -->\n"
		    : "</div></figure><!-- /wp:embed -->\n");
	w->blocks++;
}

void
layout_picture(struct writing *w, const struct picture *p)
{
	const char *href = address_of(w, p->href);

	put(w, "<!-- wp:image --><figure class=\"wp-block-image\">");
	open_link(w, href, NULL);
	put(w, "<img");
	if (*p->address != '\0')
		markup_attribute(w->out, "src", p->address);
	if (*p->alt != '\0')
		markup_attribute(w->out, "alt", p->alt);
	if (*p->number != '\0')
		(void)fprintf(w->out, " class=\"wp-image-%s\"", p->number);
	put(w, "/>");
	close_link(w, href);
	if (*p->caption != '\0')
		(void)fprintf(w->out, "<figcaption>%s</figcaption>", p->caption);
	put(w, "</figure><!-- /wp:image -->\n");
	w->blocks++;
}

void
layout_gallery(struct writing *w, const char *numbers, const char *columns)
{
	put(w, "<!-- wp:freeform -->[gallery ids=\"");
	for (; *numbers != '\0'; numbers++)
		(void)fputc(*numbers >= '0' && *numbers <= '9' ? *numbers : ',', w->out);
	put(w, "\"");
	if (*columns != '\0' && columns[strspn(columns, "0123456789")] == '\0')
		(void)fprintf(w->out, " columns=\"%s\"", columns);
	put(w, "]<!-- /wp:freeform -->\n");
	w->blocks++;
}
