/* terms.h - terms of a source, and of its items. */
#ifndef IMPORT_TERMS_H
#define IMPORT_TERMS_H

#include "state/run.h"

/* Notes a term, of the head of a file or of an item, that is wanted in a locale. For the first
 * pass. */
STET_MUST enum stet_status terms_note(struct run *, const struct wxr_term *, const char *locale);
/* Notes the number of a term of the head of a file, by which menus refer to it. */
STET_MUST enum stet_status terms_number(struct run *, const struct wxr_term *);
/* Finds the term here by the number that it has in the source, in the locale of the import. *id
 * NULL: there is none; "": a dry run has made it, and rolled it back. */
STET_MUST enum stet_status terms_numbered(struct stet_call *, const struct run *,
    const char *number, const char **taxonomy, const char **id);
/* Returns the name of a taxonomy of the source as an import uses it; NULL: it is not imported. */
const char *terms_taxonomy(const char *source);
/* Makes the noted terms, parents first. Fails with WXR_IMPORT_TAXONOMY_CONFLICT before any is
 * made. */
STET_MUST enum stet_status terms_make(struct run *);
/* Selects the terms that an item of this collection and locale gets, {taxonomy: [slug]}, from those
 * that it has in the source, {taxonomy: [slug]}. Sets in `counts` how many, by the taxonomy of the
 * source; one that has no definition here, or not for the collection, is left out. *out is owned by
 * the call. Adds to `refused` the names of taxonomies that leave the collection out. */
STET_MUST enum stet_status terms_of(struct stet_call *, const struct run *, const json_t *wanted,
    const char *collection, const char *locale, json_t **out, json_t *counts, json_t *refused);
/* May items of the collection have terms of this taxonomy? */
bool terms_takes(const json_t *definition, const char *collection);
/* Is the text in the list? */
bool terms_in(const json_t *list, const char *text);

#endif
