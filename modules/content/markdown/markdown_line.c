/* markdown_line.c - the text of a block: runs with the same marks, in a line. */
#include "markdown/markdown.h"
#include <string.h>

const struct mark mark_table[MARKS] = {
	{ "strike-through", "s", "del", "~~" },
	{ "strong", "strong", "b", "**" },
	{ "em", "em", "i", "*" },
	{ "underline", "u", NULL, NULL },
	{ "superscript", "sup", NULL, NULL },
	{ "subscript", "sub", NULL, NULL },
	{ "code", "code", NULL, "`" },
};

/* ---- text that grows ---- */

void
text_add(struct text *text, const char *s, size_t len)
{
	if (text->len + len + 1 > text->size) {
		char *more;

		text->size = (text->len + len + 1) * 2;
		more = stet_alloc(text->call, text->size);
		if (text->len > 0)
			memcpy(more, text->s, text->len);
		text->s = more;
	}
	if (len > 0)
		memcpy(text->s + text->len, s, len);
	text->len += len;
	text->s[text->len] = '\0';
}

void
text_str(struct text *text, const char *s)
{
	text_add(text, s, strlen(s));
}

/* ---- runs ---- */

static bool
alike(const struct run *a, const struct run *b)
{
	return a->object == NULL && b->object == NULL && a->marks == b->marks && a->link == b->link;
}

static void
join(struct stet_call *call, struct run *a, const struct run *b)
{
	struct text all = { call, (char *)(uintptr_t)a->text, a->len, a->room };

	if (a->room == 0) {
		if (a->text + a->len ==
		    b->text) { /* the text often continues where the previous run ends */
			a->len += b->len;
			return;
		}
		all = (struct text){ .call = call };
		text_add(&all, a->text, a->len);
	}
	text_add(&all, b->text, b->len);
	a->text = all.s;
	a->len = all.len;
	a->room = all.size;
}

void
line_add(struct stet_call *call, struct line *line, const struct run *run)
{
	if (run->object == NULL && run->len == 0)
		return;
	if (line->count > 0 && alike(&line->run[line->count - 1], run)) {
		join(call, &line->run[line->count - 1], run);
		return;
	}
	if (line->count == line->room) {
		struct run *more;

		line->room = line->room > 0 ? line->room * 2 : 8;
		more = stet_alloc(call, line->room * sizeof(*more));
		if (line->count > 0)
			memcpy(more, line->run, line->count * sizeof(*more));
		line->run = more;
	}
	line->run[line->count++] = *run;
}

size_t
line_link(struct stet_call *call, struct line *line, const char *href, const char *title)
{
	if (line->links == line->link_room) {
		struct target *more;

		line->link_room = line->link_room > 0 ? line->link_room * 2 : 4;
		more = stet_alloc(call, line->link_room * sizeof(*more));
		if (line->links > 0)
			memcpy(more, line->link, line->links * sizeof(*more));
		line->link = more;
	}
	line->link[line->links++] = (struct target){ href, title };
	return line->links;
}
