/* rich.h - rich texts of Contentful, Strapi and Payload as HTML. */
#ifndef IMPORT_RICH_H
#define IMPORT_RICH_H

#include <stet/call.h>

/* What a rich text refers to. */
struct rich {
	/* Returns the address of the asset of this id (Strapi: address there), *alt: its
	 * description; NULL: unknown. */
	const char *(*asset)(void *arg, const char *id, const char **alt);
	/* Payload: the same by the whole node, which names the collection of its file. */
	const char *(*upload)(void *arg, const json_t *node, const char **alt);
	/* Returns the address of the document to which a link of a text leads, by what the link
	 * has of it; NULL: unknown. May be NULL. */
	const char *(*item)(void *arg, const json_t *target);
	/* Returns the HTML that shows what an embedded node stands for, owned by the call; NULL:
	 * unknown. whole: it may be a block, else it is a part of a text. May be NULL. */
	const char *(*embed)(void *arg, const json_t *node, bool whole);
	void *arg;
	int left; /* set by rich_html: entries and assets that have no place in a text */
};

/* Returns the HTML of a document, or of a list of nodes; owned by the call. Nodes below 60 levels
 * are left out. */
const char *rich_html(struct stet_call *, const json_t *document, struct rich *);

#endif
