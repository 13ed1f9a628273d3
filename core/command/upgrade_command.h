/* upgrade_command.h - `stet upgrade --plan`: what the next start of stetd does to the tables. */
#ifndef CORE_COMMAND_UPGRADE_COMMAND_H
#define CORE_COMMAND_UPGRADE_COMMAND_H

#include "command/command.h"

int upgrade_run(const struct conf_site *, const struct options *, int argc, char **argv);

#endif
