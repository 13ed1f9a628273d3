/*
 * whole.c - documents that are one object of JSON. They are held in memory as a whole, so they have
 * a bound of their own.
 */
#include "sources/whole.h"
#include "read/source.h"
#include <stdlib.h>

#define PIECE (1u << 20)

struct whole {
	struct source *file;
	const char *name;
	object_fn *fn;
	void *arg;
};

static enum stet_status
read_bytes(struct stet_call *call, struct source *file, char **text, size_t *len)
{
	size_t room = 0, got;

	for (*len = 0;; *len += got) {
		if (room - *len < PIECE) {
			room = room * 2 + 2 * PIECE;
			if ((*text = realloc(*text, room)) == NULL)
				stet_out_of_memory();
		}
		STET_TRY(source_read(file, *text + *len, PIECE, &got));
		if (got == 0)
			return STET_OK;
		if (*len + got > WHOLE_MOST)
			return stet_fail(call, STET_PAYLOAD_TOO_LARGE, "file",
			    "A document of JSON has at most 256 MiB here");
	}
}

static enum stet_status
take(struct stet_call *call, void *arg)
{
	const struct whole *w = arg;
	json_t *object = NULL;
	json_error_t error;
	char *text = NULL;
	size_t len = 0;
	enum stet_status status = read_bytes(call, w->file, &text, &len);

	if (status == STET_OK && (object = json_loadb(text, len, 0, &error)) == NULL)
		status = stet_fail(call, STET_VALIDATION_ERROR, "file",
		    "The file is no JSON: line %d: %.100s", error.line, error.text);
	free(text);
	(void)stet_json_own(call, object);
	return status == STET_OK ? w->fn(w->arg, w->name, object) : status;
}

enum stet_status
whole_read(
    struct stet_source *source, struct source *file, const char *name, object_fn *fn, void *arg)
{
	struct whole w = { file, name, fn, arg };

	return stet_scope(source->call, take, &w);
}
