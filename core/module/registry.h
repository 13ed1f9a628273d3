/* registry.h - the loaded modules and drivers. They are only added: readers need no lock. */
#ifndef CORE_MODULE_REGISTRY_H
#define CORE_MODULE_REGISTRY_H

#include "call/loaded.h"
#include <stdbool.h>

#define DRIVER_PREFIX "files-" /* names of the files of drivers begin with it */

/* Adds a module, as number modules_count(). Main thread only. */
void registry_add(struct loaded *);
/* Adds a driver. Returns false if there are CONF_DRIVERS_MAX. Main thread only. */
bool registry_add_driver(struct loaded *);

#endif
