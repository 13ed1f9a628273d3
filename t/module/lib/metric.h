/* metric.h - what GET /metrics shows of the modules of a site, for tests. */
#ifndef T_MODULE_METRIC_H
#define T_MODULE_METRIC_H

#include "harness.h"

/* Returns true if GET /metrics contains this text; prints the metrics if not. */
bool metric_shows(struct harness *, const char *text);

#endif
