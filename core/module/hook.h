/* hook.h - names of hook points, and calling a single hook of a chain. */
#ifndef CORE_MODULE_HOOK_H
#define CORE_MODULE_HOOK_H

#include "call/site.h"

/* hook_tell calls one hook of a NOTIFY chain; the outbox delivers to each hook separately. */
const char *hook_point_name(enum stet_hook_point);
enum stet_status hook_tell(
    struct stet_call *, enum stet_hook_point, const struct link *, const json_t *payload);

#endif
