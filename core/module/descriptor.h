/* descriptor.h - checks and copies the descriptors of modules. */
#ifndef CORE_MODULE_DESCRIPTOR_H
#define CORE_MODULE_DESCRIPTOR_H

#include "base/arena.h"
#include <stet/module.h>

/* Returns true if the name matches [a-z][a-z0-9_-]{0,62}. */
bool descriptor_name_ok(const char *name);
/* Returns why a descriptor cannot be used, in words, or NULL. The text belongs to the thread
 * until the next call. */
const char *descriptor_check(const struct stet_module *, const char *name);
/* Checks the additional rules for plugins, which are not bundled with stet. */
const char *descriptor_check_plugin(const struct stet_module *);
/* A flag of ops that has moved to their member `more`. */
#define MENDS_BEFORE 0x40000000U
/* Copies a checked descriptor; members that it lacks are zero. Its tables are copied in the same
 * way, lists of members get elements of `member` bytes, the functions of its services are followed
 * by zeros, and ops with the flag MENDS_BEFORE get STET_MORE_MENDS instead. All copies lie in the
 * arena; other data is shared. */
void descriptor_copy(
    const struct stet_module *, struct stet_module *copy, struct arena *, size_t member);

#endif
