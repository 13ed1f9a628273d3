/* generation.h - enabled modules are compiled to a generation (call/site.h). */
#ifndef CORE_MODULE_GENERATION_H
#define CORE_MODULE_GENERATION_H

#include "call/site.h"

/* What a generation is made of: what the database and the configuration ask for. */
struct site_wants {
	/* By loaded.index. */
	bool enabled[MODULES_MAX];
	bool known[MODULES_MAX]; /* has a row in module_state */
	bool off[MODULES_MAX]; /* which says that it was disabled since it was enabled */
	bool lost; /* a module that is not loaded has a row, which says that it is on */
	json_t *setting[MODULES_MAX]; /* owned */
	/* By the notes in the data directory (suspension.h): why it is suspended, owned, or NULL;
	 * and whether it is asked to be disabled, which is not stored yet. Both leave it out. */
	char *suspended[MODULES_MAX];
	bool leaving[MODULES_MAX];
};
/* Compile for `site`, without touching it. The module that cannot be had beside the others is left
 * out, the later one of two in conflict; refusal[] says why. */
struct generation *generation_new(
    struct site *, const struct conf_site *, const struct site_wants *);

#endif
