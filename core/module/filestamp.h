/* filestamp.h - which file each module was loaded from. Main thread only. */
#ifndef CORE_MODULE_FILESTAMP_H
#define CORE_MODULE_FILESTAMP_H

#include <stdbool.h>
#include <sys/stat.h>

/* Notes the file that the module with this index (struct loaded) is loaded from. */
void filestamp_keep(int index, const struct stat *);
/* Returns true if the file at `path` is another one than the module was loaded from: once for each
 * change. A file that is missing is no other file. */
bool filestamp_changed(int index, const char *path);

/* Notes that the file at `path` was opened: its code stays in the process also if it is refused,
 * and the path leads to it even when there is another file. */
void filestamp_opened(const char *path, const struct stat *);
/* Returns true if another file than this one was opened at `path`. */
bool filestamp_replaced(const char *path, const struct stat *);

#endif
