/* watcher.c - reads what a daemon's monitoring listener (metrics-listen) returns. */
#include "watcher.h"

#include <stdio.h>
#include <stdlib.h>

struct daemon
watcher(struct daemon *d)
{
	static const char where[] = "metrics are at http://127.0.0.1:";
	size_t at = daemon_said(d, 0, where);
	struct daemon w = { .port = 0 };

	(void)daemon_said(d, at, "\n");
	for (const char *last = d->said; (last = strstr(last, where)) != NULL;)
		w.port = (int)strtol(last += strlen(where), NULL, 10);
	return w;
}

void
watcher_ask(struct daemon *d, struct answer *a, const char *path)
{
	struct daemon w = watcher(d);

	ask(&w, a, "GET", path);
}

double
watcher_sample(struct daemon *d, const char *name)
{
	struct answer a;
	char line[160];
	const char *at;
	double value = -1;

	(void)snprintf(line, sizeof(line), "\n%s ", name);
	watcher_ask(d, &a, "/metrics");
	at = strstr(a.body, line);
	if (at != NULL)
		value = strtod(at + strlen(line), NULL);
	answer_free(&a);
	return value;
}
