/*
 * admin.h - the listener for monitoring: /healthz, /readyz and /metrics. It has an address and a
 * thread of its own, so that it answers while workers and sites are busy.
 */
#ifndef CORE_ADMIN_H
#define CORE_ADMIN_H

#include <stdbool.h>

/* Listens on this address, in place of an earlier one; NULL: stops listening. Returns false if it
 * cannot; the reason was logged. Main thread only. */
bool admin_listen(const char *address);
/* The state of the daemon that /readyz reports. */
enum admin_state { ADMIN_STARTING, ADMIN_SERVING, ADMIN_DRAINING };
void admin_state(enum admin_state);
void admin_stop(void);

#endif
