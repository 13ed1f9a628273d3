/* definition.h - definitions of collections, fields and taxonomies in exports of stet. */
#ifndef IMPORT_DEFINITION_H
#define IMPORT_DEFINITION_H

#include <stet/content.h>

/* Adds a definition, JSON of an export, to {kind: {name: definition}}: a collection by its type of
 * posts, a taxonomy by its name. Returns that name; NULL: it is no definition, or one too many. */
const char *definition_take(json_t *definitions, const char *kind, const char *text);
/* Returns a definition, or NULL. */
const json_t *definition_of(const json_t *definitions, const char *kind, const char *name);
/* Sets `fields` to those of the definition if there is no such collection. Adds those that an
 * existing one lacks if `wanted`. *replaced: those whose type this site does not have, with commas;
 * "": none. */
STET_MUST enum stet_status definition_fields(struct stet_call *, const char *collection,
    const json_t *definition, bool wanted, json_t *fields, const char **replaced);
/* Copies the members that a new collection takes, and, if `later`, those that it takes when it has
 * its fields. */
void definition_copy(json_t *to, const json_t *definition, bool later);

#endif
