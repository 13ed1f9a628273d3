/* watcher.h - what a daemon's listener for those who watch says (metrics-listen). */
#ifndef T_HTTP_WATCHER_H
#define T_HTTP_WATCHER_H

#include "daemon.h"

/* Lines for daemon_start: it listens for them, too. */
#define WATCHED "listen = { \"127.0.0.1:0\" }\nmetrics-listen = \"127.0.0.1:0\"\n"

/* The listener of the last start, to be asked like a daemon. */
struct daemon watcher(struct daemon *);
void watcher_ask(struct daemon *, struct answer *, const char *path);
/* The value of a sample, by its name with labels; -1: there is none. */
double watcher_sample(struct daemon *, const char *name);

#endif
