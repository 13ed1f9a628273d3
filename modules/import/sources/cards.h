/* cards.h - the cards of Ghost's editors as HTML. */
#ifndef IMPORT_CARDS_H
#define IMPORT_CARDS_H

#include <stdio.h>
#include <stet/call.h>

/* A text while it is written. */
struct cards {
	struct stet_call *call;
	FILE *out;
	json_t *left; /* {type: true}: cards that are not known */
	json_t *lost; /* what cards do not become: [{line of their Markdown, what}] */
};

/* Is it a node, or a card, of this type? */
bool is_node(const json_t *node, const char *type);
/* Writes a card by its type. Returns false if that is not known. */
bool cards_put(struct cards *, const json_t *node);

#endif
