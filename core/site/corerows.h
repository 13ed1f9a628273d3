/* corerows.h - the migrations of the core's own tables, in their order. */
#ifndef SITE_COREROWS_H
#define SITE_COREROWS_H

#include <stet/module.h>

extern const struct stet_migration core_rows[];
extern const uint32_t core_row_count;

#endif
