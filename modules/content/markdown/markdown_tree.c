/*
 * markdown_tree.c - the blocks while they are read: md4c's tree becomes a flat list. An item has a
 * level, a paragraph of a quotation is one by itself.
 */
#include "markdown/markdown_reader.h"
#include <string.h>

struct block *
reader_add(struct reader *r, const struct block *b)
{
	if (r->count == r->room) {
		struct block *more;

		r->room = r->room > 0 ? r->room * 2 : 8;
		more = stet_alloc(r->call, r->room * sizeof(*more));
		if (r->count > 0)
			memcpy(more, r->block, r->count * sizeof(*more));
		r->block = more;
	}
	r->block[r->count] = *b;
	return &r->block[r->count++];
}

/* Blocks of Portable Text do not stand in each other: what is in a list or quotation leaves it. */
void
reader_leaves(struct reader *r, const char *list, const char *quote)
{
	if (r->lists > 0)
		losses_add(r->lost, list);
	else if (r->quotes > 0)
		losses_add(r->lost, quote);
}

/* A picture that is all of a paragraph is a block. */
static bool
is_picture(const struct reader *r)
{
	const struct block *b = &r->open;
	const json_t *object = r->in.count == 1 ? r->in.token[0].run.object : NULL;

	return object != NULL && b->kind == B_TEXT && !b->bullet && !b->number && !b->quote &&
	       b->heading == 0 && json_object_get(object, "_key") == NULL &&
	       json_object_get(object, "asset") != NULL;
}

static void
add_picture(struct reader *r)
{
	const json_t *object = r->in.token[0].run.object;

	reader_add(r, &(struct block){ .kind = B_IMAGE,
			  .src = member_text(json_object_get(object, "asset"), "url"),
			  .alt = member_text(object, "alt"),
			  .title = member_text(object, "title"),
			  .link = member_text(object, "link") });
}

void
reader_flush(struct reader *r)
{
	if (!r->is_open)
		return;
	r->is_open = false;
	if (r->open.kind == B_NOTE)
		r->note = r->in;
	if (is_picture(r))
		add_picture(r);
	else
		inline_runs(&r->in, &reader_add(r, &r->open)->line);
}

void
reader_begin(struct reader *r, const struct block *b)
{
	reader_flush(r);
	r->open = *b;
	r->open.quote = r->quotes > 0;
	r->is_open = true;
	r->soft = false;
	r->tag = (struct text){ .call = r->call };
	r->in.link = 0; /* of the block before */
	r->bare_end = NULL;
	r->in.count = r->in.room = 0;
	r->in.token = NULL;
	r->open.line = (struct line){ 0 };
	memset(r->in.tags, 0, sizeof(r->in.tags));
}

/* A paragraph: of an item that has no text yet, or one by itself. */
void
reader_paragraph(struct reader *r)
{
	static const struct block normal = { .kind = B_TEXT };

	if (!r->is_open || r->in.count > 0) {
		if (r->lists > 0)
			losses_add(r->lost, "a paragraph in a list item, which stands behind it");
		reader_begin(r, &normal);
	}
	r->open.quote = r->quotes > 0;
}

void
reader_item(struct reader *r, const MD_BLOCK_LI_DETAIL *detail)
{
	size_t level = r->lists < LEVEL_MAX ? r->lists : LEVEL_MAX;
	bool number = r->number[level];

	reader_begin(r, &(struct block){ .kind = B_TEXT,
			    .bullet = !number,
			    .number = number,
			    .level = (int)level,
			    .task = !detail->is_task           ? TASK_NONE
				    : detail->task_mark == ' ' ? TASK_OPEN
							       : TASK_DONE });
	if (number && r->starts) {
		r->open.starts = true;
		r->open.start = r->start;
	}
	r->starts = false;
	if (r->lists > LEVEL_MAX)
		losses_add(r->lost, "a list deeper than ten levels");
}

