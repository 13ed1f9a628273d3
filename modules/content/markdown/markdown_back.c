/*
 * markdown_back.c - what is printed is read again: when it does not come back as it went, tags take
 * the place of signs, and then JSON that of Markdown.
 */
#include "markdown/markdown.h"
#include <string.h>

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool
same_link(const struct line *a, const struct line *b, size_t i)
{
	const struct target *x = a->run[i].link > 0 ? &a->link[a->run[i].link - 1] : NULL;
	const struct target *y = b->run[i].link > 0 ? &b->link[b->run[i].link - 1] : NULL;

	if (x == NULL || y == NULL)
		return x == y;
	return same_text(x->href, y->href) && same_text(x->title, y->title);
}

/* Objects that Markdown says have no key there. */
static bool
same_object(struct stet_call *call, const json_t *a, const json_t *b)
{
	struct text x = { .call = call }, y = { .call = call };

	object_print(&x, a);
	object_print(&y, b);
	return strcmp(x.s, y.s) == 0;
}

/* Does the link of the run before go on? */
static bool
goes_on(const struct line *line, size_t i)
{
	return i > 0 && line->run[i].link == line->run[i - 1].link;
}

static bool
same_line(struct stet_call *call, const struct line *a, const struct line *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct run *x = &a->run[i], *y = &b->run[i];

		if ((x->object != NULL) != (y->object != NULL) || goes_on(a, i) != goes_on(b, i) ||
		    !same_link(a, b, i))
			return false;
		if (x->object != NULL) {
			if (!same_object(call, x->object, y->object))
				return false;
		} else if (x->marks != y->marks || x->len != y->len ||
			   memcmp(x->text, y->text, x->len) != 0)
			return false;
	}
	return true;
}

static bool
same_table(struct stet_call *call, const struct table *a, const struct table *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	if (a->rows != b->rows || a->columns != b->columns ||
	    memcmp(a->align, b->align, a->columns) != 0)
		return false;
	for (size_t i = 0; i < a->rows * a->columns; i++)
		if (!same_line(call, &a->cell[i], &b->cell[i]))
			return false;
	return true;
}

static bool
same_list(const struct block *a, const struct block *b)
{
	return a->bullet == b->bullet && a->number == b->number && a->task == b->task &&
	       a->starts == b->starts && (!a->starts || a->start == b->start);
}

static bool
same(struct stet_call *call, const struct block *a, const struct block *b)
{
	const char *const x[] = { a->code, a->language, a->src, a->alt, a->title, a->link,
		a->label };
	const char *const y[] = { b->code, b->language, b->src, b->alt, b->title, b->link,
		b->label };

	for (size_t i = 0; i < sizeof(x) / sizeof(x[0]); i++)
		if (!same_text(x[i], y[i]))
			return false;
	return a->kind == b->kind && a->heading == b->heading && a->quote == b->quote &&
	       same_list(a, b) && same_table(call, a->table, b->table) &&
	       same_line(call, &a->line, &b->line);
}

/* A block of HTML may go on to the end of the text, or begin in the line above. */
static bool
comes_back(struct stet_call *call, const struct block *b, const char *text)
{
	const bool html = b->kind == B_HTML;
	const char *why, *all = html ? stet_printf(call, "x\n\n%s\n\nx", text) : text;
	size_t count;
	const struct block *back = markdown_blocks(call, all, READ_PART, NULL, &count, &why);

	return why == NULL && count == (html ? 3 : 1) && same(call, b, &back[html ? 1 : 0]);
}

char *
block_print(struct stet_call *call, const json_t *json, struct block *b)
{
	char *text = block_print_as(call, b, false);

	if (b->kind == B_OTHER || comes_back(call, b, text))
		return text;
	if (b->kind == B_TEXT || b->kind == B_TABLE || b->kind == B_NOTE) {
		text = block_print_as(call, b, true);
		if (json == NULL || comes_back(call, b, text))
			return text;
	}
	if (json == NULL)
		return text;
	*b = (struct block){ .kind = B_OTHER, .json = json };
	return block_print_json(call, json);
}
