/* atom.h - entries of feeds (Atom, RFC 4287), as JSON. */
#ifndef IMPORT_ATOM_H
#define IMPORT_ATOM_H

#include "sources/sources.h"

/*
 * Takes an entry: texts by the local names of its elements (title, content, published), {scheme:
 * [term]} as `category`, {rel: href} as `link`, {name, email} as `author`; attributes that stand in
 * place of text (ref of in-reply-to, href of enclosure) are the text. Of elements with one name,
 * the first counts.
 */
typedef enum stet_status atom_fn(void *arg, const json_t *entry);

/* Calls fn for each entry of the document, in a scope of its own. *feed: is it a feed? Fails with
 * VALIDATION_ERROR if a feed is not well-formed. */
STET_MUST enum stet_status atom_read(
    struct stet_call *, struct source *, bool *feed, atom_fn *fn, void *arg);

#endif
