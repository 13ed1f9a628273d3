/* transferrow.h - what a module's row of transfers must say. */
#ifndef CORE_MODULE_TRANSFERROW_H
#define CORE_MODULE_TRANSFERROW_H

#include <stet/module.h>

/* Which members are missing; NULL: none. */
const char *transferrow_lacks(const struct stet_transfer *);

#endif
