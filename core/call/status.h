/* status.h - statuses: code, HTTP status, text. */
#ifndef CORE_CALL_STATUS_H
#define CORE_CALL_STATUS_H

#include <stet/status.h>

/* The status of the answer to a head that http1_parse refused with this HTTP status. */
enum stet_status status_of_head(int http);

#endif
