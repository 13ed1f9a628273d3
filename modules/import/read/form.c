/* form.c - the files of an uploaded form, and the limits of their size. */
#include "read/form.h"
#include <string.h>

int64_t
import_most(struct stet_call *call)
{
	return json_integer_value(stet_setting(call, "maxExportSize"));
}

uint64_t
import_body_most(struct stet_call *call)
{
	return (uint64_t)import_most(call) + FORM_ROOM;
}

bool
form_is_file(const struct stet_part *part)
{
	return strcmp(part->name, "file") == 0 && part->path != NULL;
}

enum stet_status
form_files(struct stet_call *call, const char *const **paths, size_t *count)
{
	const struct stet_part *const *part;
	size_t parts = stet_parts(call, &part);
	const char **list = stet_alloc(call, (parts + 1) * sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < parts; i++)
		if (form_is_file(part[i]) && *count < FORM_FILES_MAX)
			list[(*count)++] = part[i]->path;
	*paths = list;
	if (*count == 0)
		return stet_fail(call, STET_VALIDATION_ERROR, "file", "No file provided");
	return STET_OK;
}
