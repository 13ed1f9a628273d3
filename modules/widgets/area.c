/* area.c - a widget area by its name. */
#include "widgets.h"
#include <stet/changes.h>

enum stet_status
area_query(struct stet_call *call, const char *name, struct stet_rows *rows)
{
	STET_TRY(stet_query(call, rows,
	    "SELECT " AREA_COLUMNS " FROM widget_area AS a WHERE a.name = ?1", STET_ARGS(name)));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return stet_fail(call, STET_NOT_FOUND, "name", "Widget area '%s' not found", name);
}

enum stet_status
area_find(struct stet_call *call, const char **id)
{
	struct stet_rows rows;

	STET_TRY(area_query(call, stet_arg(call, "name"), &rows));
	*id = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

enum stet_status
area_note(struct stet_call *call, const char *change)
{
	return stet_note(call, stet_write_tx(call), "widget-area", stet_arg(call, "name"), change);
}
