/* markdown.h - one document of Markdown while it is read. */
#ifndef IMPORT_MARKDOWN_H
#define IMPORT_MARKDOWN_H

#include "sources/site.h"

struct document {
	struct stet_source *source;
	struct stet_call *call;
	const struct site *site;
	const char *name; /* its path */
	struct place place;
	const json_t *front; /* what stands before its text */
	json_t *item, *fields, *terms; /* what becomes of it (STET_SOURCE_ITEM) */
	json_t *taken; /* {member of the item: true}: those that the front matter has given */
	const char *slug, *link; /* of the front matter; or NULL */
	bool speaks; /* the front matter says its locale */
};

/* Names of members that are no values of fields. */
#define DOCUMENT_ALIASES " aliases redirect_from "
#define DOCUMENT_MENUS " menu menus "

/* markdown_member.c */
void document_set(json_t *object, const char *member, const char *text);
/* Returns a member of the front matter by one of these names, each between blanks; the case does
 * not matter. NULL: there is none. */
const json_t *document_front(const struct document *, const char *names);
/* Is a name one of these, each between blanks? */
bool document_is_one(const char *name, const char *names);

/* markdown_front.c: takes all members of the front matter. */
void document_take_front(struct document *);
/* Names, of a list of texts or of {name}, or one text; a new reference. */
json_t *document_names(const json_t *value);
/* markdown_blocks.c: hands on the files of pictures in blocks, if they are in the source. Their
 * paths become URLs, and links to documents become links to items. */
STET_MUST enum stet_status document_take_blocks(const struct document *, json_t *blocks);
/* markdown_html.c: reads a text of HTML, with the files of its pictures and its links. */
STET_MUST enum stet_status document_take_html(struct document *, const char *text);
/* Tells which shortcodes are kept ({name: number}), and as what. */
STET_MUST enum stet_status document_tell_kept(
    const struct document *, const json_t *kept, const char *what);
/* markdown_blocks.c: hands on a file that is copied if it is in the source. */
STET_MUST enum stet_status document_put_copy(
    const struct document *, const char *url, const char *alt);
/* Returns the address of the document to which a link leads; NULL: it stays. Tells of one that
 * leads to no document. */
STET_MUST enum stet_status document_link(
    const struct document *, const char *href, const char **to);
/* markdown_address.c: sets the slug, the address at the source, and earlier ones. */
void document_take_address(struct document *);
/* markdown_state.c: sets what depends on dates: whether it is public. Says so. */
STET_MUST enum stet_status document_take_state(struct document *);
/* markdown_place.c: sets locale, translation group and parent. */
void document_take_place(struct document *);

/* markdown_menu.c: hands on the entries of menus that the document has. */
STET_MUST enum stet_status document_put_menus(const struct document *);

#endif
