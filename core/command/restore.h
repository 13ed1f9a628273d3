/*
 * restore.h - restores a site from a backup: the backup is unpacked beside the site's directory and
 * checked; then the directories are switched.
 */
#ifndef CORE_RESTORE_H
#define CORE_RESTORE_H

#include "backup/archive.h"

/* Checks the database in this directory: SQLite's checks, and whether this program knows its
 * migrations. What forbids a restore is added to problems, other remarks to notes. */
void restore_check(const char *directory, json_t *problems, json_t *notes);
/* Creates an empty directory beside the site's, with the same owner. Returns its path, to be
 * freed, or NULL with *why. Removes what killed restores have left; while *held is open, no other
 * restore removes this one. */
char *restore_beside(const char *data, int *held, char **why);
/* Makes `beside` the site's directory. The old directory is renamed to *kept (to be freed; NULL:
 * there was none). Returns false with *why; then nothing has changed. */
bool restore_switch(const char *beside, const char *data, char **kept, char **why);
/* Undoes this. */
void restore_switch_back(const char *data, const char *kept);

#endif
