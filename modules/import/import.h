/* import.h - what the files of the import module share. */
#ifndef IMPORT_H
#define IMPORT_H

#include <stet/module.h>

/* ---- probe.c: what is behind the address of a site ---- */

extern const struct stet_member probe_in[], probe_out[];
stet_handler import_probe;

#endif
