/*
 * flow.h - converts HTML to Portable Text: the interface between the files of this folder. A flow
 * reads parsed pieces, one after the other, and appends blocks to an array.
 */
#ifndef HTML_FLOW_H
#define HTML_FLOW_H

#include "convert.h"
#include "html.h"

/* The most objects that a text may create; the rest of the text then stays HTML. No post has so
 * many, and an object takes a hundred times the memory of the shortest HTML that creates it. */
#define KEYS_MAX 100000

struct flow;

/* The state of one conversion. */
struct conv {
	const struct convert_rules *rules; /* or NULL */
	struct convert_report *report;
	uint32_t keys; /* number of keys given out */
	int depth; /* current nesting of columns and covers */
	struct trees *trees; /* cache of parsed pieces, or NULL */
	/* element_convert. A pointer, so that flow.c needs to know no element. */
	void (*element)(struct flow *, const GumboNode *);
};

/* An object with _type and a new _key. */
json_t *conv_new(struct conv *, const char *type);
/* Sets a member to a text; one that is NULL or "" is not set. */
void set_text(json_t *object, const char *name, const char *text);
const char *member_text(const json_t *object, const char *name); /* "": none */
bool is_type(const json_t *block, const char *type);
json_t *last_of(const json_t *array); /* NULL: it is empty */

/* ---- para.c: the text of one block ---- */

enum {
	MARK_STRONG = 1,
	MARK_EM = 2,
	MARK_UNDERLINE = 4,
	MARK_STRIKE = 8,
	MARK_CODE = 16,
	MARK_SUPER = 32,
	MARK_SUB = 64
};
unsigned mark_of(const char *element); /* 0: the element has no mark */

struct para {
	struct conv *c;
	json_t *children, *defs;
	json_t *links; /* keys of defs by address */
	struct text run; /* the span that is being written */
	unsigned marks;
	const char *link; /* the key of its link, in `links`; NULL: none */
	bool blank; /* the text ends with a blank, or nothing is written */
};
void para_begin(struct para *, struct conv *);
/* Adds a link, once for each address, and returns its key for para_text. */
const char *para_link(struct para *, const char *href, bool blank);
/* Adds text with marks. Blanks that follow each other become one, unless `exact`. */
void para_text(struct para *, const char *, size_t, unsigned marks, const char *link, bool exact);
void para_newline(struct para *);
/* Ends the span: text that follows goes into another one, even with equal marks. */
void para_split(struct para *);
/* Ends the text. Returns its spans, or NULL if there was nothing but blanks. *defs: the definitions
 * of its links, or NULL. Both are new references. */
json_t *para_end(struct para *, json_t **defs);

/* ---- flow.c ---- */

enum box { NO_BOX, BOX, BOX_CHECKED }; /* of an item of a list of tasks */
struct style {
	const char *name; /* normal, h1, blockquote */
	const char *item; /* bullet, number; NULL: no list */
	int level;
	int *start; /* the number of the next item of a numbered list; 0: it follows from others */
	enum box *box; /* of the item, until a block has it; NULL: in no item */
};

struct flow {
	struct conv *c;
	json_t *to; /* what the blocks are appended to */
	struct para para;
	struct style style;
	unsigned marks;
	const char *href; /* address of the link around; NULL: none */
	bool blank; /* the link around opens a new window */
	const char *link; /* key of the link around, in `para` */
	bool classic; /* empty lines separate paragraphs, other line ends are line breaks */
	bool exact; /* keeps blanks as they are */
	bool cell; /* in a table cell: blocks become lines of one text */
	bool pull; /* a blockquote becomes a pullquote */
	bool parted; /* a picture was in the list item, and its text goes on */
	bool gallery; /* a caption of the gallery goes to `caption` */
	const char *skip; /* this text is left out: the address of an embed */
	size_t own; /* only blocks of `to` from this index on may get a caption */
	struct text caption; /* of the gallery */
};
/* Starts a flow, which appends to `to`. */
void flow_begin(struct flow *, struct conv *, json_t *to);
void flow_html(struct flow *, const char *, size_t);
void flow_node(struct flow *, const GumboNode *);
void flow_children(struct flow *, const GumboNode *);
/* Ends the paragraph. */
void flow_break(struct flow *);
/* Ends the paragraph before a picture or player in it. What follows in a list item is no new
 * item. */
void flow_part(struct flow *);
/* Ends the span. */
void flow_split(struct flow *, const GumboNode *);
void flow_end(struct flow *);
/* Converts a whole HTML text and appends its blocks to `to`. `classic` also expands shortcodes. */
void flow_all(struct conv *, json_t *to, const char *, size_t, bool classic);

/* ---- element.c ---- */

/* Converts a text or an element. */
void element_convert(struct flow *, const GumboNode *);

/* ---- figure.c, player.c, table.c: pictures, players, tables, code ---- */

void flow_image(struct flow *, const GumboNode *);
void flow_figure(struct flow *, const GumboNode *);
void flow_table(struct flow *, const GumboNode *);
bool is_player(const GumboNode *); /* audio, video, iframe, object, embed */
void flow_media(struct flow *, const GumboNode *); /* such an element */
/* Returns the address of a player: its own, or that of a part of it; "": none. */
const char *player_address(const GumboNode *);
void flow_code(struct flow *, const GumboNode *, const char *language);
void flow_pullquote(struct flow *, const GumboNode *);
void flow_gallery(struct flow *, const GumboNode *); /* [gallery] */
void flow_address(struct flow *, const GumboNode *); /* [embed] */
/* Sets `links` of a block to the links below a node, where the text of the block cannot have
 * links. */
void add_links(struct conv *, json_t *block, const GumboNode *);
/* Appends an embed and returns it (borrowed). provider NULL: found by the host, if that is
 * known. */
json_t *put_embed(struct conv *, json_t *to, const char *url, const char *provider);
/* Sets the asset of an image. id: its number at the source; 0: not known. */
void set_asset(struct conv *, json_t *image, int64_t id, const char *url);

/* ---- check.c ---- */

struct blocks;
/* convert_check for a text with these blocks. Reads parsed pieces from `trees`, the cache of the
 * text, or NULL. */
json_t *check_value(const char *text, size_t len, const struct blocks *, const json_t *value,
    struct trees *, struct stet_html_counts *shown, struct stet_html_counts *missing);

/* ---- shortcode.c ---- */

/* Copies the text, with the shortcodes that become blocks replaced by elements. Returns false if it
 * has no such shortcode. */
bool shortcodes(const char *, size_t, struct text *out);

#endif
