/* section.h - reusable blocks become sections. */
#ifndef IMPORT_SECTION_H
#define IMPORT_SECTION_H

#include "state/run.h"

/* The result for a block: its outcome, the reason or NULL, and the slug of the section. */
struct section_told {
	const char *outcome, *reason, *slug;
};
/* Imports a reusable block as a section, or updates the section of an earlier import. */
STET_MUST enum stet_status section_import(
    struct run *, const struct wxr_item *, struct section_told *);

#endif
