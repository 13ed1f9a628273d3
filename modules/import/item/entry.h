/* entry.h - an item of the source, converted to what will be stored here. */
#ifndef IMPORT_ENTRY_H
#define IMPORT_ENTRY_H

#include "state/run.h"

/*
 * *out: {number, id, type, link, title, oldSlugs, notices, collection, locale, group?, author?,
 * thumbnail?, parent?, terms, comments, markup, state, body: {slug, status, data, createdAt,
 * publishedAt?, updatedAt?}}; a new reference. `state` is always 0. If the item is refused, write.c
 * adds `why`.
 */
STET_MUST enum stet_status entry_of(
    struct stet_call *, struct run *, const struct wxr_item *, json_t **out);
/* Locale and translation group; fails if the site does not have the locale. */
STET_MUST enum stet_status entry_variant(struct stet_call *, const struct run *,
    const struct wxr_item *, const char **locale, const char **group);
/* Makes an entry that has only the members up to `notices`; a new reference. */
json_t *entry_head(struct stet_call *, const struct run *, const struct wxr_item *);
/* entry_text returns a text member of an entry or of a part of it, or NULL. entry_set sets one. */
const char *entry_text(const json_t *entry, const char *member);
void entry_set(json_t *entry, const char *member, const char *text);
const char *entry_title(struct stet_call *, const struct wxr_item *);
/* The collection of a type of posts; NULL: it is not imported. */
const char *entry_collection(const struct run *, const char *type);

#endif
