/* execute.h - an export is imported. */
#ifndef IMPORT_EXECUTE_H
#define IMPORT_EXECUTE_H

#include "state/run.h"
#include <stet/module.h>

extern const struct stet_member execute_in[], execute_config[];
stet_handler import_execute;
/* The part "config" of a form; *out NULL: there is none. Fails if it is no JSON object. */
STET_MUST enum stet_status config_part(struct stet_call *, json_t **out);
/* These check two parts of a configuration: {type: {collection, enabled}}, and {login: user id or
 * null} or NULL. */
STET_MUST enum stet_status config_types(struct stet_call *, const json_t *);
STET_MUST enum stet_status config_authors(struct stet_call *, const json_t *);
/* Sets in the run what to import, and how, from a configuration that fits execute_config. */
STET_MUST enum stet_status config_take(struct stet_call *, const json_t *config, struct run *);
/* Runs the import that the members of the run up to `locale` describe. run->report then has the
 * results. */
STET_MUST enum stet_status run_all(struct stet_call *, struct run *);

#endif
