/* links.h - fields that refer to items and files of the source, and links of texts to items. */
#ifndef IMPORT_LINKS_H
#define IMPORT_LINKS_H

#include "item/members.h"
#include <stet/content.h>

/* In `later` of an entry, in place of a field's slug: the links of all texts. It sorts before all
 * slugs. */
#define LINKS_OF_TEXTS "!"

/* Notes in the entry the source ids that the value of a field names. Returns false if it names
 * none. Ids of WordPress are numbers; with `any`, other texts are ids of items, too. */
bool link_note(
    struct stet_call *, struct import_item *entry, const struct stet_field *, const char *text);
bool link_note_value(
    struct import_item *entry, const struct stet_field *, const json_t *value, bool any);
/* *out: the item with this id is not imported, by choice. Known once all items have been read. */
STET_MUST enum stet_status link_left(
    struct stet_call *, const struct run *, const char *id, bool *out);
/* Sets the noted fields whose targets exist here; the others are in `later` (wait.h). */
STET_MUST enum stet_status links_set(struct stet_call *, struct stet_tx *, const struct run *,
    struct import_item *entry, json_t *data);
/* Sets the links of texts to items that are here; the others wait like fields. To be called after
 * links_set. */
STET_MUST enum stet_status links_of_texts(
    struct stet_call *, const struct run *, struct import_item *entry, json_t *data);
/* The targets of a field. */
struct resolved {
	json_t *value; /* of all ids that are resolved; a new reference, or NULL */
	const char *missing; /* the first id that is not */
	int64_t ids, found, left; /* numbers; left: not imported, by choice */
};

/* Items that a dry run has rolled back are found. The value lacks them, unless there is a
 * transaction, in which something stands for them. */
STET_MUST enum stet_status links_resolve(struct stet_call *, struct stet_tx *, const struct run *,
    const json_t *link, struct resolved *);
/* Enters the references of a field into an account. set: the field has those that were found. */
void links_enter(json_t *account, const char *field, const struct resolved *, bool set);

#endif
