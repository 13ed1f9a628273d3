/*
 * backup_command.h - the command `stet backup`. It works on a site that is not opened, so nothing
 * is migrated.
 */
#ifndef CORE_BACKUP_COMMAND_H
#define CORE_BACKUP_COMMAND_H

#include "command/command.h"

extern const struct stet_member backup_in[]; /* operand: file */
int backup_run(const struct conf_site *, const struct options *, int argc, char **argv);

#endif
