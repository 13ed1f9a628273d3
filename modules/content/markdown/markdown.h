/*
 * markdown.h - Portable Text as Markdown and back: what the files of this directory share. Both
 * sides are read to struct block; content that it cannot represent stays JSON, which Markdown
 * has in a comment.
 */
#ifndef CONTENT_MARKDOWN_H
#define CONTENT_MARKDOWN_H

#include <stet/call.h>

#define MARKDOWN_MAX 262144 /* the most bytes of Markdown that are read */
#define HREF_MAX 2048 /* bytes; a block with a longer link stays JSON */
#define LEVEL_MAX 10 /* deepest level of list items */
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
/* As markdown_read. Adds to `lost` what Portable Text of this site cannot express, for each loss
 * {field, line, what}: the text is kept without it. */
json_t *markdown_read_lost(
    struct stet_call *, const char *path, const char *text, const json_t *stored, json_t *lost);

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
	size_t room; /* size of its own buffer, if runs were joined; 0: the text is borrowed */
	unsigned marks;
	size_t link; /* index + 1 of the line's hrefs; 0: no link */
	const json_t *object; /* an inline object instead of text, or NULL */
};
struct line {
	struct run *run;
	size_t count, room;
	const char **href;
	size_t links, link_room;
};
void line_add(struct stet_call *, struct line *,
    const struct run *); /* Joins the run with the one before if their marks are the same. */
size_t line_link(struct stet_call *, struct line *, const char *href);

/* ---- a block ---- */

enum block_kind { B_TEXT, B_CODE, B_IMAGE, B_RULE, B_OTHER };
struct block {
	enum block_kind kind;
	int heading; /* 1 to 6; 0: none */
	bool quote, bullet, number;
	int level; /* level of a list item, counted from 1 */
	struct line line; /* for B_TEXT */
	const char *code, *language; /* for B_CODE; language may be NULL */
	const char *src, *alt; /* for B_IMAGE; alt may be NULL */
	const struct stet_media_item *file; /* the library's item with the URL src, or NULL */
	const json_t *json; /* for B_OTHER */
	bool lossy; /* the JSON has content that this structure does not represent */
};

/* ---- markdown_lost.c: what blocks cannot express ---- */

/* Losses in the order in which they are found. md4c reports positions only with pieces of text, so
 * a loss gets the line of the next piece. */
struct losses {
	json_t *list; /* losses, {field, line, what}; NULL: not wanted */
	const char *field;
	const char *text, *end; /* the Markdown */
	const char *at; /* lines up to this position have been counted */
	int line; /* the line of `at` */
	size_t first; /* index in `list` of this text's first loss */
	size_t placed; /* losses from this one on have no line yet */
};
void losses_begin(struct losses *, json_t *list, const char *field, const char *text);
/* Records a loss, and returns its index. */
size_t losses_add(struct losses *, const char *what);
/* Removes the loss with this index. */
void losses_drop(struct losses *, size_t);
/* Reports that the parser has reached this piece. A piece outside the text is ignored. */
void losses_at(struct losses *, const char *piece);
/* Returns true if the piece is a table's delimiter row. */
bool losses_is_table(const struct losses *, const char *piece);
/* Returns true if the piece is a task's checkbox at the beginning of a list item. */
bool losses_is_task(const struct losses *, const char *piece);

/* ---- markdown_block.c: blocks and their JSON ---- */

void block_read(struct stet_call *, const json_t *, struct block *);
/* The keys in use, and the state for new ones. */
struct keys {
	json_t *taken; /* keys in use, as an object */
	uint64_t seed;
};
bool key_take(struct keys *, const char *key); /* returns false if the key is in use */
/* Gives an object this key, or a new one if it is in use or NULL. */
void key_put(json_t *object, const char *key, struct keys *);
/* Returns the block as JSON, a new reference. The block and its parts keep the keys of `was`, which
 * may be NULL. */
json_t *block_write(struct stet_call *, const struct block *, const json_t *was, struct keys *);

/* ---- markdown_out.c, markdown_in.c, markdown_inline.c ---- */

/* Prints one block without indentation so that reading it gives the same block. If no Markdown
 * does, prints JSON and sets the block's kind to B_OTHER. */
char *block_print(struct stet_call *, const json_t *, struct block *);
char *block_print_json(struct stet_call *, const json_t *);
/* Prints a block with Markdown's signs, or with HTML elements for marks. */
char *block_print_as(struct stet_call *, const struct block *, bool tags);

/* Parses a text to blocks. Without `scripts`, a link that would run a script (javascript:) becomes
 * its text. *why is NULL, or says what is wrong with the text. */
struct block *markdown_blocks(struct stet_call *, const char *text, size_t len, bool scripts,
    struct losses *, size_t *count, const char **why);
/* Reads the JSON in a comment of `len` bytes that begins with this mark; NULL: it is damaged. */
const json_t *mark_read(struct stet_call *, const char *s, const char *mark, size_t len);

/* ---- markdown_inline.c: the text of a block, piece by piece ---- */

#define OPEN_MAX 64 /* open tags of one mark */
struct token {
	struct run run;
	/* Tags that begin behind the token, and that end before it. */
	signed char begin[MARKS], end[MARKS];
};
struct inlines {
	struct stet_call *call;
	struct token *token;
	size_t count, room;
	size_t tag[MARKS][OPEN_MAX], tags[MARKS]; /* positions of open tags, and their number */
	int depth[MARKS]; /* open delimiters, for each mark */
	size_t link;
};
void inline_text(struct inlines *, const char *, size_t);
/* Adds <b>, </b> or <br>, or else the text itself. */
void inline_tag(struct inlines *, const char *, size_t);
bool inline_object(struct inlines *, const char *, size_t); /* false: the object is damaged */
void inline_runs(const struct inlines *, struct line *);
const char *entity_text(struct stet_call *, const char *, size_t);

#endif
