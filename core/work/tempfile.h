/* tempfile.h - temporary files of calls: uploads while they arrive, answers of other servers. */
#ifndef CORE_WORK_TEMPFILE_H
#define CORE_WORK_TEMPFILE_H

#include "call/call.h"

/* Makes an empty file in the temporary directory of the call's site, to be closed by the caller. It
 * is removed when the call ends, unless it was moved. *path lives as long as the call. */
enum stet_status tempfile_make(struct stet_call *, const char **path, int *fd);
/* Appends bytes. A full disk is INSUFFICIENT_STORAGE. */
enum stet_status tempfile_write(struct stet_call *, int fd, const char *path, const void *, size_t);

#endif
