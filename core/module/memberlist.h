/* memberlist.h - the lists of members that rows of a descriptor refer to. */
#ifndef CORE_MODULE_MEMBERLIST_H
#define CORE_MODULE_MEMBERLIST_H

#include "call/widen.h"
#include <stet/module.h>

/* Converts the lists that the rows of one table of a copy refer to: members get this host's
 * size. `rows` is the copy of that table's rows. */
void memberlist_widen(struct stet_module *copy, void *rows, struct widening *);

#endif
