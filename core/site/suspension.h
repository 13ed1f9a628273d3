/*
 * suspension.h - plugins that took the daemon down. A plugin that was running when the daemon died,
 * three times within ten minutes, is suspended: left out at the next start, until an administrator
 * enables it again. The notes lie in the data directory, beside the database, because they are read
 * before plugins are loaded, and when the database cannot be written.
 *
 * A plugin that died in a call of a site is suspended on that site. One that died where no site is
 * concerned (its constructor, a thread of its own) is not loaded at all; that is noted in the home
 * directory, which is the data directory of the configuration's first site.
 *
 * A request to disable a module lies there too: `stet module disable` leaves it when it cannot
 * write to the database. The module is left out from then on, and the daemon stores the decision as
 * soon as it can.
 */
#ifndef CORE_SITE_SUSPENSION_H
#define CORE_SITE_SUSPENSION_H

#include "conf/conf.h"
#include <stdbool.h>
#include <stdint.h>

#define SUSPENSION_DEATHS 3
#define SUSPENSION_WITHIN_MS 600000

enum suspension_scope { SUSPENSION_SITE, SUSPENSION_DAEMON };

/* By the daemon, before it loads modules: note the death of the last process, suspend what has died
 * too often, and begin to mark what runs (module/culprit.h). What is wrong with that is logged. */
void suspension_begin_daemon(const struct conf *);
/* Have the scans of modules leave out what is suspended for the whole daemon, by the notes in the
 * home directory. By the daemon and by `stet`, before each scan. */
void suspension_hold_back(const struct conf *);
/* The home directory; NULL: suspension_hold_back was not called. */
const char *suspension_home(void);

struct suspension {
	int64_t since; /* milliseconds since the epoch */
	bool told; /* it is in the audit log of the site */
	char reason[384]; /* a sentence that says since when, and why */
};

/* Suspend it now, for a reason in words. */
void suspension_begin(
    const char *data, enum suspension_scope, const char *module, const char *reason);
/* Is the module suspended? Fills *out if so. */
bool suspension_read(
    const char *data, enum suspension_scope, const char *module, struct suspension *out);
/* Forget the suspension and the deaths before it. */
void suspension_lift(const char *data, enum suspension_scope, const char *module);
/* Note that the audit log has it. */
void suspension_told(const char *data, enum suspension_scope, const char *module);
/* For each module that is suspended in that scope: fn copies what it keeps. */
void suspension_each(const char *data, enum suspension_scope,
    void (*fn)(const char *module, const struct suspension *, void *), void *arg);

/* Ask for a module to be disabled. Durable when it returns true; else *why, to be freed. */
bool disable_request(const char *data, const char *module, char **why);
void disable_request_forget(const char *data, const char *module);
void disable_request_each(const char *data, void (*fn)(const char *module, void *), void *arg);

#endif
