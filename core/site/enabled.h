/*
 * enabled.h - what a site wants, by its database and configuration: which modules, with which
 * settings.
 */
#ifndef CORE_SITE_ENABLED_H
#define CORE_SITE_ENABLED_H

#include "module/generation.h"

/* Reads the wanted modules from the database, as this call sees it, completed from the
 * configuration. The caller releases `wants` also after a failure. */
enum stet_status enabled_read(struct stet_call *, struct site_wants *);
void enabled_default(const struct conf_site *, struct site_wants *);
void enabled_release(struct site_wants *);
/* Adds suspensions and requests from the notes in the data directory. */
void enabled_add_notes(struct site *, struct site_wants *);
/* Returns true if the module cannot be disabled. */
bool enabled_essential(const struct loaded *);
/* Returns true if the module has a state on this site. Takes no lock under which someone waits
 * for the writer, so a call in the write lane may ask. */
bool enabled_has_state(struct site *, const struct loaded *);
/* Make the module's state for this call's site, running its `open` in this call. */
enum stet_status enabled_open(struct stet_call *, const struct loaded *, void **state);

#endif
