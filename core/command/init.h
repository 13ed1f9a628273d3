/* init.h - what `stet init` runs of the modules, once the site is there. */
#ifndef CORE_INIT_H
#define CORE_INIT_H

#include "call/call.h"

/* Runs the commands that `stet init` shows too (at_init of struct stet_command), and adds their
 * results by the names of the commands to the object. argv are options, members of their ops.
 * Returns an exit status, of a failure after the error was written. */
int init_modules(struct site *, int argc, char **argv, json_t *result);

#endif
