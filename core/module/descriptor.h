/* descriptor.h - descriptors of modules: checked and copied. */
#ifndef CORE_MODULE_DESCRIPTOR_H
#define CORE_MODULE_DESCRIPTOR_H

#include "base/arena.h"
#include <stet/module.h>

/* [a-z][a-z0-9_-]{0,62} */
bool descriptor_name_ok(const char *name);
/* Why a descriptor cannot be used, in words, or NULL when it can. The text is the thread's until
 * the next call. */
const char *descriptor_check(const struct stet_module *, const char *name);
/* What else is asked of a stranger's module: its names get a prefix, its routes a place. */
const char *descriptor_check_plugin(const struct stet_module *);
/* A zero-extended copy of a checked descriptor. Its tables are zero-extended copies too, its lists
 * of members have `member` bytes each, and behind the functions of its services zeros follow. All
 * that lies in the arena; what else they point to is shared. */
void descriptor_copy(
    const struct stet_module *, struct stet_module *copy, struct arena *, size_t member);

#endif
