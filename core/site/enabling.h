/* enabling.h - enables and disables modules of a site (stet_module_enable, stet_module_leave). */
#ifndef CORE_SITE_ENABLING_H
#define CORE_SITE_ENABLING_H

#include <stdbool.h>

struct stet_call;

/* Returns true if this call ends the suspension of that module. */
bool enabling_lifted(struct stet_call *, const char *module);

#endif
