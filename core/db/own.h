/*
 * own.h - which tables are a plugin's own: those whose names begin with its name and an underscore.
 * A plugin may create, change and drop no others, whether in a migration or in a handler. The
 * authorizer of the connection asks while SQLite prepares a statement, so that nothing is checked
 * when one runs.
 */
#ifndef CORE_DB_OWN_H
#define CORE_DB_OWN_H

#include <stdbool.h>

/* Does this name of a table or index begin with the plugin's name and "_"? A hyphen of the plugin's
 * name is an underscore in names of SQL, and letters are the same in either case. */
bool own_name(const char *plugin, const char *name);
/* May the plugin have SQLite do this? Takes the arguments of an authorizer. */
bool own_action(const char *plugin, int action, const char *name, const char *table);
/* Is this an ALTER TABLE … RENAME TO, written plainly, whose new name is the plugin's own? SQLite
 * does not tell an authorizer the new name. */
bool own_rename(const char *plugin, const char *sql);
/* Do all names that are one plugin's own belong to the other too? */
bool own_overlap(const char *plugin, const char *other);

#endif
