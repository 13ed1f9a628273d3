/* loaded.h - a loaded module as data. A module is never unloaded, so pointers to it stay valid. */
#ifndef CORE_CALL_LOADED_H
#define CORE_CALL_LOADED_H

#include "base/arena.h"
#include <stet/module.h>

#define MODULES_MAX 128
#define MODULE_NAME_MAX 63
struct loaded {
	struct stet_module m; /* copy of the descriptor and its tables; members that an older header
				 lacks are zero */
	uint32_t member_size; /* sizeof(struct stet_member) in the header it was built with */
	int index; /* position in load order; never changes */
	bool bundled; /* from the module path, not the plugin path */
	char *path;
	struct arena memory; /* holds m's tables and copied lists of members */
};

#endif
