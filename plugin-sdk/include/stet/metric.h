/*
 * metric.h - numbers of a module that administrators watch: GET /metrics of the listener
 * metrics-listen shows them, for each site, as stet_<module>_<name> (hyphens become underscores).
 */
#ifndef STET_METRIC_H
#define STET_METRIC_H

#include <stet/call.h>

/* A metric, for the table `metrics` of a module's descriptor. Names and number of metrics are
 * fixed, so that requests cannot create new ones. A metric is shown after the first call of a
 * function below, and starts at 0 each time the daemon starts. */
struct stet_metric {
	const char *name; /* "uploads_total": [a-z][a-z0-9_]*, at most 64, unique in the module; of
			     a counter it ends with _total */
	const char *help; /* one line: "Files that were uploaded." */
	bool gauge; /* its value goes up and down; a counter only goes up */
	/* New fields go here, and nowhere else. */
};
#define STET_METRICS_MAX 64 /* of a module */

/* Adds n to a metric of the running module, for the site of this call. For a counter, n must not be
 * negative. If a transaction is rolled back, its counts stay. Any lane; takes no lock. A name that
 * is not in the table ends the process. */
STET_API void stet_metric_add(struct stet_call *, const char *name, int64_t n);
/* Sets a gauge. */
STET_API void stet_metric_set(struct stet_call *, const char *name, int64_t value);

#endif
