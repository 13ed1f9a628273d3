/* module.h - find, open, check and copy modules. module.c is the only user of libltdl. */
#ifndef CORE_MODULE_H
#define CORE_MODULE_H

#include "call/loaded.h"
#include <stet/module.h>

/* Load what is in the directories (colon separated) and not loaded yet: bundled ones first, then
 * plugins, each after what it needs. What cannot be loaded is logged with the reason in words and
 * left out; it is tried again the next time. Called at start and on SIGHUP, by the main thread. */
void modules_scan(const char *module_path, const char *plugin_path);
/* Plugins that the next scans must not load, with the reason that they are refused for. NULL name:
 * none any more. Main thread only. */
void modules_hold_back(const char *name, const char *reason);
size_t modules_count(void);
const struct loaded *modules_at(size_t);
const struct loaded *modules_find(const char *name);

/* What the last scan refused. */
struct module_refusal {
	char *name; /* of the file, without its suffix */
	char *path;
	char *reason; /* in words */
	bool bundled;
	bool held; /* by modules_hold_back */
};
/* For each of them, under a lock: fn copies what it keeps. */
void modules_refused(void (*fn)(const struct module_refusal *, void *), void *arg);

#endif
