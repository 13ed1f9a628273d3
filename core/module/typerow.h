/* typerow.h - checks a row of field types: what its values hold. */
#ifndef CORE_MODULE_TYPEROW_H
#define CORE_MODULE_TYPEROW_H

#include <stet/module.h>

/* Returns true if values of the type can be what its member `holds` says. */
bool typerow_fits(const struct stet_field_type *);

#endif
