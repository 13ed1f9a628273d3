/* oprow.h - the row of an op: checked when its module is loaded, compiled for a generation. */
#ifndef CORE_MODULE_OPROW_H
#define CORE_MODULE_OPROW_H

#include "call/site.h"

/* What is checked when a module is loaded, and made for a generation. NULL, or what is wrong.
 */
const char *oprow_check(const struct stet_op *, const struct stet_module *);
void oprow_compile(struct op *);
/* Does a request to this op ignore a parameter of this name in its query? */
bool oprow_ignores(const struct op *, const char *name);
/* The member whose name is the first `len` bytes of `name`; NULL: there is none. */
const struct stet_member *oprow_member(
    const struct stet_member *list, const char *name, size_t len);
/* With all ops of a module, once their routes are known: which arguments name what is written. */
void oprow_names(struct arena *, struct op *, size_t count);

#endif
