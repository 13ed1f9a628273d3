/* columns.c - the columns of a row. */
#include "base/log.h"
#include "call/call.h"
#include "db/stmt.h"

static inline const struct stmt *
current(const struct stet_rows *rows)
{
	stet_assert(rows->stmt != NULL);
	return rows->stmt;
}

bool
stet_col_null(struct stet_rows *rows, int i)
{
	const struct stmt *s = current(rows);

	return s->driver->is_null(s, i);
}

int64_t
stet_col_int(struct stet_rows *rows, int i)
{
	const struct stmt *s = current(rows);

	return s->driver->integer(s, i);
}

double
stet_col_real(struct stet_rows *rows, int i)
{
	const struct stmt *s = current(rows);

	return s->driver->real(s, i);
}

const char *
stet_col_str(struct stet_rows *rows, int i)
{
	const struct stmt *s = current(rows);

	return s->driver->text(s, i, NULL);
}

const char *
stet_col_text(struct stet_rows *rows, int i, size_t *len)
{
	const struct stmt *s = current(rows);

	return s->driver->text(s, i, len);
}

const void *
stet_col_blob(struct stet_rows *rows, int i, size_t *len)
{
	const struct stmt *s = current(rows);

	return s->driver->blob(s, i, len);
}

char *
stet_col_dup(struct stet_rows *rows, int i)
{
	size_t len;
	const char *text = stet_col_text(rows, i, &len);

	return text != NULL ? stet_strndup(rows->call, text, len) : NULL;
}
