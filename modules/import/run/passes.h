/* passes.h - the two passes over an export. */
#ifndef IMPORT_PASSES_H
#define IMPORT_PASSES_H

#include "state/run.h"

STET_MUST enum stet_status run_passes(struct run *);

#endif
