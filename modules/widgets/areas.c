/* areas.c - the ops of widget areas: lists them with their widgets, creates and deletes them. */
#include "widgets.h"
#include <string.h>

/* clang-format off */
#define AREA \
	{ "id", STET_STRING, STET_REQUIRED }, \
	{ "name", STET_STRING, STET_REQUIRED }, \
	{ "label", STET_STRING, STET_REQUIRED }, \
	{ "description", STET_STRING, STET_REQUIRED | STET_NULLABLE }, \
	{ "createdAt", STET_TIME, STET_REQUIRED }
#define WIDGETS \
	{ "widgets", STET_ARRAY, STET_REQUIRED, .of = widget_shape, .about = "In their order" }
/* clang-format on */
#define AREA_COUNT 5

const struct stet_member area_shape[] = { AREA, { 0 } };
const struct stet_member area_get_out[] = { AREA, WIDGETS, { 0 } };
static const struct stet_member listed[] = {
	AREA,
	WIDGETS,
	{ "widgetCount", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};
const struct stet_member area_list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = listed, .about = "By name" },
	{ 0 },
};
const struct stet_member area_by_name[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "Name of the area" },
	{ 0 },
};
const struct stet_member area_create_in[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "No slash, no control characters",
	    .pattern = "^(?=.*\\S)[^/\\x00-\\x1f\\x7f]+(?![\\s\\S])", STET_RANGE(1, 63) },
	{ "label", STET_STRING, STET_REQUIRED, .about = "As it is shown", .pattern = "\\S",
	    STET_RANGE(1, 200) },
	{ "description", STET_STRING, STET_NULLABLE, STET_RANGE(0, 2000) },
	{ 0 },
};
const struct stet_member deleted_out[] = {
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

/* ---- read ---- */

/* Closes the area that is open in the list. */
static void
end_listed(struct stet_json *out, int64_t count)
{
	stet_close(out);
	stet_put_int(out, "widgetCount", count);
	stet_close(out);
}

enum stet_status
area_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *area = NULL;
	struct stet_rows rows;
	int64_t count = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT " AREA_COLUMNS ", " WIDGET_COLUMNS
	    " FROM widget_area AS a LEFT JOIN widget AS w ON w.area_id = a.id"
	    " ORDER BY a.name, w.sort_order, w.id",
	    STET_NO_ARGS));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(&rows)) {
		if (area == NULL || strcmp(area, stet_col_str(&rows, 0)) != 0) {
			if (area != NULL)
				end_listed(out, count);
			area = stet_col_dup(&rows, 0);
			count = 0;
			stet_object(out, NULL);
			stet_put_columns(out, &rows, 0, area_shape, AREA_COUNT);
			stet_array(out, "widgets");
		}
		if (stet_col_null(&rows, AREA_COUNT))
			continue;
		stet_object(out, NULL);
		stet_put_columns(out, &rows, AREA_COUNT, widget_shape, WIDGET_COUNT);
		stet_close(out);
		count++;
	}
	if (area != NULL)
		end_listed(out, count);
	stet_close(out);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
area_get(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	const char *id;

	STET_TRY(area_query(call, stet_arg(call, "name"), &rows));
	id = stet_col_dup(&rows, 0);
	stet_object(out, NULL);
	stet_put_columns(out, &rows, 0, area_shape, AREA_COUNT);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_query(call, &rows,
	    "SELECT " WIDGET_COLUMNS
	    " FROM widget AS w WHERE w.area_id = ?1 ORDER BY w.sort_order, w.id",
	    STET_ARGS(id)));
	STET_TRY(stet_put_rows(out, "widgets", &rows, widget_shape));
	stet_close(out);
	return STET_OK;
}

/* ---- writing ---- */

enum stet_status
area_create(struct stet_call *call)
{
	const char *name = stet_arg(call, "name");
	enum stet_status status;
	struct stet_rows rows;
	int64_t count;

	STET_TRY(stet_one(
	    call, &rows, STET_NOT_FOUND, "SELECT count(*) FROM widget_area", STET_NO_ARGS));
	count = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (count >= AREAS_MAX)
		return stet_fail(
		    call, STET_CONFLICT, NULL, "A site has at most %d widget areas", AREAS_MAX);
	status = stet_exec(call, stet_write_tx(call),
	    "INSERT INTO widget_area (id, name, label, description, created_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5)",
	    STET_ARGS(stet_id(call), name, stet_arg(call, "label"), stet_arg(call, "description"),
		stet_time_text(call, stet_now(call))));
	if (status == STET_CONFLICT)
		return stet_fail(
		    call, STET_CONFLICT, "name", "Widget area '%s' already exists", name);
	STET_TRY(status);
	STET_TRY(area_note(call, "create"));
	STET_TRY(area_query(call, name, &rows));
	stet_put_row(stet_reply(call), &rows, area_shape);
	return stet_rows_end(&rows);
}

enum stet_status
area_delete(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *id;

	STET_TRY(area_find(call, &id));
	STET_TRY(stet_exec(
	    call, stet_write_tx(call), "DELETE FROM widget_area WHERE id = ?1", STET_ARGS(id)));
	STET_TRY(widget_changed(call, NULL));
	STET_TRY(area_note(call, "delete"));
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}
