/* copy.h - the command `stet database copy`: copies a site's database into one of any engine. */
#ifndef CORE_COMMAND_COPY_H
#define CORE_COMMAND_COPY_H

#include "command/command.h"

extern const struct stet_member copy_in[];
int copy_run(const struct conf_site *, const struct options *, int argc, char **argv);

#endif
