/* id.h - ULIDs. */
#ifndef CORE_CALL_ID_H
#define CORE_CALL_ID_H

#include <stet/call.h>

/* A new ULID: 26 characters and a NUL, increasing within the process. */
void id_make(char out[27]);

#endif
