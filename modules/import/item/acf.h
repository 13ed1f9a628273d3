/* acf.h - custom fields of Advanced Custom Fields that hold others: groups, repeaters, flexible
 * content. An export has each part of them as a custom field of its own. */
#ifndef IMPORT_ACF_H
#define IMPORT_ACF_H

#include "read/wxr.h"
#include <jansson.h>
#include <stet/content.h>

enum acf_kind {
	ACF_PLAIN, /* no field of that plugin, or one that holds no others */
	ACF_ROWS, /* a list of objects; those of flexible content name their layout */
	ACF_GROUP, /* an object */
};

struct acf;
struct acf_part;

/* What the item has of them; NULL: nothing. Borrows the item; freed with acf_free. */
struct acf *acf_read(const struct wxr_item *);
void acf_free(struct acf *);

/* The custom field of this name as the plugin knows it, or NULL. */
const struct acf_part *acf_part(const struct acf *, const char *key);
const char *acf_key(const struct acf_part *);
enum acf_kind acf_kind(const struct acf_part *);
/* The part that holds this one; NULL: none does. */
const struct acf_part *acf_within(const struct acf_part *);
/* A list of objects, an object, or a text; borrowed. */
json_t *acf_value(const struct acf_part *);
/* Can a field here have the whole of it? */
bool acf_fits(const struct acf_part *, const struct stet_field *);

#endif
