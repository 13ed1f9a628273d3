/* key.h - the command `stet key`: rotates or creates the key of a site, or replaces a lost one. */
#ifndef CORE_KEY_H
#define CORE_KEY_H

#include "command/command.h"

extern const struct stet_member key_in[];
int key_run(const struct conf_site *, const struct options *, int argc, char **argv);

#endif
