/*
 * suspension.h - plugins that have crashed the daemon.
 *
 * A plugin that was running when the daemon died, three times within ten minutes, is suspended: it
 * is left out at the next start, until an administrator enables it again. The notes lie in the data
 * directory beside the database, because they are read before plugins are loaded, and when the
 * database cannot be written.
 *
 * A plugin that crashed in a call of a site is suspended on that site. One that crashed outside of
 * any site (in its constructor or a thread of its own) is not loaded at all. That is noted in the
 * home directory, which is the data directory of the first site in the configuration.
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

/* Called by the daemon before it loads modules: records the death of the last process, suspends
 * modules that have crashed too often, and begins to mark running code (module/mark.h). Problems
 * are logged. */
void suspension_begin_daemon(const struct conf *);
/* Makes scans of modules skip those suspended for the whole daemon, by the notes in the home
 * directory. Called by the daemon and by `stet` before each scan. */
void suspension_hold_back(const struct conf *);
/* The home directory; NULL before suspension_hold_back was called. */
const char *suspension_home(void);

struct suspension {
	int64_t since; /* milliseconds since the epoch */
	bool told; /* recorded in the site's audit log */
	char reason[384]; /* a sentence with time and cause */
};

/* Suspends the module now, for a reason in words. */
void suspension_begin(
    const char *data, enum suspension_scope, const char *module, const char *reason);
/* Returns true if the module is suspended, and fills *out. */
bool suspension_read(
    const char *data, enum suspension_scope, const char *module, struct suspension *out);
/* Removes the suspension and the record of deaths before it. */
void suspension_lift(const char *data, enum suspension_scope, const char *module);
/* Records that the suspension is in the audit log. */
void suspension_told(const char *data, enum suspension_scope, const char *module);
/* Calls fn for each module that is suspended in that scope. The strings are valid during fn. */
void suspension_each(const char *data, enum suspension_scope,
    void (*fn)(const char *module, const struct suspension *, void *), void *arg);

/* Requests that a module be disabled. The request is durable when this returns true; otherwise
 * *why, to be freed. */
bool disable_request(const char *data, const char *module, char **why);
void disable_request_forget(const char *data, const char *module);
void disable_request_each(const char *data, void (*fn)(const char *module, void *), void *arg);

#endif
