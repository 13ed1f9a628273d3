/* route.h - which op a request is for. */
#ifndef CORE_OP_ROUTE_H
#define CORE_OP_ROUTE_H

#include "call/call.h"

/* Finds the op of the request. Fails with NOT_FOUND or METHOD_NOT_ALLOWED. */
enum stet_status route_call(struct stet_call *);

#endif
