/*
 * admin.h - the listener of those who watch the daemon: /healthz, /readyz and /metrics, on an
 * address and a thread of its own, so that it answers when workers and sites are busy.
 */
#ifndef CORE_ADMIN_H
#define CORE_ADMIN_H

#include <stdbool.h>

/* Listen there; NULL: nowhere. Another address takes the place of the one before; where it cannot
 * be had, false, and that was logged. On the main thread. */
bool admin_listen(const char *address);
/* What /readyz says of the daemon itself. */
enum admin_state { ADMIN_STARTING, ADMIN_SERVING, ADMIN_DRAINING };
void admin_state(enum admin_state);
void admin_stop(void);

#endif
