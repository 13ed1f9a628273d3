/* registry.h - the loaded modules. They are only added: readers need no lock. */
#ifndef CORE_MODULE_REGISTRY_H
#define CORE_MODULE_REGISTRY_H

#include "call/loaded.h"

/* Adds a module, as number modules_count(). Main thread only. */
void registry_add(struct loaded *);

#endif
