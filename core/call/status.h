/* status.h - statuses by number and name: those of the core and those that modules bring. */
#ifndef CORE_CALL_STATUS_H
#define CORE_CALL_STATUS_H

#include "call/loaded.h"

/* Returns true if the core has a status of this name. */
bool status_is_core(const char *name);
/* Assigns numbers to the rows of a module that is being loaded and publishes them to all threads.
 * The rows are never freed. Returns NULL, or the reason why it failed; then nothing is published.
 * Only on the thread that loads modules. */
const char *status_add(struct stet_status_def *rows, uint32_t count);
/* Returns the statuses of the core that clients can see. */
size_t status_core(const struct stet_status_def **);
/* Returns the module's row of this name, or NULL. */
const struct stet_status_def *status_of(const struct loaded *, const char *name);
/* Returns false for a number that is no status of the core or of a loaded module. */
bool status_is_known(enum stet_status);
/* Returns the status's name for the log; for an unknown number, the number in words. */
const char *status_said(struct stet_call *, enum stet_status);
/* Returns true if a client may see the error text that a plugin's hook gives with this status. */
bool status_is_verdict(enum stet_status);
/* Returns the status for a request whose head was refused with this HTTP status. */
enum stet_status status_of_head(int http);

/* How grave it is for the log that work of the daemon's own has failed so. What is busy or away for
 * a while is tried again. */
static inline enum stet_level
status_level(enum stet_status status)
{
	return status == STET_UNAVAILABLE ? STET_WARN : STET_ERROR;
}

#endif
