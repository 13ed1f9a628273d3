/* probe.h - finds out what runs at the address of a site. */
#ifndef IMPORT_PROBE_H
#define IMPORT_PROBE_H

#include <stet/module.h>

extern const struct stet_member probe_in[], probe_out[];
stet_handler import_probe;

#endif
