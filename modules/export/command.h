/* command.h - `stet export wxr`. */
#ifndef EXPORT_COMMAND_H
#define EXPORT_COMMAND_H

#include <stet/call.h>

int command_export_wxr(struct stet_call *, int argc, char **argv);

#endif
