/* loaded.h - a module that is loaded, as data. */
#ifndef CORE_CALL_LOADED_H
#define CORE_CALL_LOADED_H

#include "base/arena.h"
#include <stet/module.h>

#define MODULES_MAX 128
#define MODULE_NAME_MAX 63
struct loaded {
	struct stet_module m; /* zero-extended copy of the descriptor, and of its tables */
	uint32_t member_size; /* of a struct stet_member when it was built */
	int index; /* in load order; constant for the life of the process */
	bool bundled; /* from the module path, not the plugin path */
	char *path;
	struct arena
	    memory; /* what m's tables lie in, and lists of members that had to be copied */
};

#endif
