/*
 * blocks.c - parser of the comments of block markup: <!-- wp:name {"a": 1} -->, <!-- /wp:name -->,
 * and <!-- wp:name /--> for a block without content.
 */
#include "blocks.h"
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>

#define NAME_MAX_LENGTH 128

/* A comment that begins or ends a block. */
struct mark {
	const char *name, *attributes;
	size_t name_len, attributes_len;
	bool ends, empty;
};

struct reading {
	struct blocks *blocks;
	size_t at; /* the innermost open block */
	size_t depth, over; /* over: open blocks deeper than BLOCK_DEPTH */
	const char *p, *end;
};

/* ---- comments ---- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool
is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_' || c == '/';
}

/* Cuts blanks at both ends. */
static void
trim(const char **p, const char **end)
{
	while (*p < *end && is_blank(**p))
		++*p;
	while (*end > *p && is_blank((*end)[-1]))
		--*end;
}

static bool
name_read(const char **p, const char *end, struct mark *m)
{
	m->name = *p;
	while (*p < end && is_name(**p))
		++*p;
	m->name_len = (size_t)(*p - m->name);
	if (m->name_len == 0 || m->name_len > NAME_MAX_LENGTH ||
	    (*p < end && !is_blank(**p) && **p != '{'))
		return false;
	if (m->name_len > 5 && memcmp(m->name, "core/", 5) == 0) {
		m->name += 5;
		m->name_len -= 5;
	}
	return true;
}

/* Parses the text between <!-- and -->. Returns false if it is no comment of a block. */
static bool
mark_read(const char *p, const char *end, struct mark *m)
{
	*m = (struct mark){ 0 };
	trim(&p, &end);
	if (p < end && *p == '/') {
		m->ends = true;
		p++;
	}
	if (end - p < 4 || memcmp(p, "wp:", 3) != 0)
		return false;
	p += 3;
	if (end[-1] == '/') {
		m->empty = true;
		end--;
	}
	if (!name_read(&p, end, m))
		return false;
	trim(&p, &end);
	if (p < end) {
		m->attributes = p;
		m->attributes_len = (size_t)(end - p);
	}
	return true;
}

/* ---- blocks ---- */

static size_t
add_block(struct blocks *b, size_t parent)
{
	struct block *block, *around;

	if (b->count == b->room) {
		b->room = b->room > 0 ? 2 * b->room : 32;
		b->list = realloc(b->list, b->room * sizeof(*b->list));
		if (b->list == NULL)
			stet_out_of_memory();
	}
	block = &b->list[b->count];
	*block = (struct block){
		.parent = parent, .first = NO_BLOCK, .last = NO_BLOCK, .next = NO_BLOCK
	};
	if (parent != NO_BLOCK) {
		around = &b->list[parent];
		if (around->last == NO_BLOCK)
			around->first = b->count;
		else
			b->list[around->last].next = b->count;
		around->last = b->count;
	}
	return b->count++;
}

static void
begin_block(struct reading *r, const struct mark *m, const char *open)
{
	struct block *block;
	size_t i;

	if (r->depth >= BLOCK_DEPTH) {
		r->over += !m->empty;
		r->blocks->passed++;
		return;
	}
	i = add_block(r->blocks, r->at);
	block = &r->blocks->list[i];
	block->name = m->name;
	block->name_len = m->name_len;
	block->attributes = m->attributes;
	block->attributes_len = m->attributes_len;
	block->open = open;
	block->begin = block->end = block->close = r->p;
	if (!m->empty) {
		r->at = i;
		r->depth++;
	}
}

/* Ends a block and those in it that are still open. */
static void
end_block(struct reading *r, const struct mark *m, const char *open)
{
	struct block *list = r->blocks->list;
	size_t found = r->at, i;

	if (r->over > 0) {
		r->over--;
		return;
	}
	while (found != 0 && (list[found].name_len != m->name_len ||
				 memcmp(list[found].name, m->name, m->name_len) != 0))
		found = list[found].parent;
	if (found == 0)
		return;
	do {
		i = r->at;
		list[i].end = open;
		list[i].close = i == found ? r->p : open;
		r->at = list[i].parent;
		r->depth--;
	} while (i != found);
}

void
blocks_read(struct blocks *b, const char *text, size_t len)
{
	struct reading r = { .blocks = b, .p = text, .end = text + len };
	const char *open, *close;
	struct mark m;

	*b = (struct blocks){ 0 };
	(void)add_block(b, NO_BLOCK);
	b->list[0].begin = b->list[0].open = text;
	while ((open = memmem(r.p, (size_t)(r.end - r.p), "<!--", 4)) != NULL) {
		close = memmem(open + 4, (size_t)(r.end - open - 4), "-->", 3);
		if (close == NULL)
			break;
		r.p = close + 3;
		if (!mark_read(open + 4, close, &m))
			continue;
		if (m.ends)
			end_block(&r, &m, open);
		else
			begin_block(&r, &m, open);
	}
	for (; r.at != NO_BLOCK; r.at = b->list[r.at].parent)
		b->list[r.at].end = b->list[r.at].close = text + len;
}

void
blocks_free(struct blocks *b)
{
	free(b->list);
	*b = (struct blocks){ 0 };
}

bool
block_is(const struct block *b, const char *name)
{
	return b->name_len == strlen(name) && memcmp(b->name, name, b->name_len) == 0;
}

json_t *
block_attributes(const struct block *b)
{
	json_t *attributes = NULL;

	if (b->attributes != NULL)
		attributes = json_loadb(b->attributes, b->attributes_len, 0, NULL);
	if (json_is_object(attributes))
		return attributes;
	json_decref(attributes);
	return json_object();
}
