/* add.c - the function `add` of the service media/1: files that importers bring. */
#include "media.h"
#include <fcntl.h>
#include <stet/table.h>
#include <unistd.h>

struct addition {
	struct stet_media_new in;
	struct stet_part part;
	struct upload upload;
	const char *id, *url;
};

/* Sets the type from the bytes of the file if the importer does not know it, or if they are an
 * image of another type than it says: many servers name images by an extension that is wrong. */
static enum stet_status
look_up_type(struct stet_call *call, struct addition *a)
{
	const char *said = type_normal(call, a->part.type), *found = NULL;
	enum stet_status status;
	int fd;

	if (a->part.type != NULL && (said == NULL || !look_can(said)))
		return STET_OK;
	fd = open(a->part.path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return stet_fault(call, "cannot read a temporary file");
	status = type_look(call, fd, &found);
	close(fd);
	if (said == NULL || (found != NULL && look_can(found) && !type_passes(found, said)))
		a->part.type = found;
	return status;
}

static enum stet_status
find_url(struct stet_call *call, struct addition *a)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT '/_cms/api" FILE_PATH "' || storage_key FROM media_items WHERE id = ?1",
	    STET_ARGS(a->id)));
	a->url = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
add(struct stet_call *call, void *arg)
{
	struct addition *a = arg;

	a->part = (struct stet_part){ .name = "file",
		.filename = a->in.filename,
		.type = a->in.type,
		.path = a->in.path,
		.size = a->in.size };
	a->upload = (struct upload){ .file = &a->part, .alt = a->in.alt, .caption = a->in.caption };
	STET_TRY(stet_require(call, "media:upload"));
	STET_TRY(look_up_type(call, a));
	STET_TRY(upload_take(call, &a->upload));
	a->id = a->upload.same != NULL ? a->upload.same : a->upload.id;
	return find_url(call, a);
}

enum stet_status
media_add(struct stet_call *call, const struct stet_media_new *in, size_t size, const char **id,
    const char **url, bool *same)
{
	struct addition a = { .id = NULL };

	stet_extend(&a.in, sizeof(a.in), in, size);
	STET_TRY(stet_as_service(call, STET_MEDIA_1, add, &a));
	*id = a.id;
	*url = a.url;
	*same = a.upload.same != NULL;
	return STET_OK;
}
