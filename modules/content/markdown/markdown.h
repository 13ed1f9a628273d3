/*
 * markdown.h - Portable Text as Markdown and back: what the files of this directory share. Both
 * sides are read to struct block; content that it cannot represent stays JSON, which Markdown
 * has in a comment.
 */
#ifndef CONTENT_MARKDOWN_H
#define CONTENT_MARKDOWN_H

#include <stet/call.h>

#define MARKDOWN_MAX 262144 /* the most bytes of Markdown that are read */
#define FOREIGN_MAX (8 * MARKDOWN_MAX) /* the same, of other systems: with blocks in comments */
#define HREF_MAX 2048 /* bytes; a block with a longer link stays JSON */
#define LEVEL_MAX 10 /* of list items */
#define COLUMNS_MAX 128 /* of a table; md4c reads no more */
#define BLOCK_MARK "<!--block "
#define INLINE_MARK "<!--inline "
#define EMPTY_MARK "<!--empty-->" /* a paragraph without text */
#define MARK_END "-->"

/* ---- markdown.c: functions for other files ---- */

/* Writes Portable Text as Markdown. */
char *markdown_write(struct stet_call *, const json_t *blocks);
/* Reads Markdown as Portable Text, owned by the call; `stored` is the value that it replaces, or
 * NULL. A block with the same content as a stored one is that block, byte for byte, wherever it
 * stands now; an edited block keeps its _key. Returns NULL if issues about `path` were recorded,
 * for example that an edit would lose content that Markdown cannot express. */
json_t *markdown_read(struct stet_call *, const char *path, const char *text, const json_t *stored);
/* The same. Adds to `lost` what Portable Text of this site does not express, for each {field, line,
 * what}: the text is kept, but without that. */
json_t *markdown_read_lost(
    struct stet_call *, const char *path, const char *text, const json_t *stored, json_t *lost);
/* The same for a text of another system, which replaces no value. A link or picture whose address
 * pages must not have becomes its text, which `lost` tells. */
json_t *markdown_read_foreign(struct stet_call *, const char *path, const char *text, json_t *lost);

/* ---- markdown_line.c: a text buffer, marks, lines ---- */

struct text {
	struct stet_call *call;
	char *s; /* NUL-terminated, unless nothing was added */
	size_t len, size;
};
void text_add(struct text *, const char *, size_t);
void text_str(struct text *, const char *);

enum {
	M_STRIKE = 1,
	M_STRONG = 2,
	M_EM = 4,
	M_UNDERLINE = 8,
	M_SUPER = 16,
	M_SUB = 32,
	M_CODE = 64
};
#define MARKS 7
struct mark {
	const char *name; /* its name in Portable Text */
	const char *tag, *tag2; /* HTML elements; tag2 may be NULL */
	const char *sign; /* its sign in Markdown; NULL: only the HTML element */
};
extern const struct mark mark_table[MARKS]; /* in the order of the bits, outermost first */

/* Text with the same marks. */
struct run {
	const char *text;
	size_t len;
	size_t room; /* bytes of its own buffer, if it was joined; 0: the text is borrowed */
	unsigned marks;
	size_t link; /* index + 1 of the line's hrefs; 0: no link */
	const json_t *object; /* an inline object instead of text, or NULL */
};
struct target {
	const char *href, *title; /* title may be NULL */
};
struct line {
	struct run *run;
	size_t count, room;
	struct target *link;
	size_t links, link_room;
};
void line_add(struct stet_call *, struct line *,
    const struct run *); /* Joins the run with the one before if their marks are the same. */
size_t line_link(struct stet_call *, struct line *, const char *href, const char *title);

/* ---- a block ---- */

/* A table: its first row is a header. The rows have the same number of cells. */
struct table {
	struct line *cell; /* row by row */
	size_t rows, columns;
	signed char *align; /* of columns: an ALIGN_ */
};
enum { ALIGN_NONE, ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT };
extern const char *const align_names[]; /* NULL for ALIGN_NONE */

enum block_kind { B_TEXT, B_CODE, B_IMAGE, B_RULE, B_TABLE, B_HTML, B_NOTE, B_OTHER };
struct block {
	enum block_kind kind;
	int heading; /* 1 to 6; 0: none */
	bool quote, bullet, number;
	int level; /* of a list item, counted from 1 */
	enum { TASK_NONE, TASK_OPEN, TASK_DONE } task; /* of a list item */
	bool starts; /* a list begins with this item and the number `start` */
	unsigned start;
	struct line line; /* of B_TEXT and B_NOTE */
	const char *label; /* of B_NOTE, a footnote */
	struct table *table; /* of B_TABLE */
	const char *code, *language; /* of B_CODE, and B_HTML; language may be NULL */
	const char *src, *alt, *title, *link; /* of B_IMAGE; NULL: it has none */
	const struct stet_media_item *file; /* of the library, that src is the URL of; or NULL */
	const json_t *json; /* of B_OTHER */
	bool lossy; /* the JSON has content that this structure does not represent */
	const json_t *labels; /* of the footnotes that the whole value has; NULL: all */
};

/* ---- markdown_lost.c: what blocks cannot express ---- */

/* Losses in the order in which they are found. md4c tells where it is only with a piece of text, so
 * the line of a loss is that of the next piece. */
