/* filed.h - files in a daemon's directory, asked for by the probe. */
#ifndef T_HTTP_FILED_H
#define T_HTTP_FILED_H

#include "daemon.h"

#define API "/_cms/api"

/* A file whose bytes tell where they stand. */
void filed_make(const struct daemon *, const char *name, size_t size);
/* Ask for it, with more of the query ("&type=…") and header lines. */
void filed_say(const struct daemon *, struct client *, const char *method, const char *name,
    const char *query, const char *headers);
/* The same on a connection of its own, and its answer. */
void filed_get(const struct daemon *, struct answer *, const char *name, const char *query,
    const char *headers);
/* Let the system forget its bytes; false: it keeps them, or does not tell (no disk, no such call).
 */
bool filed_forget(const struct daemon *, const char *name);
/* How often the daemon has it open. */
int filed_descriptors(const struct daemon *, const char *name);
/* The body is these bytes of such a file. */
void filed_bytes(const struct answer *, size_t from, size_t size);
/* The header says this; NULL: it is not there. */
void filed_header(const struct answer *, const char *name, const char *value);

#endif
