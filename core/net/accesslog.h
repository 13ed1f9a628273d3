/* accesslog.h - counts responses and writes them to the access log. */
#ifndef CORE_NET_ACCESSLOG_H
#define CORE_NET_ACCESSLOG_H

#include "net/conn.h"

/* Counts a response in the metrics and adds its line to the access log. `bytes`: size of the
 * body. */
void accesslog_add(struct conn *, const struct stet_call *, int status, uint64_t bytes);
/* Writes the lines that are buffered. */
void accesslog_flush(struct connset *);

#endif
