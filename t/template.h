/*
 * template.h - data directories of new sites, copied: the second new site of a kind in a process is
 * kept as it was made, and later ones begin with a copy, since a site's tables take longer to make
 * than most tests. For one thread. With STET_RECORD set (t/portable) there are none: it wants each
 * site's statements. Nor are there any on PostgreSQL, whose tables are in no directory.
 */
#ifndef T_TEMPLATE_H
#define T_TEMPLATE_H

#include <stdbool.h>

/* Fills the empty directory with a copy of a template. Returns false if there is none of this
 * kind. */
bool template_copy(const char *kind, const char *dir);
/* Returns true if a template of this kind should be stored: on the second request for the kind and
 * later. */
bool template_wanted(const char *kind);
/* Keeps the directory of a closed site as the template of its kind, until the process ends. */
void template_keep(const char *kind, const char *dir);

/* Removes a directory with all that is in it. */
void template_remove(const char *dir);

#endif
