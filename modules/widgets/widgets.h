/* widgets.h - what the files of the widgets module share. */
#ifndef WIDGETS_H
#define WIDGETS_H

#include <stet/module.h>

#define AREAS_MAX 100 /* on one site */
#define WIDGETS_MAX 200 /* in one area */

/* ---- area.c ---- */

#define AREA_COLUMNS "a.id, a.name, a.label, a.description, a.created_at"
/* Selects AREA_COLUMNS of the area with this name; fails with NOT_FOUND. */
STET_MUST enum stet_status area_query(struct stet_call *, const char *name, struct stet_rows *);
/* Returns the id of the area of the argument `name`; fails with NOT_FOUND. */
STET_MUST enum stet_status area_find(struct stet_call *, const char **id);
/* Reports a change of the area, or of a widget in it, to the change feed. */
STET_MUST enum stet_status area_note(struct stet_call *, const char *change);

/* ---- areas.c: ops of areas ---- */

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
/* The order of struct widget. */
#define WIDGET_STORED "id, type, title, content, menu_name, component_id, component_props"

/* A stored widget; content and props are JSON. */
struct widget {
	const char *id, *type, *title, *content, *menu, *component, *props;
};
void widget_load(struct stet_rows *, struct widget *);
/* Replaces the values of *w that `in` has. Records problems as issues; `path` is the prefix of
 * their members. */
STET_MUST enum stet_status widget_take(
    struct stet_call *, const char *path, const json_t *in, struct widget *w);
/* Reports that a widget (NULL: several) was written or deleted, so that uses of media items are
 * updated. */
STET_MUST enum stet_status widget_changed(struct stet_call *, const char *id);
STET_MUST enum stet_status widget_insert(
    struct stet_call *, const char *area, const struct widget *, int64_t order);

/* The arguments of a widget besides its type. */
/* clang-format off */
#define WIDGET_MEMBERS \
	{ "title", STET_STRING, STET_NULLABLE, STET_RANGE(0, 200) }, \
	{ "content", STET_ARRAY, STET_NULLABLE, .item = STET_OBJECT, \
	    .about = "Of type content: Portable Text blocks" }, \
	{ "menuName", STET_STRING, STET_NULLABLE, .about = "Of type menu", STET_RANGE(0, 63) }, \
	{ "componentId", STET_STRING, STET_NULLABLE, .about = "Of type component", \
	    STET_RANGE(0, 200) }, \
	{ "componentProps", STET_OBJECT, STET_NULLABLE, .about = "Of type component" }
/* clang-format on */

extern const struct stet_member widget_shape[], widget_create_in[], widget_update_in[],
    widget_delete_in[], widget_reorder_in[], reordered_out[];
stet_handler widget_create, widget_update, widget_delete, widget_reorder;

/* ---- put.c ---- */

extern const struct stet_member area_put_in[];
stet_handler area_put;

#endif
