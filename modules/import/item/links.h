/* links.h - fields that refer to items and files of the source. */
#ifndef IMPORT_LINKS_H
#define IMPORT_LINKS_H

#include "state/run.h"
#include <stet/content.h>

/* Notes the ids that the value of a field names; false: it names none. Those of WordPress are
 * numbers; `any`: other texts are ids, too. */
bool link_note(struct stet_call *, json_t *entry, const struct stet_field *, const char *text);
bool link_note_value(json_t *entry, const struct stet_field *, const json_t *value, bool any);
/* Sets those that are there; the others are noted for the item that the entry has become. */
STET_MUST enum stet_status links_set(
    struct stet_call *, const struct run *, json_t *entry, json_t *data);
STET_MUST enum stet_status links_wait(struct stet_call *, struct stet_tx *, const struct run *,
    const json_t *entry, const char *item);
/* Sets those, since all items are there. */
STET_MUST enum stet_status links_finish(struct run *);

#endif
