/*
 * markdown.h - Portable Text as Markdown, and back: what the files of it know of each other. Both
 * sides are read into struct block; what that cannot hold is kept as JSON, in a comment.
 */
#ifndef CONTENT_MARKDOWN_H
#define CONTENT_MARKDOWN_H

#include <stet/call.h>

#define MARKDOWN_MAX 262144 /* bytes of a text that is read */
#define HREF_MAX 2048 /* bytes; longer ones stay JSON */
#define LEVEL_MAX 10 /* of a list */
#define BLOCK_MARK "<!--block "
#define INLINE_MARK "<!--inline "
#define EMPTY_MARK "<!--empty-->" /* a paragraph without text */
#define MARK_END "-->"

/* ---- markdown.c: what others call ---- */

/* Portable Text as Markdown. */
char *markdown_write(struct stet_call *, const json_t *blocks);
/*
 * Markdown as Portable Text, owned by the call; `stored` is what it replaces, or NULL. A block that
 * says what a stored one says is that one, byte for byte, wherever it stands now; one that is
 * edited keeps the _key. NULL: issues about `path` were recorded, such as that an edit would lose
 * what Markdown cannot say.
 */
json_t *markdown_read(struct stet_call *, const char *path, const char *text, const json_t *stored);

/* ---- text that grows ---- */

struct text {
	struct stet_call *call;
	char *s; /* NUL-terminated, once something was added */
	size_t len, size;
};
void text_add(struct text *, const char *, size_t);
void text_str(struct text *, const char *);

/* ---- a block ---- */

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
	const char *name; /* in Portable Text */
	const char *tag, *tag2; /* in HTML; tag2 may be NULL */
	const char *sign; /* in Markdown; NULL: the tag alone */
};
extern const struct mark mark_table[MARKS]; /* in the order of the bits, outermost first */

/* Text of one kind. */
struct run {
	const char *text;
	size_t len;
	size_t room; /* of a text that was joined; 0: it is somebody else's */
	unsigned marks;
	size_t link; /* 1 on: into the hrefs; 0: none */
	const json_t *object; /* in place of a text; or NULL */
};
struct line {
	struct run *run;
	size_t count, room;
	const char **href;
	size_t links, link_room;
};
void line_add(struct stet_call *, struct line *, const struct run *); /* joins what is alike */
size_t line_link(struct stet_call *, struct line *, const char *href);

enum block_kind { B_TEXT, B_CODE, B_IMAGE, B_RULE, B_OTHER };
struct block {
	enum block_kind kind;
	int heading; /* 1 to 6; 0: none */
	bool quote, bullet, number;
	int level; /* of a list item, from 1 */
	struct line line; /* B_TEXT */
	const char *code, *language; /* B_CODE; language may be NULL */
	const char *src, *alt; /* B_IMAGE; alt may be NULL */
	const json_t *json; /* B_OTHER */
	bool lossy; /* it has more than this says */
};

/* ---- markdown_block.c: blocks and their JSON ---- */

void block_read(struct stet_call *, const json_t *, struct block *);
/* Keys that are taken, and new ones. */
struct keys {
	json_t *taken; /* an object */
	uint64_t seed;
};
bool key_take(struct keys *, const char *key); /* false: it is taken */
/* Give an object this key, or a new one when it is taken or NULL. */
void key_put(json_t *object, const char *key, struct keys *);
/* A new reference. Keys of the block and of its parts stay those of `was`, which may be NULL. */
json_t *block_write(struct stet_call *, const struct block *, const json_t *was, struct keys *);

/* ---- markdown_out.c, markdown_in.c, markdown_inline.c ---- */

/* One block, without indentation: what reads back as the same block, JSON if nothing else does
 * (then its kind becomes B_OTHER). */
char *block_print(struct stet_call *, const json_t *, struct block *);
char *block_print_json(struct stet_call *, const json_t *);
/* The plainest way, or with tags for marks. */
char *block_print_as(struct stet_call *, const struct block *, bool tags);

/* The blocks of a text; *why: what is wrong with it, and NULL when nothing is. */
struct block *markdown_blocks(
    struct stet_call *, const char *text, size_t len, size_t *count, const char **why);
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
void inline_tag(struct inlines *, const char *, size_t); /* <b>, </b>, <br>; or a text */
bool inline_object(struct inlines *, const char *, size_t); /* false: it is damaged */
void inline_runs(const struct inlines *, struct line *);
const char *entity_text(struct stet_call *, const char *, size_t);

#endif
