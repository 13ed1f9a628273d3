/* certificate.h - reads names and expiry of a certificate file, for doctor and the log. */
#ifndef CORE_CERTIFICATE_H
#define CORE_CERTIFICATE_H

#include <stdbool.h>
#include <stdint.h>

struct certificate; /* the first certificate of a file */

/* Returns NULL with *why on error, to be freed. */
struct certificate *certificate_read(const char *path, char **why);
void certificate_free(struct certificate *);
/* Returns the expiry in milliseconds since the epoch. */
int64_t certificate_until(const struct certificate *);
/* Returns true if the certificate is valid for this name. */
bool certificate_for(const struct certificate *, const char *host);

#endif
