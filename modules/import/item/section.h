/* section.h - reusable blocks become sections. */
#ifndef IMPORT_SECTION_H
#define IMPORT_SECTION_H

#include "item/members.h"

/* Imports a reusable block as a section, or updates the section of an earlier import. */
STET_MUST enum stet_status section_import(
    struct run *, const struct wxr_item *, struct item_told *);

#endif
