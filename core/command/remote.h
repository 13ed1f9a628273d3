/* remote.h - `stet call` on a site that is reached by its URL. */
#ifndef CORE_COMMAND_REMOTE_H
#define CORE_COMMAND_REMOTE_H

#include "command/command.h"

/* Returns true if --site names a site by its URL. */
bool remote_is_url(const char *site);
/* Runs an op of the site o->site: argv is NAME key=value ..., NAME --input JSON, or --list. */
int remote_call(const struct options *o, int argc, char **argv);

#endif
