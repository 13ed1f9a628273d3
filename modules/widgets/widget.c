/* widget.c - widgets: creates, changes, deletes and reorders them. */
#include "widgets.h"
#include <string.h>

#define TYPES STET_CHOICES("content", "menu", "component")

const struct stet_member widget_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "type", STET_STRING, STET_REQUIRED, TYPES },
	{ "title", STET_STRING },
	{ "content", STET_ARRAY, STET_STORED_JSON, .item = STET_OBJECT,
	    .about = "Portable Text blocks" },
	{ "menuName", STET_STRING },
	{ "componentId", STET_STRING },
	{ "componentProps", STET_OBJECT, STET_STORED_JSON },
	{ 0 },
};

/* clang-format off */
#define AREA { "name", STET_STRING, STET_REQUIRED, .about = "Name of the area" }
#define ID { "id", STET_STRING, STET_REQUIRED, .about = "Id of the widget" }
/* clang-format on */

const struct stet_member widget_create_in[] = {
	AREA,
	{ "type", STET_STRING, STET_REQUIRED, TYPES },
	WIDGET_MEMBERS,
	{ 0 },
};
const struct stet_member widget_update_in[] = {
	AREA,
	ID,
	{ "type", STET_STRING, TYPES },
	WIDGET_MEMBERS,
	{ 0 },
};
const struct stet_member widget_delete_in[] = { AREA, ID, { 0 } };
const struct stet_member widget_reorder_in[] = {
	AREA,
	{ "widgetIds", STET_ARRAY, STET_REQUIRED, .item = STET_STRING,
	    .about = "From the first place on; widgets that are not listed follow",
	    STET_RANGE(0, WIDGETS_MAX) },
	{ 0 },
};
const struct stet_member reordered_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

/* ---- arguments ---- */

/* Sets *to to the member; "" counts as null. */
static void
take(const json_t *in, const char *name, const char **to)
{
	const json_t *value = json_object_get(in, name);
	const char *text = json_string_value(value);

	if (value != NULL)
		*to = text != NULL && *text != '\0' ? text : NULL;
}

static void
take_json(struct stet_call *call, const json_t *value, const char **to)
{
	struct stet_json *json = stet_json_new(call);

	*to = NULL;
	if (value == NULL || json_is_null(value))
		return;
	stet_put_json(json, NULL, value);
	*to = stet_strdup(call, stet_json_text(json, NULL));
}

enum stet_status
widget_take(struct stet_call *call, const char *path, const json_t *in, struct widget *w)
{
	const json_t *blocks = json_object_get(in, "content"),
		     *props = json_object_get(in, "componentProps");
	json_t *content = NULL;

	take(in, "type", &w->type);
	take(in, "title", &w->title);
	take(in, "menuName", &w->menu);
	take(in, "componentId", &w->component);
	if (props != NULL)
		take_json(call, props, &w->props);
	if (blocks == NULL)
		return STET_OK;
	if (!json_is_null(blocks))
		STET_TRY(stet_type_check(
		    call, "portableText", stet_printf(call, "%scontent", path), blocks, &content));
	take_json(call, content, &w->content);
	return STET_OK;
}

/* Replaces the values of *w that the request has. *any is true if it has at least one. */
static enum stet_status
take_all(struct stet_call *call, struct widget *w, bool *any)
{
	static const char *const names[] = { "type", "title", "content", "menuName", "componentId",
		"componentProps" };
	json_t *in = stet_json_own(call, json_object());

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = stet_arg(call, names[i]);
		const json_t *value = stet_arg_json(call, names[i]);

		if (!stet_has(call, names[i]))
			continue;
		if (value != NULL)
			json_object_set_new(in, names[i], json_deep_copy(value));
		else
			json_object_set_new(
			    in, names[i], text != NULL ? json_string(text) : json_null());
	}
	*any = json_object_size(in) > 0;
	STET_TRY(widget_take(call, "", in, w));
	return stet_issues(call);
}

/* ---- one widget ---- */

static enum stet_status
reply(struct stet_call *call, const char *id)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT " WIDGET_COLUMNS " FROM widget AS w WHERE w.id = ?1", STET_ARGS(id)));
	stet_put_row(stet_reply(call), &rows, widget_shape);
	return stet_rows_end(&rows);
}

enum stet_status
widget_changed(struct stet_call *call, const char *id)
{
	return stet_run_media_holder_changed(call, stet_write_tx(call), "widget", id);
}

enum stet_status
widget_insert(struct stet_call *call, const char *area, const struct widget *w, int64_t order)
{
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "INSERT INTO widget (id, area_id, sort_order, type, title, content, menu_name,"
	    " component_id, component_props) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
	    STET_ARGS(w->id, area, order, w->type, w->title, w->content, w->menu, w->component,
		w->props)));
	return widget_changed(call, w->id);
}

