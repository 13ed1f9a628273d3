/*
 * rows.c - CSV and lines of JSON: each row becomes an item or is reported, and an item has a type
 * and UTF-8 texts; otherwise the file is refused with a reason.
 * fuzz: with modules/import/sources/rows.c
 * fuzz: with modules/import/sources/columns.c
 * fuzz: with modules/import/sources/documents.c
 * fuzz: with modules/import/sources/lines.c
 * fuzz: with modules/import/sources/markup.c
 * fuzz: with modules/import/sources/notice.c
 * fuzz: with modules/import/sources/recode.c
 * fuzz: with modules/import/sources/table.c
 * fuzz: with modules/import/sources/tree.c
 * fuzz: with modules/import/sources/whole.c
 * fuzz: with modules/import/plan/kind.c
 * fuzz: with modules/import/plan/choices.c
 * fuzz: with modules/import/read/dates.c
 * fuzz: with modules/import/read/source.c
 * fuzz: with modules/import/read/label.c
 * fuzz: with modules/import/read/php.c
 * fuzz: with modules/import/read/text.c
 */
#include "../../modules/import/read/form.h"
#include "../../modules/import/sources/sources.h"
#include "call/call.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int64_t
import_most(struct stet_call *call)
{
	(void)call;
	return 1 << 20;
}

static enum stet_status
take(struct stet_source *source, enum stet_source_kind kind, const json_t *thing)
{
	const json_t *type = json_object_get(thing, "type");
	char *text = json_dumps(thing, JSON_COMPACT);

	(void)source;
	must(json_is_object(thing) && text != NULL);
	must(kind == STET_SOURCE_ITEM || kind == STET_SOURCE_NOTICE);
	must(kind != STET_SOURCE_ITEM || type != NULL);
	must(kind != STET_SOURCE_NOTICE || json_string_length(json_object_get(thing, "text")) > 0);
	free(text);
	return STET_OK;
}

static void
read_by(enum stet_status (*read)(struct stet_call *, struct stet_source *), const char *path)
{
	struct stet_call *call = call_new();
	struct stet_source source = { .call = call, .path = &path, .count = 1, .take = take };
	enum stet_status status = read(call, &source);

	must(status == STET_OK || status == STET_VALIDATION_ERROR ||
	     status == STET_PAYLOAD_TOO_LARGE);
	must(status == STET_OK || strlen(stet_error_text(call)) > 20);
	call_free(call);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char name[64];

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	read_by(csv_source, name);
	read_by(lines_source, name);
	close(fd);
	return 0;
}
