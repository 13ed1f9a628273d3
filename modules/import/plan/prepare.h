/* prepare.h - the collections and fields that an import needs. */
#ifndef IMPORT_PREPARE_H
#define IMPORT_PREPARE_H

#include <stet/module.h>

extern const struct stet_member prepare_in[], prepare_out[];
stet_handler import_prepare;
/* Makes the collections and fields of an array of type_shape (prepare.c), for an import. Fails with
 * CONFLICT and the first refusal. importer NULL: the source is WordPress. */
STET_MUST enum stet_status prepare_all(
    struct stet_call *, const json_t *types, const char *importer);
/* The same in this transaction, at the first refusal of which nothing more is made: for a dry run,
 * which rolls it back. */
STET_MUST enum stet_status prepare_within(
    struct stet_call *, struct stet_tx *, const json_t *types, const char *importer);
/* Returns the pattern of addresses that a new collection gets, NULL: none. */
const char *prepare_pattern(const char *collection);

#endif
