/* verify.h - the command `stet verify`: checks that a site's data is intact. */
#ifndef CORE_VERIFY_H
#define CORE_VERIFY_H

#include "command/command.h"

/* Runs the core's checks and the op `<module>_verify` of each module that has one; it answers
 * {"problems": ["..."]}. Returns an exit status. */
int verify_run(struct site *, const struct options *, int argc, char **argv);
/* verify_run for a backup: argv begins with its file. The site may be NULL. */
int verify_file(const struct conf_site *, const struct options *, int argc, char **argv);
extern const struct stet_member verify_in[]; /* operand: file */

#endif
