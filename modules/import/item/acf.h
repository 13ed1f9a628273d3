/* acf.h - custom fields of the plugin Advanced Custom Fields (ACF) that hold others: groups,
 * repeaters, flexible content. An export has each part of them as a custom field of its own. */
#ifndef IMPORT_ACF_H
#define IMPORT_ACF_H

#include "read/wxr.h"
#include <jansson.h>
#include <stet/content.h>

enum acf_kind {
	ACF_PLAIN, /* not a field of ACF, or one that holds no others */
	ACF_ROWS, /* a list of objects; those of flexible content name their layout */
	ACF_GROUP, /* an object */
};

struct acf;
struct acf_part;

/* Reads the ACF fields of an item; NULL: it has none. Borrows the item; freed with acf_free. */
struct acf *acf_read(const struct wxr_item *);
void acf_free(struct acf *);

/* Returns the custom field of this name if ACF defines it, or NULL. */
const struct acf_part *acf_part(const struct acf *, const char *key);
const char *acf_key(const struct acf_part *);
enum acf_kind acf_kind(const struct acf_part *);
/* Returns the field that holds this one, or NULL. */
const struct acf_part *acf_within(const struct acf_part *);
/* A list of objects, an object, or a text; borrowed. */
json_t *acf_value(const struct acf_part *);
/* Can this field store the part with all parts that it holds? */
bool acf_fits(const struct acf_part *, const struct stet_field *);

#endif
