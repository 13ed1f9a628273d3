/* put.c - all widgets of an area at once: kept, changed, made, deleted and put in order. */
#include "widgets.h"
#include <string.h>

static const struct stet_member listed[] = {
	{ "id", STET_STRING, .about = "Of a widget of the area, which stays; absent: a new one" },
	{ "type", STET_STRING, STET_CHOICES("content", "menu", "component"),
	    .about = "A new one needs it" },
	WIDGET_MEMBERS,
	{ 0 },
};
const struct stet_member area_put_in[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "Name of the area" },
	{ "widgets", STET_ARRAY, STET_REQUIRED, .of = listed, STET_RANGE(0, WIDGETS_MAX),
	    .about = "All of them, in order. Of a widget that stays, what is omitted stays too" },
	{ 0 },
};

struct put {
	struct stet_call *call;
	const char *area; /* its id */
	struct widget was[WIDGETS_MAX];
	bool stays[WIDGETS_MAX];
	size_t was_count;
	struct widget is[WIDGETS_MAX];
	bool is_new[WIDGETS_MAX];
};

static enum stet_status
read_stored(struct put *p)
{
	struct stet_rows rows;

	STET_TRY(stet_query(p->call, &rows,
	    "SELECT " WIDGET_STORED " FROM widget WHERE area_id = ?1 ORDER BY sort_order, id",
	    STET_ARGS(p->area)));
	while (p->was_count < WIDGETS_MAX && stet_row(&rows))
		widget_load(&rows, &p->was[p->was_count++]);
	return stet_rows_end(&rows);
}

/* Makes the stored widget with this id the i-th one. */
static void
keep(struct put *p, size_t i, const char *id)
{
	const char *path = stet_printf(p->call, "widgets[%zu].id", i);
	size_t k = 0;

	while (k < p->was_count && strcmp(p->was[k].id, id) != 0)
		k++;
	if (k == p->was_count)
		stet_issue(p->call, path, "is not a widget of this area");
	else if (p->stays[k])
		stet_issue(p->call, path, "is listed twice");
	else {
		p->stays[k] = true;
		p->is[i] = p->was[k];
	}
}

static enum stet_status
read_listed(struct put *p, size_t i, const json_t *in)
{
	const char *id = json_string_value(json_object_get(in, "id"));

	p->is_new[i] = id == NULL;
	if (id != NULL)
		keep(p, i, id);
	else if (json_object_get(in, "type") == NULL)
		stet_issue(p->call, stet_printf(p->call, "widgets[%zu].type", i),
		    "is required for a new widget");
	else
		p->is[i].id = stet_id(p->call);
	return widget_take(p->call, stet_printf(p->call, "widgets[%zu].", i), in, &p->is[i]);
}

static enum stet_status
write_listed(struct put *p, size_t i)
{
	const struct widget *w = &p->is[i];

	if (p->is_new[i])
		return widget_insert(p->call, p->area, w, (int64_t)i);
	STET_TRY(stet_exec(p->call, stet_write_tx(p->call),
	    "UPDATE widget SET type = ?2, title = ?3, content = ?4, menu_name = ?5,"
	    " component_id = ?6, component_props = ?7, sort_order = ?8 WHERE id = ?1",
	    STET_ARGS(w->id, w->type, w->title, w->content, w->menu, w->component, w->props,
		(int64_t)i)));
	return widget_changed(p->call, w->id);
}

static enum stet_status
delete_others(struct put *p)
{
	for (size_t k = 0; k < p->was_count; k++)
		if (!p->stays[k]) {
			STET_TRY(stet_exec(p->call, stet_write_tx(p->call),
			    "DELETE FROM widget WHERE id = ?1", STET_ARGS(p->was[k].id)));
			STET_TRY(widget_changed(p->call, p->was[k].id));
		}
	return STET_OK;
}

enum stet_status
area_put(struct stet_call *call)
{
	const json_t *widgets = stet_arg_json(call, "widgets");
	struct put *p = stet_alloc(call, sizeof(*p));
	size_t count = json_array_size(widgets);

	p->call = call;
	STET_TRY(area_find(call, &p->area));
	STET_TRY(read_stored(p));
	for (size_t i = 0; i < count; i++)
		STET_TRY(read_listed(p, i, json_array_get(widgets, i)));
	STET_TRY(stet_issues(call));
	STET_TRY(delete_others(p));
	for (size_t i = 0; i < count; i++)
		STET_TRY(write_listed(p, i));
	STET_TRY(area_note(call, "update"));
	return area_get(call);
}
