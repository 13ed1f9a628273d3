/* formrow.h - validates what a row brings for a form in the admin pages: a label and members. */
#ifndef CORE_MODULE_FORMROW_H
#define CORE_MODULE_FORMROW_H

#include <stet/module.h>

/* Returns what is wrong with the label or a list, or NULL. Each may be NULL: there is none. */
const char *formrow_check(const struct stet_module *, const char *label,
    const struct stet_member *validation, const struct stet_member *options);

#endif