struct losses {
	json_t *list; /* of {field, line, what}; NULL: nobody wants to know */
	const char *field;
	const char *text, *end; /* the Markdown */
	const char *at; /* the text before this one is counted */
	int line; /* of `at` */
	size_t first; /* in `list`, of this text */
	size_t placed; /* losses from this one on have no line yet */
};
void losses_begin(struct losses *, json_t *list, const char *field);
void losses_text(struct losses *, const char *text); /* whose pieces will come */
/* Records a loss, and returns its index. */
size_t losses_add(struct losses *, const char *what);
/* Records that one of a kind ("links", "pictures") is lost: the entry has their number as a member
 * of that name. If the list is full, its last entry counts it. */
void losses_count(struct losses *, const char *what, const char *kind);
/* The parser is at this piece of the text. One that is not of the text says nothing. */
void losses_at(struct losses *, const char *piece);

/* ---- markdown_source.c: the text as md4c gets it ---- */

/* Signs that md4c takes for text, and that source_clean removes or turns back. */
#define GUARD "\x01" /* what follows begins no block of HTML */
#define NOTE_BEGIN "^\x02" /* around the label of a footnote, instead of "[^" and "]" */
#define NOTE_END "\x03^"
#define NOTE_MORE "\x04" /* begins another paragraph of a footnote */
/* Returns the length of the label in "[^label]"; 0: it is none. */
size_t note_label(const char *);
/* Marks footnotes; with `any`, also references to labels that the text does not define. */
const char *source_mark(struct stet_call *, const char *text, bool any);
/* Returns a piece as it was in the text, and its length. */
const char *source_clean(struct stet_call *, const char *, size_t *len);

/* ---- markdown_span.c: texts and their JSON, keys ---- */

const char *member_text(const json_t *object, const char *name); /* NULL: it is no text */
bool members_only(const json_t *object, const char *const *names); /* has it no others? */
json_t *json_typed(const char *type); /* a new object */

/* The keys in use, and the state for new ones. */
struct keys {
	json_t *taken; /* an object */
	uint64_t seed;
};
uint64_t keys_seed(const char *key); /* for the parts of the block with this key */
bool key_take(struct keys *, const char *key); /* returns false if the key is in use */
/* Gives an object this key, or a new one if it is in use or NULL. */
void key_put(json_t *object, const char *key, struct keys *);
/* Returns false if the text cannot be represented. */
bool spans_read(
    struct stet_call *, const json_t *children, const json_t *defs, struct line *, bool *lossy);
/* Sets markDefs of an object, and the member `name` with the spans. They keep the keys of `was`. */
void spans_write(
    json_t *object, const char *name, const struct line *, const json_t *was, struct keys *);

/* ---- markdown_table.c ---- */

bool table_read(struct stet_call *, const json_t *, struct block *);
json_t *table_write(const struct table *, const json_t *was, json_t *out); /* returns out */

/* ---- markdown_block.c: blocks and their JSON ---- */

void block_read(struct stet_call *, const json_t *, struct block *);
/* The block as JSON, a new reference. The block and its parts keep the keys of `was`, which may
 * be NULL. */
json_t *block_write(struct stet_call *, const struct block *, const json_t *was, struct keys *);

/* ---- markdown_back.c ---- */

/* Prints one block without indentation, so that reading it gives the same block. If no Markdown
 * does, prints JSON, and sets its kind to B_OTHER. */
char *block_print(struct stet_call *, const json_t *, struct block *);

/* ---- markdown_out.c, markdown_in.c, markdown_inline.c ---- */

void object_print(struct text *, const json_t *); /* of a text */
char *block_number(struct stet_call *, const struct block *); /* "1. " */
char *block_print_json(struct stet_call *, const json_t *);
/* Prints a block with Markdown's signs, or with HTML elements for marks. */
char *block_print_as(struct stet_call *, const struct block *, bool tags);

enum {
	/* A text of another system: an address that pages must not have (stet_is_link,
	 * stet_is_source) is no link or picture but its text. */
	READ_FOREIGN = 1,
	READ_PART = 2 /* a part of a text, which may lack the footnotes that it refers to */
};
/* The blocks of a text. *why is NULL, or says what is wrong with the text. */
struct block *markdown_blocks(struct stet_call *, const char *text, int how, struct losses *,
    size_t *count, const char **why);
/* JSON in a comment of so many bytes that begins with this mark; NULL: it is damaged. */
const json_t *mark_read(struct stet_call *, const char *s, const char *mark, size_t len);

/* ---- markdown_inline.c: the text of a block, piece by piece ---- */

#define OPEN_MAX 64 /* tags that wait for their end */
struct token {
	struct run run;
	signed char begin[MARKS], end[MARKS]; /* marks of tags: behind it, before it */
};
struct inlines {
	struct stet_call *call;
	struct token *token;
	size_t count, room;
	size_t tag[MARKS][OPEN_MAX], tags[MARKS]; /* that are open */
	int depth[MARKS]; /* of signs */
	size_t link;
};
void inline_text(struct inlines *, const char *, size_t);
void inline_tag(struct inlines *, const char *, size_t); /* <b>, </b>, <br>, others; or a text */
void inline_put(struct inlines *, const json_t *); /* an object */
bool inline_object(struct inlines *, const char *, size_t); /* false: it is damaged */
void inline_runs(const struct inlines *, struct line *);
const char *entity_text(struct stet_call *, const char *, size_t);

#endif
