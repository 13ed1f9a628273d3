/* confhost.h - names and addresses of hosts in stet.conf. */
#ifndef CORE_CONFHOST_H
#define CORE_CONFHOST_H

#include <stdbool.h>
#include <stddef.h>

/* A host name, "*", or an address as URLs write it: "[::1]". */
bool confhost_good(const char *text);
/* A host name or address, and perhaps a port, as in a URL. */
bool confhost_authority(const char *text, size_t len);

#endif
