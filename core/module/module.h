/* module.h - finds, opens, checks and copies modules. module.c is the only user of libltdl. */
#ifndef CORE_MODULE_H
#define CORE_MODULE_H

#include "call/loaded.h"
#include <stet/module.h>

/* Loads all modules in the directories (separated by colons) that are not loaded yet: bundled
 * modules first, then plugins, each after the modules that it needs. A file that cannot be loaded
 * is logged with the reason and left out; the next scan tries it again. A loaded module whose file
 * was replaced stays as it is, and is logged once for each change. Main thread only, at the start
 * and on SIGHUP. */
void modules_scan(const char *module_path, const char *plugin_path);
/* The next scans refuse this plugin, for this reason. NULL name: clears the list. Main thread
 * only. */
void modules_hold_back(const char *name, const char *reason);
size_t modules_count(void);
const struct loaded *modules_at(size_t);
const struct loaded *modules_find(const char *name);

/* Loads a driver (stet/driver.h): the module or, if there is none, the plugin of this name. Scans
 * leave out files of such names, and it is in no list: load it once. Returns NULL if it is not
 * there or cannot be loaded; *why then says why, to be freed; NULL: there is no such file. Main
 * thread only. */
const struct loaded *modules_load_driver(
    const char *module_path, const char *plugin_path, const char *file, char **why);
/* A file that the last scan refused. */
struct module_refusal {
	char *name; /* name of the file without its suffix */
	char *path;
	char *reason; /* in words */
	bool bundled;
	bool held; /* refused by modules_hold_back */
};
/* Calls fn for each refused file, under a lock. The strings are valid during fn. */
void modules_refused(void (*fn)(const struct module_refusal *, void *), void *arg);

#endif
