/* generation.h - compiles enabled modules into a generation (call/site.h). */
#ifndef CORE_MODULE_GENERATION_H
#define CORE_MODULE_GENERATION_H

#include "call/site.h"

/* The modules and settings that the database and the configuration ask for: the input of a
 * generation. */
struct site_wants {
	/* By loaded.index. */
	bool enabled[MODULES_MAX];
	bool known[MODULES_MAX]; /* has a row in module_state */
	bool off[MODULES_MAX]; /* its row says that it was disabled */
	int64_t common; /* see generation.common */
	bool lost; /* a module that is not loaded has a row that says "enabled" */
	json_t *setting[MODULES_MAX]; /* owned */
	/* From the notes in the data directory (suspension.h): why a module is suspended, owned,
	 * or NULL; and whether there is a request to disable it that is not stored yet. Both
	 * leave it out. */
	char *suspended[MODULES_MAX];
	bool leaving[MODULES_MAX];
};
/* Compiles for `site` without changing it. A module that conflicts with others is left out, the
 * later one of two; refusal[] says why. */
struct generation *generation_new(
    struct site *, const struct conf_site *, const struct site_wants *);
/* Returns the path at which an op that has a route is mounted, "/_cms/api/menus/:name"; owned by
 * the arena. */
char *generation_path(struct arena *, const struct loaded *, const struct stet_op *);

#endif
