/*
 * filedriver.h - storage of module files, by the driver that the site asks for (stet/driver.h).
 * store.c connects a file and its row; a driver only puts, opens, removes and lists files.
 * `directory` (filedir.c) keeps them in the site's data directory; other drivers are modules.
 * The functions here keep what drivers on other machines fetch in the file cache (filecache.h).
 */
#ifndef CORE_FILES_FILEDRIVER_H
#define CORE_FILES_FILEDRIVER_H

#include "call/call.h"
#include <stet/driver.h>

/* Returns the driver of this site. */
const struct stet_file_driver *filedriver_of(struct site *);
/* Returns the driver of this name that the configuration asks for, or NULL. */
const struct stet_file_driver *filedriver_named(const struct conf_site *, const char *);

/* The place of a file of a module on the call's site. Lives as long as the call. */
struct stet_file_place filedriver_place(struct stet_call *, const char *module, const char *key);

/* Stores the temporary file `from` as the driver's `put` does; its old name is then gone. */
enum stet_status filedriver_put(const struct stet_file_driver *, struct stet_call *,
    const struct stet_file_place *, const char *from);
/* Opens a file as the driver's `open` does. A remote file is opened in the cache; if it is not
 * there it is fetched, in the read lane of the daemon that fails with UNAVAILABLE. */
enum stet_status filedriver_open(
    const struct stet_file_driver *, struct stet_call *, const struct stet_file_place *, int *fd);
/* Returns true if filedriver_open would not wait. */
bool filedriver_is_here(const struct stet_file_driver *, const struct stet_file_place *);
/* Returns the digest as the driver's `sum` does. */
enum stet_status filedriver_sum(const struct stet_file_driver *, struct stet_call *,
    const struct stet_file_place *, char out[STET_SHA256_SIZE]);
/* Removes a file as the driver's `remove` does, and its copy in the cache. */
bool filedriver_remove(const struct stet_file_driver *, const struct stet_file_place *, bool named);

#endif
