/* metricrow.h - validates a module's row of metrics. */
#ifndef CORE_MODULE_METRICROW_H
#define CORE_MODULE_METRICROW_H

#include <stet/module.h>

/* Returns what is wrong with row i of the table, or NULL. */
const char *metricrow_check(const struct stet_module *, uint32_t i);

#endif