enum stet_status
widget_create(struct stet_call *call)
{
	struct widget w = { .id = stet_id(call) };
	int64_t count, order;
	struct stet_rows rows;
	const char *area;
	bool any;

	STET_TRY(area_find(call, &area));
	STET_TRY(take_all(call, &w, &any));
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT count(*), coalesce(max(sort_order), -1) + 1 FROM widget WHERE area_id = ?1",
	    STET_ARGS(area)));
	count = stet_col_int(&rows, 0);
	order = stet_col_int(&rows, 1);
	STET_TRY(stet_rows_end(&rows));
	if (count >= WIDGETS_MAX)
		return stet_fail(
		    call, STET_CONFLICT, NULL, "An area has at most %d widgets", WIDGETS_MAX);
	STET_TRY(widget_insert(call, area, &w, order));
	STET_TRY(area_note(call, "update"));
	return reply(call, w.id);
}

void
widget_load(struct stet_rows *rows, struct widget *w)
{
	*w = (struct widget){ stet_col_dup(rows, 0), stet_col_dup(rows, 1), stet_col_dup(rows, 2),
		stet_col_dup(rows, 3), stet_col_dup(rows, 4), stet_col_dup(rows, 5),
		stet_col_dup(rows, 6) };
}

static enum stet_status
find(struct stet_call *call, const char *area, struct widget *w)
{
	const char *id = stet_arg(call, "id");
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT " WIDGET_STORED
	    " FROM widget WHERE id = ?1 AND " STET_UNINDEXED("area_id") " = ?2",
	    STET_ARGS(id, area)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return stet_fail(call, STET_NOT_FOUND, "id", "Widget '%s' not found", id);
	}
	widget_load(&rows, w);
	return stet_rows_end(&rows);
}

enum stet_status
widget_update(struct stet_call *call)
{
	const char *area;
	struct widget w;
	bool any;

	STET_TRY(area_find(call, &area));
	STET_TRY(find(call, area, &w));
	STET_TRY(take_all(call, &w, &any));
	if (!any)
		return stet_fail(call, STET_VALIDATION_ERROR, NULL, "No fields to update");
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE widget SET type = ?2, title = ?3, content = ?4, menu_name = ?5,"
	    " component_id = ?6, component_props = ?7 WHERE id = ?1",
	    STET_ARGS(w.id, w.type, w.title, w.content, w.menu, w.component, w.props)));
	STET_TRY(widget_changed(call, w.id));
	STET_TRY(area_note(call, "update"));
	return reply(call, w.id);
}

enum stet_status
widget_delete(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *area;
	struct widget w;

	STET_TRY(area_find(call, &area));
	STET_TRY(find(call, area, &w));
	STET_TRY(stet_exec(
	    call, stet_write_tx(call), "DELETE FROM widget WHERE id = ?1", STET_ARGS(w.id)));
	STET_TRY(widget_changed(call, w.id));
	STET_TRY(area_note(call, "update"));
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}

/* ---- order ---- */

struct order {
	const char *id[WIDGETS_MAX];
	bool placed[WIDGETS_MAX];
	size_t count;
};

static enum stet_status
read_order(struct stet_call *call, const char *area, struct order *o)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id FROM widget WHERE area_id = ?1 ORDER BY sort_order, id", STET_ARGS(area)));
	while (o->count < WIDGETS_MAX && stet_row(&rows))
		o->id[o->count++] = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
place(struct stet_call *call, struct order *o, size_t i, int64_t at)
{
	o->placed[i] = true;
	return stet_exec(call, stet_write_tx(call),
	    "UPDATE widget SET sort_order = ?2 WHERE id = ?1", STET_ARGS(o->id[i], at));
}

/* Puts the i-th of the listed ids in its place. */
static enum stet_status
place_listed(struct stet_call *call, struct order *o, size_t i, const char *id)
{
	const char *path = stet_printf(call, "widgetIds[%zu]", i);
	size_t k = 0;

	while (k < o->count && strcmp(o->id[k], id) != 0)
		k++;
	if (k < o->count && !o->placed[k])
		return place(call, o, k, (int64_t)i);
	stet_issue(call, path, k < o->count ? "is listed twice" : "is not a widget of this area");
	return STET_OK;
}

enum stet_status
widget_reorder(struct stet_call *call)
{
	const json_t *ids = stet_arg_json(call, "widgetIds");
	struct order *o = stet_alloc(call, sizeof(*o));
	struct stet_json *out = stet_reply(call);
	int64_t at = (int64_t)json_array_size(ids);
	const char *area;

	STET_TRY(area_find(call, &area));
	STET_TRY(read_order(call, area, o));
	for (size_t i = 0; i < json_array_size(ids); i++)
		STET_TRY(place_listed(call, o, i, json_string_value(json_array_get(ids, i))));
	STET_TRY(stet_issues(call));
	for (size_t i = 0; i < o->count; i++)
		if (!o->placed[i])
			STET_TRY(place(call, o, i, at++));
	STET_TRY(area_note(call, "update"));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_close(out);
	return STET_OK;
}
