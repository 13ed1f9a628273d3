/* key.h - `stet key`: the key of a site, changed, made, or replaced when it is lost. */
#ifndef CORE_KEY_H
#define CORE_KEY_H

#include "command/command.h"

extern const struct stet_member key_in[];
int key_run(const struct conf_site *, const struct options *, int argc, char **argv);

#endif
