/* oprow.h - checks the row of an op when its module is loaded, and compiles it for a generation. */
#ifndef CORE_MODULE_OPROW_H
#define CORE_MODULE_OPROW_H

#include "call/site.h"

/* oprow_check returns what is wrong with the row, or NULL. */
const char *oprow_check(const struct stet_op *, const struct stet_module *);
void oprow_compile(struct op *);
/* Returns true if requests to this op ignore a query parameter of this name. */
bool oprow_ignores(const struct op *, const char *name);
/* Returns the member whose name is the first `len` bytes of `name`, or NULL. */
const struct stet_member *oprow_member(
    const struct stet_member *list, const char *name, size_t len);
/* Finds the arguments that name the written item. Call it with all ops of a module, after their
 * routes are known. */
void oprow_names(struct arena *, struct op *, size_t count);

#endif
