/* tempfile.h - temporary files of calls: uploads while they arrive, answers of other servers. */
#ifndef CORE_CALL_TEMPFILE_H
#define CORE_CALL_TEMPFILE_H

#include "call/call.h"
#include <stet/driver.h> /* stet_file_failed */

/* Makes an empty file in the temporary directory of the call's site. The caller closes it. It is
 * removed when the call ends, unless it was moved. *path lives as long as the call. */
enum stet_status tempfile_make(struct stet_call *, const char **path, int *fd);
/* Appends bytes. A full disk is INSUFFICIENT_STORAGE. */
enum stet_status tempfile_write(struct stet_call *, int fd, const char *path, const void *, size_t);
/* Appends a whole file, also from another file system; `path` is that of `to`, for errors. */
enum stet_status tempfile_copy(struct stet_call *, int from, int to, const char *path);

#endif
