/* section.h - reusable blocks become sections. */
#ifndef IMPORT_SECTION_H
#define IMPORT_SECTION_H

#include "state/run.h"

/* What became of a block: an outcome, why, and the slug of the section. */
struct section_told {
	const char *outcome, *reason, *slug;
};
/* A reusable block becomes a section. */
STET_MUST enum stet_status section_import(
    struct run *, const struct wxr_item *, struct section_told *);

#endif
