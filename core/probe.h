/* probe.h - does a site answer under its own URL, and with which certificate? */
#ifndef CORE_PROBE_H
#define CORE_PROBE_H

#include "conf.h"

/* NULL: a stet answers there. Otherwise why not, in words, to be freed. */
char *probe_site(const struct conf_site *);

#endif
