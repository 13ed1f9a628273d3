/* menu.h - menus. */
#ifndef IMPORT_MENU_H
#define IMPORT_MENU_H

#include "state/run.h"

STET_MUST enum stet_status menu_note(struct run *, const struct wxr_item *);
/* Notes the name and the locale that stet's own exports add to the term of a menu. */
STET_MUST enum stet_status menu_note_own(struct run *, const struct wxr_term *);
STET_MUST enum stet_status menu_make(struct run *);

#endif
