/* copied.h - the copy of a site's database that goes into an archive. */
#ifndef CORE_BACKUP_COPIED_H
#define CORE_BACKUP_COPIED_H

#include "backup/backup.h"

/* Returns false with *why, to be freed, if there is no database, or no room for its copy. */
bool copied_room(const struct backup *, char **why);
/* Writes the copy into the file, which is there and empty, and checks it: what is damaged is in
 * b->damage. Returns false with *why, to be freed. */
bool copied_write(struct backup *b, const char *path, int fd, char **why);

#endif
