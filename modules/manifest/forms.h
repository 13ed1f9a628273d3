/* forms.h - field types and importers of modules, with what the admin pages need to show a form for
 * each. */
#ifndef MANIFEST_FORMS_H
#define MANIFEST_FORMS_H

#include <stet/module.h>

extern const struct stet_member manifest_types_out[], manifest_importers_out[];

/* What the values of a type, or of one field, are: "string", "number", "integer", "boolean", or
 * "json" for all else. A control for any value of that kind can edit it. */
const char *kind_of_type(const struct stet_field_type *);
const char *kind_of_field(const struct stet_field *);
/* The ops: {items: [...]} of all enabled modules, in load order. */
enum stet_status manifest_field_types(struct stet_call *);
enum stet_status manifest_importers(struct stet_call *);

#endif
