/* status.h - statuses by number and by name: the core's, and those that modules bring. */
#ifndef CORE_CALL_STATUS_H
#define CORE_CALL_STATUS_H

#include "call/loaded.h"

/* Does the core have one of this name? */
bool status_is_core(const char *name);
/* Give numbers to the rows of a module that is being loaded, and make them known to all threads.
 * The rows are never freed. NULL, or why that cannot be done; then nothing is known of them. By the
 * thread that loads modules. */
const char *status_add(struct stet_status_def *rows, uint32_t count);
/* The core's that clients can see. */
size_t status_core(const struct stet_status_def **);
/* The row of a module of this name, or NULL. */
const struct stet_status_def *status_of(const struct loaded *, const char *name);
/* May a client read what a plugin's hook says with it? */
bool status_is_verdict(enum stet_status);
/* What a request head that is refused with this HTTP status ends with. */
enum stet_status status_of_head(int http);

#endif
