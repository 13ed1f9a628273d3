/* filed.h - files in a daemon's directory, which the op of the probe sends. */
#ifndef T_HTTP_FILED_H
#define T_HTTP_FILED_H

#include "daemon.h"

#define API "/_cms/api"

/* Writes a file whose bytes depend on their position. */
void filed_make(const struct daemon *, const char *name, size_t size);
/* Sends a request for the file, with more of the query ("&type=…") and header lines. */
void filed_say(const struct daemon *, struct client *, const char *method, const char *name,
    const char *query, const char *headers);
/* The same on a new connection; reads the response. */
void filed_get(const struct daemon *, struct answer *, const char *name, const char *query,
    const char *headers);
/* Evicts the file from the page cache. Returns false if that failed or cannot be checked. */
bool filed_forget(const struct daemon *, const char *name);
/* How many descriptors of the file the daemon has open. */
int filed_descriptors(const struct daemon *, const char *name);
/* Fails unless the body is these bytes of such a file. */
void filed_bytes(const struct answer *, size_t from, size_t size);
/* Fails unless the header has this value; NULL: unless it is absent. */
void filed_header(const struct answer *, const char *name, const char *value);

#endif
