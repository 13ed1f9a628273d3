/*
 * own.h - which tables are a plugin's own: those whose names begin with its name and an underscore.
 * A plugin may create, change and drop no others, in migrations and in handlers. The driver asks
 * while it prepares a statement, so running a statement costs nothing more.
 */
#ifndef CORE_DB_OWN_H
#define CORE_DB_OWN_H

#include <stdbool.h>

/* Returns true if the name of a table or index begins with the plugin's name and "_". A hyphen in
 * the plugin's name is an underscore in SQL; upper and lower case are the same. */
bool own_name(const char *plugin, const char *name);
/* Returns true if this is a plain ALTER TABLE ... RENAME TO whose new name is the plugin's own.
 * The text is read, since SQLite does not tell the new name. */
bool own_rename(const char *plugin, const char *sql);
/* Returns true if all names of one of the two plugins are also names of the other, as with "a" and
 * "a_b". */
bool own_overlap(const char *plugin, const char *other);

#endif
