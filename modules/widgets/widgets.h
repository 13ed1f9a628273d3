/* widgets.h - what the files of this module know of each other. */
#ifndef WIDGETS_H
#define WIDGETS_H

#include <stet/module.h>

#define AREAS_MAX 100 /* of a site */
#define WIDGETS_MAX 200 /* of an area */

/* ---- area.c ---- */

/* *id of the area that the argument `name` says; NOT_FOUND. */
STET_MUST enum stet_status area_find(struct stet_call *, const char **id);
/* Tell the feed of a change of that area, or of what stands in it. */
STET_MUST enum stet_status area_note(struct stet_call *, const char *change);

extern const struct stet_member area_list_out[], area_by_name[], area_get_out[], area_create_in[],
    area_shape[], deleted_out[];
stet_handler area_list, area_get, area_create, area_delete;

/* ---- widget.c ---- */

/* In the order of widget_shape; members of other types than the widget's are NULL. */
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
