/* restore_command.h - the command that puts a backup back, on a site that is not opened. */
#ifndef CORE_COMMAND_RESTORE_COMMAND_H
#define CORE_COMMAND_RESTORE_COMMAND_H

#include "backup/archive.h"
#include "command/command.h"

extern const struct stet_member restore_in[]; /* operand: file */
int restore_run(const struct conf_site *, const struct options *, int argc, char **argv);
/* The file to read, a descriptor; -1: it is said why not. */
int restore_input(const char *path);
/* Read the backup into a directory, with the key that the arguments name or a terminal is asked
 * for. false: *why, or NULL when it is said already. */
bool restore_unpack(
    struct archive *, const json_t *args, const char *directory, int fd, char **why);

#endif
