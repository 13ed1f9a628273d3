/* module.h - find, open, check and copy modules. module.c is the only user of libltdl. */
#ifndef CORE_MODULE_H
#define CORE_MODULE_H

#include <stet/module.h>

#define MODULES_MAX 128

struct loaded {
	struct stet_module m; /* zero-extended copy of the descriptor */
	int index; /* in load order; constant for the life of the process */
	bool bundled; /* from the module path, not the plugin path */
	char *path;
};

/* Load what is in the directories (colon separated) and not loaded yet: bundled ones first, then
 * plugins, each after what it needs. What cannot be loaded is logged with the reason in words and
 * left out. Called at start and on SIGHUP, by the main thread. */
void modules_scan(const char *module_path, const char *plugin_path);
size_t modules_count(void);
const struct loaded *modules_at(size_t);
const struct loaded *modules_find(const char *name);
/* Why a descriptor cannot be used, in words, or NULL when it can. */
const char *module_check(const struct stet_module *, const char *name);

#endif
