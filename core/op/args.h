/*
 * args.h - reads the arguments of an op from a request or from JSON. Values are checked against the
 * op's shape; problems become issues of the call.
 */
#ifndef CORE_OP_ARGS_H
#define CORE_OP_ARGS_H

#include "call/call.h"

/* Reads the arguments of call->op from path, query and a JSON body (len 0: no body). */
enum stet_status args_http(struct stet_call *, const char *body, size_t len);
/* Reads them from one JSON object. */
enum stet_status args_json(struct stet_call *, const json_t *args);
/* Reads the arguments of the GET in op_part.precondition, from path and query of the request. */
enum stet_status args_read(struct stet_call *);

#endif
