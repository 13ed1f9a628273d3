/* widgets.h - what the files of the widgets module share. */
#ifndef WIDGETS_H
#define WIDGETS_H

#include <stet/module.h>

#define AREAS_MAX 100 /* on one site */
#define WIDGETS_MAX 200 /* in one area */

/* ---- area.c ---- */

/* The id of the area that the argument `name` names; fails with NOT_FOUND. */
STET_MUST enum stet_status area_find(struct stet_call *, const char **id);
/* Reports a change of the area, or of a widget in it, to the change feed. */
STET_MUST enum stet_status area_note(struct stet_call *, const char *change);

extern const struct stet_member area_list_out[], area_by_name[], area_get_out[], area_create_in[],
    area_shape[], deleted_out[];
stet_handler area_list, area_get, area_create, area_delete;

/* ---- widget.c ---- */

/* The order of widget_shape; members that belong to other types of widgets are NULL. */
#define WIDGET_COLUMNS                                           \
	"w.id, w.type, w.title,"                                 \
	" CASE w.type WHEN 'content' THEN w.content END,"        \
	" CASE w.type WHEN 'menu' THEN w.menu_name END,"         \
	" CASE w.type WHEN 'component' THEN w.component_id END," \
	" CASE w.type WHEN 'component' THEN w.component_props END"
#define WIDGET_COUNT 7

extern const struct stet_member widget_shape[], widget_create_in[], widget_update_in[],
    widget_delete_in[], widget_reorder_in[], reordered_out[];
stet_handler widget_create, widget_update, widget_delete, widget_reorder;

#endif
