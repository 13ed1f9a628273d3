/*
 * markdown_lost.c - what of a Markdown text the blocks do not express, with its line, for the
 * client that sent the text.
 */
#include "markdown/markdown.h"
#include <string.h>

#define LOSSES_MAX 100 /* in the list of one answer */

void
losses_begin(struct losses *l, json_t *list, const char *field)
{
	*l = (struct losses){ .list = list,
		.field = field,
		.line = 1,
		.first = json_array_size(list),
		.placed = json_array_size(list) };
}

void
losses_text(struct losses *l, const char *text)
{
	l->text = l->at = text;
	l->end = text + strlen(text);
}

size_t
losses_add(struct losses *l, const char *what)
{
	size_t count;

	if (l == NULL || l->list == NULL)
		return 0;
	count = json_array_size(l->list);
	if (count < LOSSES_MAX)
		json_array_append_new(l->list,
		    json_pack("{s:s, s:i, s:s}", "field", l->field, "line", l->line, "what",
			count + 1 < LOSSES_MAX ? what : "and more that is not listed"));
	return count;
}

void
losses_count(struct losses *l, const char *what, const char *kind)
{
	json_t *last;

	(void)losses_add(l, what);
	if (l == NULL || l->list == NULL)
		return;
	last = json_array_get(l->list, json_array_size(l->list) - 1);
	json_object_set_new(
	    last, kind, json_integer(json_integer_value(json_object_get(last, kind)) + 1));
}

void
losses_at(struct losses *l, const char *piece)
{
	if (l == NULL || l->list == NULL || piece < l->at || piece >= l->end)
		return;
	for (; l->at < piece; l->at++)
		l->line += *l->at == '\n';
	for (; l->placed < json_array_size(l->list); l->placed++)
		json_integer_set(
		    json_object_get(json_array_get(l->list, l->placed), "line"), l->line);
}
