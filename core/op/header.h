/* header.h - writes the lines of a reply's head. */
#ifndef CORE_HEADER_H
#define CORE_HEADER_H

#include "call/call.h"

void header_status(struct buf *, int status); /* the status line */
void header_put(struct buf *, const char *name, const char *value);
void header_number(struct buf *, const char *name, uint64_t);
/* Writes a list of methods from a bit set of enum http_method. HEAD is added to GET, and OPTIONS
 * always. */
void header_methods(struct buf *, const char *name, unsigned allowed);
bool header_has(const struct call_pair *, const char *name);

#endif
