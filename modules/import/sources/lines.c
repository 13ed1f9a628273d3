/* lines.c - lines of JSON, an object each. */
#include "sources/lines.h"
#include "read/source.h"
#include <stdlib.h>
#include <string.h>

#define PIECE 65536
#define TAR_MAGIC "ustar"
#define TAR_MAGIC_AT 257 /* POSIX.1-2017, pax, "ustar Interchange Format" */

struct lines {
	struct stet_source *source;
	const char *name;
	line_fn *fn;
	void *arg;
	char *text; /* of the present line */
	size_t len;
	int64_t number;
	bool too_long;
};

static enum stet_status
take(struct stet_call *call, void *arg)
{
	struct lines *l = arg;
	struct line_read line = { .name = l->name, .len = l->len };
	const char *why = "";
	const json_t *value;

	line.place = stet_printf(
	    call, "%s%sline %lld", l->name, *l->name != '\0' ? ", " : "", (long long)l->number);
	if (l->too_long)
		return source_notice(l->source, line.place, true, "It is longer than 8 MiB");
	if (strspn(l->text, " \t\r") == l->len)
		return STET_OK;
	value = stet_json_parse(call, l->text, l->len, &why);
	if (!json_is_object(value))
		return source_notice(l->source, line.place, true,
		    value != NULL ? "It is no object"
				  : stet_printf(call, "It is no JSON: %s", why));
	line.object = value;
	return l->fn(l->arg, &line);
}

static enum stet_status
end_line(struct lines *l)
{
	enum stet_status status;

	l->number++;
	l->text[l->len] = '\0';
	status = stet_scope(l->source->call, take, l);
	l->len = 0;
	l->too_long = false;
	return status;
}

static enum stet_status
split(struct lines *l, const char *piece, size_t got)
{
	for (const char *p = piece, *end = piece + got; p < end;) {
		const char *line = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((line != NULL ? line : end) - p);

		l->too_long |= l->len + n > DOCUMENT_MAX;
		if (!l->too_long) {
			memcpy(l->text + l->len, p, n);
			l->len += n;
		}
		p += n + (line != NULL);
		if (line != NULL)
			STET_TRY(end_line(l));
	}
	return STET_OK;
}

static bool
is_tar(const char *piece, size_t len)
{
	return len >= TAR_MAGIC_AT + strlen(TAR_MAGIC) &&
	       memcmp(piece + TAR_MAGIC_AT, TAR_MAGIC, strlen(TAR_MAGIC)) == 0;
}

enum stet_status
lines_read(struct stet_source *source, struct source *file, const char *name, char *text,
    line_fn *fn, void *arg)
{
	struct lines l = { .source = source, .name = name, .fn = fn, .arg = arg, .text = text };
	char piece[PIECE];
	size_t got;

	for (;;) {
		STET_TRY(source_read(file, piece, sizeof(piece), &got));
		if (got == 0)
			return l.len > 0 || l.too_long ? end_line(&l) : STET_OK;
		if (l.number == 0 && is_tar(piece, got))
			return stet_fail(source->call, STET_VALIDATION_ERROR, "file",
			    "It is a tar archive: unpack it, and import the directory");
		STET_TRY(split(&l, piece, got));
	}
}
