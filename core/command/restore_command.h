/* restore_command.h - the command `stet restore`, on a site that is not opened. */
#ifndef CORE_COMMAND_RESTORE_COMMAND_H
#define CORE_COMMAND_RESTORE_COMMAND_H

#include "backup/archive.h"
#include "command/command.h"

extern const struct stet_member restore_in[]; /* operand: file */
int restore_run(const struct conf_site *, const struct options *, int argc, char **argv);
/* Opens the file to read. Returns a descriptor, or -1 after an error message. */
int restore_input(const char *path);
/* Unpacks the backup into a directory, with the key from the arguments or a passphrase from the
 * terminal. Returns false with *why, which is NULL if the error was written already. */
bool restore_unpack(
    struct archive *, const json_t *args, const char *directory, int fd, char **why);

#endif
