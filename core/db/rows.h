/* rows.h - queries and changes of calls. */
#ifndef CORE_DB_ROWS_H
#define CORE_DB_ROWS_H

#include "db/db.h"

/* Sets the time in milliseconds from which statements are logged as slow; 0: none. */
void rows_log_slow(int64_t ms);
/* Closes the statements that this call has left open. */
void rows_end_statements(struct stet_call *);
/* The same, and ends the read transaction that the call began. */
void rows_end_call(struct stet_call *);
/* Begins the read transaction of the call if it has none. */
enum stet_status rows_begin_read(struct stet_call *);

/* Returns the plugin whose code runs in the call, which may change only its own tables; NULL:
 * none. */
const char *rows_plugin(const struct stet_call *);

#endif
