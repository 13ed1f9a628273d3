/*
 * markdown_lost.c - records what blocks cannot express of a Markdown text, with the line, for the
 * client that sent the text.
 */
#include "markdown/markdown.h"
#include <string.h>

#define LOSSES_MAX 100 /* losses in one reply */

void
losses_begin(struct losses *l, json_t *list, const char *field, const char *text)
{
	*l = (struct losses){ list, field, text, text + strlen(text), text, 1,
		json_array_size(list), json_array_size(list) };
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
losses_drop(struct losses *l, size_t index)
{
	if (l == NULL || l->list == NULL || index + 1 >= LOSSES_MAX)
		return;
	json_array_remove(l->list, index);
	if (l->placed > index)
		l->placed--;
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

/* Returns true if the piece lies in the text, and not in a buffer of the parser. */
static bool
is_of_text(const struct losses *l, const char *piece)
{
	return l != NULL && l->list != NULL && piece >= l->text && piece < l->end;
}

/* A delimiter row: cells of hyphens, with colons for the alignment, and at least one bar. */
bool
losses_is_table(const struct losses *l, const char *piece)
{
	bool bar = false, hyphen = false;

	if (!is_of_text(l, piece))
		return false;
	for (; *piece != '\0' && *piece != '\n'; piece++) {
		if (strchr(" \t\r:|-", *piece) == NULL)
			return false;
		bar |= *piece == '|';
		hyphen |= *piece == '-';
	}
	return bar && hyphen;
}

bool
losses_is_task(const struct losses *l, const char *piece)
{
	return is_of_text(l, piece) && (piece == l->text || piece[-1] != '\\') && piece[0] == '[' &&
	       piece[1] != '\0' && strchr(" xX", piece[1]) != NULL && piece[2] == ']' &&
	       (piece[3] == ' ' || piece[3] == '\t');
}
