/* metricrow.h - what a module's row of metrics must say. */
#ifndef CORE_MODULE_METRICROW_H
#define CORE_MODULE_METRICROW_H

#include <stet/module.h>

/* What is wrong with row i of the table; NULL: nothing. */
const char *metricrow_check(const struct stet_module *, uint32_t i);

#endif
