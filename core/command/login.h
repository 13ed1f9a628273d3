/* login.h - `stet login` and `stet logout`: signs the command line in to a site by its URL. */
#ifndef CORE_COMMAND_LOGIN_H
#define CORE_COMMAND_LOGIN_H

#include "command/command.h"

int login_run(const struct options *, int argc, char **argv);
int logout_run(const struct options *, int argc, char **argv);

/* Returns a token for the site (STET_TOKEN of the environment, otherwise that of `stet login`,
 * renewed if it has expired or is `refused`), to be freed; NULL after an error message. */
char *login_token(const char *url, const char *refused);

#endif
