/* build.h - makes the structures of wxr.h from the elements of an export. */
#ifndef IMPORT_BUILD_H
#define IMPORT_BUILD_H

#include "read/wxr.h"

/* The namespaces of an export, whatever their prefixes and versions. */
enum space {
	SPACE_NONE,
	SPACE_WP,
	SPACE_EXCERPT,
	SPACE_CONTENT,
	SPACE_DC,
	SPACE_STET,
	SPACE_OTHER
};

enum where {
	OUTSIDE,
	CHANNEL,
	AUTHOR,
	CATEGORY,
	TAG,
	TERM,
	TERM_META,
	ITEM,
	ITEM_META,
	COMMENT,
	COMMENT_META,
};

enum kind {
	OPENS, /* a structure */
	WORDS, /* a text, without blanks around it */
	RAW, /* a text as it is */
	NUMBER,
	FLAG,
	LABEL,
	DEFINITION,
};

struct rule {
	enum where in;
	enum space space;
	const char *name;
	enum kind kind;
	enum where opens;
	size_t offset;
};

/* ---- rules.c: which element may be where, and what its text is ---- */

extern const struct rule rules[];
extern const size_t rule_count;
/* Returns NULL if the element is not known there. last: the rule found before, or NULL; the next
 * rules are tried first, since files have elements in the order of the rules. */
const struct rule *rule_find(enum where, enum space, const char *name, const struct rule *last);

/* ---- build.c ---- */

struct block;

struct build {
	struct stet_call *call;
	const struct wxr_sink *sink;
	struct wxr_totals *totals;
	const char *file; /* of the document, for notices */
	int64_t line; /* of the parser; set by the caller */
	int64_t notices;

	enum where where, term_in; /* term_in: which kind of term the meta is of */
	bool exported; /* an element in WordPress's namespace was found */
	size_t skip; /* depth inside an unknown element */
	const struct rule *last; /* of the latest element that is known, or NULL */
	const struct rule *leaf; /* the element whose text is collected, or NULL */
	size_t inner; /* depth inside `leaf` */
	char *text;
	size_t text_len, text_room;
	uint64_t span; /* bytes of text in this child of the channel, also of unknown elements */

	struct block *blocks; /* texts of the author, term or item */
	size_t bytes; /* of these texts and the arrays below */
	const char *failed; /* why the present author, term or item is left out, or NULL */
	const char *failed_part; /* why the present comment or meta is left out, or NULL */
	size_t lost; /* comments and meta of the item that are left out */

	bool site_told;
	struct wxr_site site;
	struct block *site_blocks;
	struct wxr_author author;
	struct wxr_term term;
	struct wxr_item item;
	struct wxr_label label;
	struct wxr_meta meta;
	struct wxr_comment comment;
	const char *left; /* type of the item that a notice leaves out; or NULL */
	int64_t begun; /* the line where the present author, term or item begins */
	struct wxr_meta *metas, *comment_metas;
	struct wxr_label *labels;
	struct wxr_comment *comments;
	size_t meta_count, comment_meta_count, label_count, comment_count;
	size_t meta_room, comment_meta_room, label_room, comment_room;
};

void build_begin(struct build *, struct stet_call *, const struct wxr_sink *, struct wxr_totals *);
void build_end(struct build *);
/* Begins a new document. The site stays that of the first document. */
void build_document(struct build *, const char *file);

/* `attribute` returns the value of an attribute of the element, owned by the call or static; "" if
 * it has none. */
STET_MUST enum stet_status build_open(struct build *, enum space, const char *name,
    const char *(*attribute)(struct build *, void *arg, const char *name), void *arg);
STET_MUST enum stet_status build_text(struct build *, const char *, size_t);
STET_MUST enum stet_status build_close(struct build *);
/* Hands the site to the sink, unless that was done before. */
STET_MUST enum stet_status build_site(struct build *);
STET_MUST enum stet_status build_notice(
    struct build *, int64_t line, bool skipped, const char *fmt, ...) STET_FMT(4, 5);
/* Copies a text for the site, or the present author, term or item. "" if there is no room. */
const char *build_keep(struct build *, const char *, size_t);

#endif
