/* driverrow.h - validates the rows of a driver. */
#ifndef CORE_MODULE_DRIVERROW_H
#define CORE_MODULE_DRIVERROW_H

#include <stet/module.h>

/* Returns what is wrong with row i of the table, or NULL. */
const char *driverrow_check_files(const struct stet_module *, uint32_t i);
const char *driverrow_check_transport(const struct stet_module *, uint32_t i);
const char *driverrow_check_database(const struct stet_module *, uint32_t i);
const char *driverrow_check_key(const struct stet_module *, uint32_t i);
/* Returns what a module of this name lacks that is loaded as a driver, or NULL. */
const char *driverrow_lacks(const struct stet_module *);

#endif
