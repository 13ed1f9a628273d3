/* hook.h - hook points by name, and single links of their chains. */
#ifndef CORE_MODULE_HOOK_H
#define CORE_MODULE_HOOK_H

#include "call/site.h"

/* The name of a hook point, and one link of a NOTIFY chain, for the outbox: a chain's links
 * are delivered one by one. */
const char *hook_point_name(enum stet_hook_point);
enum stet_status hook_tell(
    struct stet_call *, enum stet_hook_point, const struct link *, const json_t *payload);

#endif
