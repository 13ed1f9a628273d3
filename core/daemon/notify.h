/* notify.h - what the service manager is told: systemd, or nobody. */
#ifndef CORE_NOTIFY_H
#define CORE_NOTIFY_H

struct event_base;
struct worker;

/* "READY=1", "STOPPING=1" */
void notify(const char *state);
void notify_reloading(void);
/* Between the two, at the start and when the configuration is read again: while databases are
 * copied and tables changed, the service manager gives more time, and shows what is under way. */
void notify_begin_work(void);
void notify_end_work(void);
/* When the service manager wants signs of life (WatchdogSec=): give them from this base, for as
 * long as every worker turns. */
void notify_watch(struct event_base *, struct worker *const *, unsigned count);
void notify_end(void);

#endif
