/* id.h - ULIDs: identifiers that sort by the time of their creation. */
#ifndef CORE_CALL_ID_H
#define CORE_CALL_ID_H

#include <stet/call.h>

/* Makes a ULID: 26 characters and a NUL. Each is greater than all before it in this process. Any
 * thread. */
void id_make(char out[27]);
/* The same, above all ids that were made before this time, in milliseconds, on other machines. */
void id_make_after(char out[27], int64_t floor);

#endif
