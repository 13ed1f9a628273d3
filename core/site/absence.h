/* absence.h - the times that a module was off, as module_state has them. */
#ifndef CORE_SITE_ABSENCE_H
#define CORE_SITE_ABSENCE_H

#include "module/generation.h"

/* Write into module_state that a module is on or off from now on. `decided`: whatever the
 * configuration says from here on. */
enum stet_status absence_store(
    struct stet_call *, struct stet_tx *, const char *module, bool enable, bool decided);
/* Write the same of each module that this generation has, or has not, other than module_state says:
 * by the word of the configuration, or because a file is gone or refused. Good to know, and no
 * reason to fail. */
void absence_note(struct site *, const struct generation *, const struct site_wants *);

#endif
