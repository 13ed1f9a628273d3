/* markdown_reader.h - the state of reading, which md4c hands on. */
#ifndef CONTENT_MARKDOWN_READER_H
#define CONTENT_MARKDOWN_READER_H

#include "markdown/markdown.h"
#include <md4c.h>

struct reader {
	struct stet_call *call;
	struct block *block;
	size_t count, room;
	struct block open; /* whose text is being collected */
	bool is_open, is_heading;
	const char *source; /* the text, which has the pieces */
	const char *bare_end; /* of a bare address that is open; or NULL */
	struct inlines in;
	struct inlines note; /* of the footnote before, which may go on */
	bool soft; /* a line ended */
	size_t quotes, lists; /* that are open */
	bool number[LEVEL_MAX + 1]; /* is the list of this level numbered? */
	bool starts; /* the next item begins a list with this number */
	unsigned start;
	bool is_code, is_html;
	struct text code; /* and HTML */
	struct text tag; /* whose end has not come */
	const char *language;
	bool foreign; /* READ_FOREIGN */
	size_t images; /* that are open: pictures in the text of pictures are text */
	struct block image; /* the outermost one */
	struct text alt;
	size_t link_first; /* the first token of a link */
	struct table *table; /* that is open */
	size_t column, cells, cell_max; /* in tables */
	struct losses *lost; /* or NULL */
	size_t hrefs, href_max; /* bytes of them, which references repeat */
	const char *why;
};

/* ---- markdown_tree.c ---- */

struct block *reader_add(struct reader *, const struct block *);
/* Blocks of Portable Text do not stand in each other: tells that one leaves a list or quotation. */
void reader_leaves(struct reader *, const char *list, const char *quote);
void reader_flush(struct reader *); /* the block whose text is being collected */
void reader_begin(struct reader *, const struct block *);
/* A paragraph: of an item that has no text yet, or one by itself. */
void reader_paragraph(struct reader *);
void reader_item(struct reader *, const MD_BLOCK_LI_DETAIL *);
void reader_list(struct reader *, const MD_BLOCK_OL_DETAIL *); /* NULL: of bullets */
char *reader_clean(const struct reader *, const char *, size_t); /* source_clean */
/* The text of an attribute: an address, or what stands behind a fence. */
char *reader_attribute(struct reader *, const MD_ATTRIBUTE *);
int reader_table(struct reader *, const MD_BLOCK_TABLE_DETAIL *); /* other than 0: too large */
int reader_cell(struct reader *, const MD_BLOCK_TD_DETAIL *);
void reader_cell_end(struct reader *);
void reader_html(struct reader *); /* that was collected in r->code */
void reader_code(struct reader *);

/* ---- markdown_text.c ---- */

void reader_line_end(struct reader *); /* A line that ended is a blank before what follows. */
int reader_text(MD_TEXTTYPE, const MD_CHAR *, MD_SIZE, void *);

/* ---- markdown_bare.c ---- */

/* Puts text, with links where it has bare addresses. */
void reader_bare(struct reader *, const char *, size_t);
/* Ends the link of a bare address, unless it goes on at this place. */
void reader_bare_end(struct reader *, const char *at);

#endif
