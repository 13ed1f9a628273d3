/* loaded.h - a module that is loaded, as data. */
#ifndef CORE_CALL_LOADED_H
#define CORE_CALL_LOADED_H

#include "base/arena.h"
#include <stet/module.h>

#define MODULES_MAX 128
#define MODULE_NAME_MAX 63
struct loaded {
	struct stet_module m; /* zero-extended copy of the descriptor, and of its tables */
	int index; /* in load order; constant for the life of the process */
	bool bundled; /* from the module path, not the plugin path */
	char *path;
	struct arena lists; /* what m's lists of members lie in, if they had to be copied */
};

#endif
