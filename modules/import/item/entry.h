/* entry.h - an item of the source as it will be made. */
#ifndef IMPORT_ENTRY_H
#define IMPORT_ENTRY_H

#include "state/run.h"

/*
 * {number, id, type, link, title, oldSlugs, notices, collection, locale, group?, author?,
 * thumbnail?, parent?, terms, comments, markup, state, body: {slug, status, data, createdAt,
 * publishedAt?, updatedAt?}}; a new reference. `state`: 0, 1: the item is refused as it is, 2:
 * nothing of it can be stored; `why` says why then.
 */
STET_MUST enum stet_status entry_of(
    struct stet_call *, struct run *, const struct wxr_item *, json_t **out);
/* Locale and translation group; fails if the site does not have the locale. */
STET_MUST enum stet_status entry_variant(struct stet_call *, const struct run *,
    const struct wxr_item *, const char **locale, const char **group);
/* Its members up to `notices`; a new reference. */
json_t *entry_head(struct stet_call *, const struct run *, const struct wxr_item *);
/* A member that is a text, or NULL; sets one, in an entry or in a part of it. */
const char *entry_text(const json_t *entry, const char *member);
void entry_set(json_t *entry, const char *member, const char *text);
const char *entry_title(struct stet_call *, const struct wxr_item *);
/* The collection of a type of posts; NULL: it is not imported. */
const char *entry_collection(const struct run *, const char *type);
/* The value of a custom field; the last one counts. NULL: there is none. */
const char *meta_of(const struct wxr_item *, const char *key);

#endif
