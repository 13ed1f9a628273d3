/* suggest.h - turns names of a source into names here, and checks whether they fit the collections
 * of the site. */
#ifndef IMPORT_SUGGEST_H
#define IMPORT_SUGGEST_H

#include <stet/content.h>

/* Types of posts and custom fields that only their system needs. */
bool suggest_internal_type(const char *type);
bool suggest_internal_field(const char *key);
/* Is a custom field with a hidden name ("_price") one of those in which WordPress and its plugins
 * keep notes of their own? */
bool suggest_bookkeeping(const char *key, const char *value);
/* A slug for the name of a collection or taxonomy: label_name without the ASCII characters before
 * the first letter. Owned by the call. */
char *suggest_slug(struct stet_call *, const char *name);
/* Returns the name of the taxonomy for one of the source: the same if it is a valid name. */
const char *suggest_taxonomy(struct stet_call *, const char *source);
/* Returns the slug of the collection for a type of posts. */
const char *suggest_collection(struct stet_call *, const char *type);
/* Is it the slug of a field that is filled from a member of the item, such as its title? */
bool suggest_is_own(const char *slug);
/* Returns the field for a custom field that WordPress or a plugin for SEO keeps, or NULL. Several
 * plugins may have one for the same field. */
const char *suggest_known(const char *key);
/* suggest_field returns the slug of the field for a custom field, never a reserved one.
 * suggest_type returns its type, by its name and one of its values. */
const char *suggest_field(struct stet_call *, const char *key);
const char *suggest_type(const char *key, const char *value);
/* The media type of a file by its name; "" if it is not known. */
const char *suggest_media_type(const char *filename);

/* The fields that a collection needs for posts, [{slug, label, type, required, searchable}]; a new
 * reference. titled: some of them have a title. */
json_t *suggest_fields(bool titled, bool pictures);
/* Finds a collection; *out NULL: there is none. */
STET_MUST enum stet_status suggest_find(
    struct stet_call *, const char *slug, const struct stet_collection **out);
/* {exists, fieldStatus, canImport, reason?}: do these fields fit the collection? A new reference.
 */
STET_MUST enum stet_status suggest_status(
    struct stet_call *, const char *collection, const json_t *fields, json_t **out);

#endif
