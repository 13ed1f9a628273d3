/* transferrow.h - validates a module's row of transfers. */
#ifndef CORE_MODULE_TRANSFERROW_H
#define CORE_MODULE_TRANSFERROW_H

#include <stet/module.h>

/* Returns which members are missing, or NULL. */
const char *transferrow_lacks(const struct stet_transfer *);

#endif
