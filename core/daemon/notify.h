/* notify.h - notifications to the service manager (systemd); without one they do nothing. */
#ifndef CORE_NOTIFY_H
#define CORE_NOTIFY_H

struct event_base;
struct worker;

/* Sends a state: "READY=1", "STOPPING=1". */
void notify(const char *state);
void notify_reloading(void);
/* Between these two calls, at the start and on a reload, the service manager is asked for more
 * time and told which migrations run. */
void notify_begin_work(void);
void notify_end_work(void);
/* If the service manager expects keep-alive messages (WatchdogSec=), sends them from this event
 * base as long as every worker's event loop responds. */
void notify_watch(struct event_base *, struct worker *const *, unsigned count);
void notify_end(void);

#endif
