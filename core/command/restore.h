/* restore.h - a site put back from a backup: unpacked beside, looked through, then switched in. */
#ifndef CORE_RESTORE_H
#define CORE_RESTORE_H

#include "backup/archive.h"

/* The database in this directory: its own checks, and whether this program knows its migrations.
 * What must not be is added to problems, what is worth a word to notes. */
void restore_check(const char *directory, json_t *problems, json_t *notes);
/* A new, empty directory beside the site's, of the same owner: to be freed; NULL: *why. What killed
 * restores left there is removed; while *held is open, nobody takes this one for such. */
char *restore_beside(const char *data, int *held, char **why);
/* Let it take the place of the site's directory. What was there is kept under another name, in
 * *kept (to be freed; NULL: nothing was). false: *why, and all is as before. */
bool restore_switch(const char *beside, const char *data, char **kept, char **why);

#endif
