/* inner.c - converts what is inside of a block: inner blocks, and the HTML between them. */
#include "handle.h"
#include <string.h>

void
put_block(struct work *w, const struct block *b, json_t *to)
{
	w->block(w, b, to);
}

void
put_html(struct work *w, json_t *to, const char *begin, const char *end, bool classic)
{
	const char *p = begin;

	while (p < end && strchr(" \t\r\n", *p) != NULL && *p != '\0')
		p++;
	if (p < end)
		flow_all(&w->conv, to, p, (size_t)(end - p), classic);
}

void
put_children(struct work *w, const struct block *b, json_t *to, json_t *loose, bool classic)
{
	const char *p = b->begin;
	size_t i = b->first;

	while (i != NO_BLOCK) {
		const struct block *child = &w->blocks.list[i];

		put_html(w, loose, p, child->open, classic);
		put_block(w, child, to);
		p = child->close;
		i = child->next;
	}
	put_html(w, loose, p, b->end, classic);
}

void
put_between(struct work *w, const struct block *b, json_t *to)
{
	const char *p = b->begin;

	for (size_t i = b->first; i != NO_BLOCK; i = w->blocks.list[i].next) {
		put_html(w, to, p, w->blocks.list[i].open, false);
		p = w->blocks.list[i].close;
	}
	put_html(w, to, p, b->end, false);
}

void
put_raw(struct work *w, const struct block *b, json_t *to)
{
	json_t *html = conv_new(&w->conv, "htmlBlock"), *name;

	name = memchr(b->name, '/', b->name_len) != NULL
		   ? json_sprintf("%.*s", (int)b->name_len, b->name)
		   : json_sprintf("core/%.*s", (int)b->name_len, b->name);
	(void)json_object_set_new(html, "html", json_bytes(b->begin, (size_t)(b->end - b->begin)));
	(void)json_object_set_new(html, "originalBlockName", name);
	(void)json_array_append_new(to, html);
}
