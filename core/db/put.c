/* put.c - writes rows of a query as JSON, by their shape. */
#include "base/arena.h"
#include "call/call.h"
#include "call/shape.h"
#include "call/widen.h"

static void
put_column(struct stet_json *j, const struct stet_member *m, struct stet_rows *rows, int col)
{
	size_t len;
	const char *text;

	switch (m->type) {
	case STET_INTEGER:
		stet_put_int(j, m->name, stet_col_int(rows, col));
		return;
	case STET_NUMBER:
		stet_put_real(j, m->name, stet_col_real(rows, col));
		return;
	case STET_BOOLEAN:
		stet_put_bool(j, m->name, stet_col_int(rows, col) != 0);
		return;
	default:
		break;
	}
	text = stet_col_text(rows, col, &len);
	if (m->type != STET_STRING && m->type != STET_TIME)
		stet_put_raw(j, m->name, text, len); /* a stored JSON column */
	else
		stet_put_strn(j, m->name, text, len);
}

static void
put_columns(
    struct stet_json *j, struct stet_rows *rows, int first, const struct stet_member *m, int count)
{
	for (int i = 0; i < count; i++) {
		if (!stet_col_null(rows, first + i))
			put_column(j, &m[i], rows, first + i);
		else if ((m[i].flags & (STET_NULLABLE | STET_REQUIRED)) != 0)
			stet_put_null(j, m[i].name);
	}
}

void
stet_put_columns_sized(struct stet_json *j, struct stet_rows *rows, int first,
    const struct stet_member *shape, int count, size_t size)
{
	struct widening w = { .from = size, .to = sizeof(*shape) };

	put_columns(j, rows, first, widen(&w, shape), count);
	arena_free(&w.arena);
}

void
stet_put_row_sized(
    struct stet_json *j, struct stet_rows *rows, const struct stet_member *shape, size_t size)
{
	struct widening w = { .from = size, .to = sizeof(*shape) };

	shape = widen(&w, shape);
	stet_object(j, NULL);
	put_columns(j, rows, 0, shape, shape_count(shape));
	stet_close(j);
	arena_free(&w.arena);
}

enum stet_status
stet_put_rows_sized(struct stet_json *j, const char *key, struct stet_rows *rows,
    const struct stet_member *shape, size_t size)
{
	struct widening w = { .from = size, .to = sizeof(*shape) };

	shape = widen(&w, shape);
	stet_array(j, key);
	while (stet_row(rows))
		stet_put_row_sized(j, rows, shape, sizeof(*shape));
	stet_close(j);
	arena_free(&w.arena);
	return stet_rows_end(rows);
}
