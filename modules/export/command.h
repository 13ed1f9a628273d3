/* command.h - `stet export wxr`, `markdown` and `jsonl`. */
#ifndef EXPORT_COMMAND_H
#define EXPORT_COMMAND_H

#include <stet/call.h>

#define OUTGOING_OPTIONS "[--collection NAME] [--locale LOCALE] [--drafts]"

int command_export_wxr(struct stet_call *, int argc, char **argv);
int command_export_markdown(struct stet_call *, int argc, char **argv);
int command_export_jsonl(struct stet_call *, int argc, char **argv);
/* Calls fn to write a file, which gets its name when it is complete. */
STET_MUST enum stet_status command_file(struct stet_call *, const char *path,
    enum stet_status (*fn)(struct stet_call *, void *arg, int fd), void *arg);

#endif
