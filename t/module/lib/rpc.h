/* rpc.h - messages to the tool server, for its tests: on a site with a collection of posts. */
#ifndef T_MODULE_RPC_H
#define T_MODULE_RPC_H

#include "posts.h"

/* The headers of a client of the first era. */
#define RPC_HEADERS "Content-Type: application/json\r\nAccept: application/json, text/event-stream"

/* POST a body, printf-like, with ' for " in it. headers NULL: those above. */
struct outcome *rpc_post(struct harness *, const struct harness_user *, const char *headers,
    const char *body, ...) STET_FMT(4, 5);
/* tools/call of this tool; arguments printf-like, with ' for ". The `result` of the response, whose
 * structure is what the list says of a tool that is listed. */
json_t *rpc_call(struct harness *, const struct harness_user *, const char *tool,
    const char *arguments, ...) STET_FMT(4, 5);
/* The code of a failed tool result; "" when it is none. */
const char *rpc_code(json_t *result);
/* Does a result have the members of an outputSchema? Fails the running test. */
void rpc_conforms(const json_t *schema, const json_t *value);
/* The first text of a tool result. */
const char *rpc_text(json_t *result);

#endif
