/* spool.c - request bodies written to temporary files as they arrive. */
#include "net/spool.h"
#include "base/buf.h"
#include "call/call.h"
#include "call/tempfile.h"
#include "files/filedriver.h"
#include "http/multipart.h"
#include "net/bodyroom.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A form field up to this size is kept as text, a larger one in a file. The texts count as body
 * memory. */
#define FIELD_MAX_BYTES 65536

struct spool {
	struct stet_call *call;
	struct multipart *multipart; /* NULL: one file */
	struct stet_part part[MULTIPART_PARTS_MAX];
	size_t count;
	struct buf text; /* of the field being received */
	int fd; /* the file being received; -1: none */
	uint64_t held; /* bytes of fields counted as body memory */
	enum stet_status status; /* the error that stopped the parser */
};

/* ---- files ---- */

static enum stet_status
open_file(struct spool *s, struct stet_part *part)
{
	return tempfile_make(s->call, &part->path, &s->fd);
}

static enum stet_status
write_file(struct spool *s, struct stet_part *part, const char *data, size_t len)
{
	return tempfile_write(s->call, s->fd, part->path, data, len);
}

static enum stet_status
close_file(struct spool *s)
{
	int fd = s->fd;

	s->fd = -1;
	if (fd != -1 && close(fd) == -1)
		return stet_file_failed(s->call, s->part[s->count - 1].path);
	return STET_OK;
}

static void
drop(void *arg)
{
	struct spool *s = arg;

	if (s->fd != -1)
		close(s->fd);
	if (s->multipart != NULL)
		multipart_free(s->multipart);
	buf_free(&s->text);
	bodyroom_give(s->held);
}

/* ---- parts of a form ---- */

/* Reserves body memory for a field. */
static enum stet_status
hold(struct spool *s, uint64_t more)
{
	STET_TRY(bodyroom_take(s->call, more));
	s->held += more;
	return STET_OK;
}

static enum stet_status
add_text(struct spool *s, const char *data, size_t len)
{
	STET_TRY(hold(s, buf_cap(&s->text, len) - s->text.cap));
	buf_add(&s->text, data, len);
	return STET_OK;
}

static enum stet_status
add_data(struct spool *s, const char *data, size_t len)
{
	struct stet_part *part = &s->part[s->count - 1];

	part->size += len;
	if (s->fd == -1 && s->text.len + len > FIELD_MAX_BYTES) {
		STET_TRY(open_file(s, part));
		STET_TRY(write_file(s, part, s->text.data, s->text.len));
		bodyroom_give(s->text.cap);
		s->held -= s->text.cap;
		buf_free(&s->text);
	}
	if (s->fd != -1)
		return write_file(s, part, data, len);
	return add_text(s, data, len);
}

static enum stet_status
end_part(struct spool *s)
{
	struct stet_part *part = &s->part[s->count - 1];
	char *text;

	if (part->path != NULL)
		return close_file(s);
	STET_TRY(hold(s, s->text.len));
	text = stet_strndup(s->call, s->text.len > 0 ? s->text.data : "", s->text.len);
	s->text.len = 0;
	if (strlen(text) != part->size || stet_utf8_length(text) < 0)
		return stet_fail(
		    s->call, STET_VALIDATION_ERROR, part->name, "The field is not UTF-8 text");
	part->value = text;
	return STET_OK;
}

static bool
on_part(void *ctx, const char *name, const char *filename, const char *type)
{
	struct spool *s = ctx;
	struct stet_part *part;

	if (s->count == MULTIPART_PARTS_MAX) {
		s->status = stet_fail(s->call, STET_VALIDATION_ERROR, NULL,
		    "A form has at most %d parts", MULTIPART_PARTS_MAX);
		return false;
	}
	part = &s->part[s->count++];
	part->name = stet_strdup(s->call, name);
	part->filename = stet_strdup(s->call, filename);
	part->type = stet_strdup(s->call, type);
	if (filename != NULL)
		s->status = open_file(s, part);
	return s->status == STET_OK;
}

static bool
on_data(void *ctx, const char *data, size_t len)
{
	struct spool *s = ctx;

	s->status = add_data(s, data, len);
	return s->status == STET_OK;
}

static bool
on_end(void *ctx)
{
	struct spool *s = ctx;

	s->status = end_part(s);
	return s->status == STET_OK;
}

static enum stet_status
malformed(struct spool *s)
{
	if (s->status != STET_OK)
		return s->status;
	return stet_fail(s->call, STET_VALIDATION_ERROR, NULL, "Malformed form data: %s",
	    multipart_why(s->multipart));
}

/* ---- what the connection calls ---- */

enum stet_status
spool_new(struct stet_call *call, const char *type, const char *boundary, struct spool **out)
{
	static const struct multipart_events events = { on_part, on_data, on_end };
	struct spool *s = stet_alloc(call, sizeof(*s));

	s->call = call;
	s->fd = -1;
	stet_defer(call, drop, s);
	*out = s;
	if (boundary != NULL) {
		s->multipart = multipart_new(boundary, &events, s);
		return STET_OK;
	}
	s->count = 1;
	s->part[0].name = "";
	s->part[0].type = type;
	return open_file(s, &s->part[0]);
}

enum stet_status
spool_write(struct spool *s, const char *data, size_t len)
{
	if (s->multipart != NULL)
		return multipart_feed(s->multipart, data, len) ? STET_OK : malformed(s);
	s->part[0].size += len;
	return write_file(s, &s->part[0], data, len);
}

enum stet_status
spool_end(struct spool *s)
{
	if (s->multipart != NULL && !multipart_finish(s->multipart))
		return malformed(s);
	STET_TRY(close_file(s));
	s->call->parts = s->part;
	s->call->part_count = s->count;
	return STET_OK;
}
