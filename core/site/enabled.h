/* enabled.h - what a site wants: modules and their settings, by its database and configuration. */
#ifndef CORE_SITE_ENABLED_H
#define CORE_SITE_ENABLED_H

#include "module/generation.h"

/* What the database says as this call sees it, filled up from the configuration. Release
 * it whatever comes back. */
enum stet_status enabled_read(struct stet_call *, struct site_wants *);
void enabled_default(const struct conf_site *, struct site_wants *);
void enabled_release(struct site_wants *);
/* Add what the data directory's notes say. */
void enabled_add_notes(struct site *, struct site_wants *);
/* Has the module a state on this site? Takes no lock that is held while somebody waits for the
 * writer, so that a call in the write lane may ask. */
bool enabled_has_state(struct site *, const struct loaded *);
/* Make the module's state for this call's site, running its `open` in this call. */
enum stet_status enabled_open(struct stet_call *, const struct loaded *, void **state);

#endif
