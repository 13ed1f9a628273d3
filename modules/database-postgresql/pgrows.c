/*
 * pgrows.c - keeps the rows of a statement in memory, and those that are too many in a file. There,
 * a row is the length of each column, -1 for no value, each followed by its bytes.
 */
#include "pgrows.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/words.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 16) /* written or read at once */

/* ---- the file ---- */

static bool
broke(struct pg_rows *r, const char *what)
{
	if (!r->failed)
		log_line(STET_ERROR, "a temporary file for rows cannot be %s: %s", what,
		    strerror(errno));
	r->failed = true;
	return false;
}

/* Makes a file that has no name. */
static bool
make(struct pg_rows *r, const char *directory)
{
	char *path = words_format("%s/rows-XXXXXX", directory);

	r->fd = mkostemp(path, O_CLOEXEC);
	if (r->fd >= 0)
		(void)unlink(path);
	free(path);
	return r->fd >= 0 || broke(r, "made");
}

static bool
flush(struct pg_rows *r)
{
	size_t done = 0;

	while (!r->failed && done < r->out.len) {
		ssize_t n = write(r->fd, r->out.data + done, r->out.len - done);

		if (n < 0 && errno != EINTR)
			return broke(r, "written");
		done += n > 0 ? (size_t)n : 0;
	}
	r->out.len = 0;
	return !r->failed;
}

static void
spill_row(struct pg_rows *r, const PGresult *from, int row)
{
	for (int i = 0; i < r->columns; i++) {
		int len = PQgetisnull(from, row, i) != 0 ? -1 : PQgetlength(from, row, i);

		buf_add(&r->out, &len, sizeof(len));
		/* Texts end with a NUL, as they do in memory. */
		if (len >= 0)
			buf_add(&r->out, PQgetvalue(from, row, i), (size_t)len + 1);
	}
	r->spilled++;
}

static void
spill(struct pg_rows *r, const PGresult *from, const char *directory)
{
	if (r->failed || (r->spilled == 0 && !make(r, directory)))
		return;
	for (int i = 0; i < PQntuples(from); i++)
		spill_row(r, from, i);
	if (r->out.len >= PIECE)
		(void)flush(r);
}

/* Sees that this many bytes of the file can be taken. */
static bool
fill(struct pg_rows *r, size_t bytes)
{
	while (!r->failed && r->in.len - r->in_at < bytes) {
		size_t want = bytes > PIECE ? bytes : PIECE;
		ssize_t n;

		buf_reserve(&r->in, want);
		n = read(r->fd, r->in.data + r->in.len, want);
		if (n == 0)
			errno = EIO; /* it ends too early */
		if (n == 0 || (n < 0 && errno != EINTR))
			return broke(r, "read");
		r->in.len += n > 0 ? (size_t)n : 0;
	}
	return !r->failed;
}

/* Reads the next row of the file: first all of its columns, since reading may move those before. */
static bool
take_spilled(struct pg_rows *r)
{
	size_t begin, at;

	if (r->taken == 0 && (!flush(r) || lseek(r->fd, 0, SEEK_SET) != 0))
		return broke(r, "read");
	if (r->in_at >= PIECE) {
		r->in.len -= r->in_at;
		memmove(r->in.data, r->in.data + r->in_at, r->in.len);
		r->in_at = 0;
	}
	begin = at = r->in_at;
	for (int i = 0; i < r->columns; i++) {
		int len;

		r->in_at = at;
		if (!fill(r, sizeof(len)))
			return false;
		memcpy(&len, r->in.data + at, sizeof(len));
		at += sizeof(len);
		r->cell[i] = (struct pg_cell){ .type = r->type[i], .len = len };
		r->in_at = at;
		if (len >= 0 && !fill(r, (size_t)len + 1))
			return false;
		at += len >= 0 ? (size_t)len + 1 : 0;
	}
	r->in_at = at;
	at = begin;
	for (int i = 0; i < r->columns; i++) {
		at += sizeof(int);
		if (r->cell[i].len < 0)
			continue;
		r->cell[i].data = r->in.data + at;
		at += (size_t)r->cell[i].len + 1;
	}
	r->taken++;
	return true;
}

/* ---- rows ---- */

static void
note_columns(struct pg_rows *r, const PGresult *from)
{
	r->columns = PQnfields(from);
	r->type = xcalloc((size_t)r->columns + 1, sizeof(*r->type));
	r->cell = xcalloc((size_t)r->columns + 1, sizeof(*r->cell));
	for (int i = 0; i < r->columns; i++)
		r->type[i] = PQftype(from, i);
}

static void
hold(struct pg_rows *r, PGresult *part)
{
	if (r->parts == r->room) {
		r->room = r->room > 0 ? r->room * 2 : 4;
		r->part = xrealloc(r->part, r->room * sizeof(PGresult *));
	}
	r->part[r->parts++] = part;
	r->count += (size_t)PQntuples(part);
	r->bytes += PQresultMemorySize(part);
}

void
pgrows_take(struct pg_rows *r, PGresult *result, const char *directory)
{
	ExecStatusType status = PQresultStatus(result);

	r->done = status != PGRES_SINGLE_TUPLE;
	if (status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK) {
		if (r->type == NULL)
			note_columns(r, result);
		if (PQntuples(result) > 0 && !pgrows_full(r) && r->spilled == 0) {
			hold(r, result);
			return;
		}
		if (PQntuples(result) > 0)
			spill(r, result, directory);
	} else if (status != PGRES_COMMAND_OK) {
		PQclear(r->error);
		r->error = result;
		return;
	}
	PQclear(result);
}

/* Frees the rows in memory. */
static void
let_go(struct pg_rows *r)
{
	for (size_t i = 0; i < r->parts; i++)
		PQclear(r->part[i]);
	r->parts = r->at = r->count = r->bytes = 0;
	r->row = -1;
}

bool
pgrows_next(struct pg_rows *r)
{
	while (r->at < r->parts) {
		if (++r->row < PQntuples(r->part[r->at]))
			return true;
		r->at++;
		r->row = -1;
	}
	let_go(r);
	return r->taken < r->spilled && !r->failed && take_spilled(r);
}

struct pg_cell
pgrows_cell(const struct pg_rows *r, int i)
{
	const PGresult *from;

	stet_assert(i >= 0 && i < r->columns);
	if (r->at >= r->parts)
		return r->cell[i];
	from = r->part[r->at];
	return (struct pg_cell){ r->type[i], PQgetlength(from, r->row, i),
		PQgetisnull(from, r->row, i) != 0 ? NULL : PQgetvalue(from, r->row, i) };
}

void
pgrows_clear(struct pg_rows *r)
{
	let_go(r);
	if (r->spilled > 0)
		(void)close(r->fd);
	buf_free(&r->out);
	buf_free(&r->in);
	PQclear(r->error);
	free(r->type);
	free(r->cell);
	*r = (struct pg_rows){ .part = r->part, .room = r->room, .row = -1 };
}
