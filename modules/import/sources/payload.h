/* payload.h - lists of references as Payload's plugin import-export writes them. */
#ifndef IMPORT_PAYLOAD_H
#define IMPORT_PAYLOAD_H

#include "sources/sources.h"

/* The plugin writes a list of references as null beside NAME_0_id, NAME_1_id, ..., with
 * NAME_0_relationTo if they may lead to several collections, and one of these as NAME_id and
 * NAME_relationTo; so also inside blocks and groups. Returns the value of NAME, or NULL: it is not
 * written so; owned by the call. */
const json_t *payload_list(struct stet_call *, const json_t *object, const char *name);
/* Is the member part of such a list? */
bool payload_is_folded(struct stet_call *, const json_t *object, const char *member);

#endif
