/* init.h - runs the modules' commands for `stet init`, after the site was created. */
#ifndef CORE_INIT_H
#define CORE_INIT_H

#include "call/call.h"

/* Runs the commands marked at_init (struct stet_command), and adds each result to the object under
 * the command's name. argv holds options: members of their ops. Returns an exit status; a failure
 * is printed first. */
int init_modules(struct site *, int argc, char **argv, json_t *result);

#endif
