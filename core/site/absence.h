/*
 * absence.h - the periods in which a module was disabled on a site, as the table module_state has
 * them.
 */
#ifndef CORE_SITE_ABSENCE_H
#define CORE_SITE_ABSENCE_H

#include "module/generation.h"

/* Records in module_state that a module is enabled or disabled from now on. With `decided`, that
 * overrides the configuration from now on. */
enum stet_status absence_store(
    struct stet_call *, struct stet_tx *, const char *module, bool enable, bool decided);
/* Records the same for each module whose state in this generation differs from module_state:
 * because of the configuration, or because its file is missing or refused. A failure is logged
 * only. Of several daemons of a site, one that lacks a module changes nothing (lack.h). */
void absence_note(struct site *, const struct generation *, const struct site_wants *);

#endif
