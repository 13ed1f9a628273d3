/* credit.h - bylines of items. */
#ifndef IMPORT_CREDIT_H
#define IMPORT_CREDIT_H

#include "item/members.h"

/* Finds or makes the byline of an author of the source. *id NULL: the site has no bylines. */
STET_MUST enum stet_status credit_of(struct stet_call *, struct stet_tx *, const struct run *,
    const char *login, const char *locale, const char **id);
/* Puts the credits of an entry into its body, in their order, or its author alone. */
STET_MUST enum stet_status credit_entry(struct stet_call *, struct stet_tx *, const struct run *,
    struct import_item *entry, json_t *body);

#endif
