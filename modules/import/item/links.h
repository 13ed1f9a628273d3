/* links.h - fields that refer to items and files of the source, and links of texts to items. */
#ifndef IMPORT_LINKS_H
#define IMPORT_LINKS_H

#include "item/members.h"
#include <stet/content.h>

/* Notes in the entry the source ids that the value of a field names. Returns false if it names
 * none. Ids of WordPress are numbers; with `any`, other texts are ids of items, too. */
bool link_note(
    struct stet_call *, struct import_item *entry, const struct stet_field *, const char *text);
bool link_note_value(
    struct import_item *entry, const struct stet_field *, const json_t *value, bool any);
/* *out: the item with this id is not imported, by choice. Known once all items have been read. */
STET_MUST enum stet_status link_left(
    struct stet_call *, const struct run *, const char *id, bool *out);
/* links_set sets the noted fields whose targets exist here. links_wait stores the others in the
 * map, for the item that the entry has become. */
STET_MUST enum stet_status links_set(struct stet_call *, struct stet_tx *, const struct run *,
    struct import_item *entry, json_t *data);
STET_MUST enum stet_status links_wait(struct stet_call *, struct stet_tx *, const struct run *,
    const struct import_item *entry, const char *item);
/* Sets the links of texts to items that are here; the others wait like fields. To be called after
 * links_set. */
STET_MUST enum stet_status links_of_texts(
    struct stet_call *, const struct run *, struct import_item *entry, json_t *data);
/* Sets the fields that wait. To be called when all items have been written. */
STET_MUST enum stet_status links_finish(struct run *);

#endif
