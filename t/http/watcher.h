/* watcher.h - reads what a daemon's monitoring listener (metrics-listen) returns. */
#ifndef T_HTTP_WATCHER_H
#define T_HTTP_WATCHER_H

#include "daemon.h"

/* Lines of stet.conf for daemon_start, which open that listener. */
#define WATCHED "listen = { \"127.0.0.1:0\" }\nmetrics-listen = \"127.0.0.1:0\"\n"

/* Returns the listener of the last start, in a form that can be asked like a daemon. */
struct daemon watcher(struct daemon *);
void watcher_ask(struct daemon *, struct answer *, const char *path);
/* Returns the value of a sample, by its name with labels; -1: it does not exist. */
double watcher_sample(struct daemon *, const char *name);

#endif
