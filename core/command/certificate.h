/* certificate.h - what a file of a certificate says, for who looks after it. */
#ifndef CORE_CERTIFICATE_H
#define CORE_CERTIFICATE_H

#include <stdbool.h>
#include <stdint.h>

struct certificate; /* the first of a file */

/* NULL: *why, to be freed. */
struct certificate *certificate_read(const char *path, char **why);
void certificate_free(struct certificate *);
/* Milliseconds since the epoch. */
int64_t certificate_until(const struct certificate *);
/* Is it for this name? */
bool certificate_for(const struct certificate *, const char *host);

#endif