void
reader_list(struct reader *r, const MD_BLOCK_OL_DETAIL *number)
{
	reader_flush(r);
	r->starts = number != NULL && number->start != 1;
	r->start = number != NULL ? number->start : 1;
	r->lists++;
	if (r->lists <= LEVEL_MAX)
		r->number[r->lists] = number != NULL;
}

char *
reader_clean(const struct reader *r, const char *s, size_t len)
{
	s = source_clean(r->call, s, &len);
	return stet_strndup(r->call, s, len);
}

/* The text of an attribute: an address, or what stands behind a fence. */
char *
reader_attribute(struct reader *r, const MD_ATTRIBUTE *a)
{
	struct text text = { .call = r->call };

	text_str(&text, "");
	for (size_t i = 0; a->text != NULL && a->substr_offsets[i] < a->size; i++) {
		const char *s = a->text + a->substr_offsets[i];
		size_t len = a->substr_offsets[i + 1] - a->substr_offsets[i];

		if (a->substr_types[i] == MD_TEXT_ENTITY)
			text_str(&text, entity_text(r->call, s, len));
		else
			text_add(&text, s, len);
	}
	return reader_clean(r, text.s, text.len);
}

/* ---- tables ---- */

int
reader_table(struct reader *r, const MD_BLOCK_TABLE_DETAIL *detail)
{
	struct table *t = stet_alloc(r->call, sizeof(*t));
	size_t rows = detail->head_row_count + detail->body_row_count;

	reader_flush(r);
	reader_leaves(r, "a table in a list", "a table in a quotation");
	*t = (struct table){ .columns = detail->col_count };
	r->cells += rows * t->columns;
	if (t->columns == 0 || r->cells > r->cell_max) {
		r->why = "has tables with too many cells";
		return 1;
	}
	t->cell = stet_alloc(r->call, rows * t->columns * sizeof(*t->cell));
	memset(t->cell, 0, rows * t->columns * sizeof(*t->cell));
	t->align = stet_alloc(r->call, t->columns);
	memset(t->align, 0, t->columns);
	r->table = t;
	return 0;
}

int
reader_cell(struct reader *r, const MD_BLOCK_TD_DETAIL *detail)
{
	static const signed char aligns[] = { [MD_ALIGN_DEFAULT] = ALIGN_NONE,
		[MD_ALIGN_LEFT] = ALIGN_LEFT,
		[MD_ALIGN_CENTER] = ALIGN_CENTER,
		[MD_ALIGN_RIGHT] = ALIGN_RIGHT };

	reader_begin(r, &(struct block){ .kind = B_TEXT });
	if (r->table->rows == 1)
		r->table->align[r->column] = aligns[detail->align];
	return 0;
}

void
reader_cell_end(struct reader *r)
{
	struct table *t = r->table;
	struct line *cell = &t->cell[(t->rows - 1) * t->columns + r->column];

	r->is_open = false;
	*cell = r->open.line;
	inline_runs(&r->in, cell);
	r->column = r->column + 1 < t->columns ? r->column + 1 : 0;
}

/* ---- code and HTML ---- */

void
reader_html(struct reader *r)
{
	while (r->code.len > 0 && strchr("\r\n", r->code.s[r->code.len - 1]) != NULL)
		r->code.s[--r->code.len] = '\0';
	r->is_html = false;
	if (r->code.len == 0)
		return;
	reader_leaves(r, "HTML in a list", "HTML in a quotation");
	reader_add(
	    r, &(struct block){ .kind = B_HTML, .code = reader_clean(r, r->code.s, r->code.len) });
}

void
reader_code(struct reader *r)
{
	if (r->code.len > 0) /* the last line's end */
		r->code.s[--r->code.len] = '\0';
	reader_add(r, &(struct block){ .kind = B_CODE,
			  .code = reader_clean(r, r->code.s, r->code.len),
			  .language = r->language });
	r->is_code = false;
}
