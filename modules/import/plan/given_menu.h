/* given_menu.h - entries of menus that importers hand on. */
#ifndef IMPORT_GIVEN_MENU_H
#define IMPORT_GIVEN_MENU_H

#include "read/wxr.h"
#include <jansson.h>

/* Hands on an entry of a menu (stet/importer.h) as an export has it; `nothing`: an empty item. */
STET_MUST enum stet_status given_menu(struct stet_call *, const struct wxr_sink *,
    const json_t *object, const struct wxr_item *nothing);
/* Hands on the name of its menu, if that has a locale of its own. */
STET_MUST enum stet_status given_menu_name(
    struct stet_call *, const struct wxr_sink *, const json_t *object);

#endif
