/* history.h - the service of the history module, for the audit log: the sessions of tokens. */
#ifndef STET_HISTORY_H
#define STET_HISTORY_H

#include <stet/call.h>

#define STET_HISTORY_1 "history/1"
struct stet_history_1 {
	/* Returns the session in which the caller's token writes: a new one if it has written
	 * nothing for half an hour. NULL: the caller has no token. Only in the write lane. */
	enum stet_status (*session)(struct stet_call *, const char **out);
	/* New functions go here, and nowhere else. */
};

#endif
