/* rpc.h - tests of the tool server: messages to it, on a site with a collection of posts. */
#ifndef T_MODULE_RPC_H
#define T_MODULE_RPC_H

#include "posts.h"

/* The headers of a client of the first protocol version. */
#define RPC_HEADERS "Content-Type: application/json\r\nAccept: application/json, text/event-stream"

/* Posts a body, printf-like, with " for each '. headers NULL: RPC_HEADERS. */
struct outcome *rpc_post(struct harness *, const struct harness_user *, const char *headers,
    const char *body, ...) STET_FMT(4, 5);
/* Calls a tool by tools/call; arguments are printf-like, with " for each '. Returns the `result` of
 * the response. If the tool is listed, the result must match its output schema. */
json_t *rpc_call(struct harness *, const struct harness_user *, const char *tool,
    const char *arguments, ...) STET_FMT(4, 5);
/* Returns the error code of a failed tool result, or "" if it succeeded. */
const char *rpc_code(json_t *result);
/* Fails the running test unless the value has the members of an outputSchema. */
void rpc_conforms(const json_t *schema, const json_t *value);
/* Returns the first text of a tool result. */
const char *rpc_text(json_t *result);

#endif
