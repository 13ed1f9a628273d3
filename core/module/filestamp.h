/* filestamp.h - which file each module was loaded from. Main thread only. */
#ifndef CORE_MODULE_FILESTAMP_H
#define CORE_MODULE_FILESTAMP_H

#include <stdbool.h>
#include <sys/stat.h>

/* Notes the file that the module with this index (struct loaded) is loaded from. */
void filestamp_keep(int index, const struct stat *);
/* Returns true if the file at `path` is not the one that the module was loaded from; once for each
 * change. A missing file does not count as changed. */
bool filestamp_changed(int index, const char *path);

/* Records that the file at `path` was opened. Its code stays in the process even if the module is
 * refused, and dlopen returns it for this path even if the file is replaced. */
void filestamp_opened(const char *path, const struct stat *);
/* Returns true if another file than this one was opened at `path`. */
bool filestamp_replaced(const char *path, const struct stat *);

#endif
