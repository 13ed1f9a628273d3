/* packed.c - files of attachments in a zip file that is imported. */
#include "files/media.h"
#include "plan/given.h"
#include "read/form.h"
#include "read/text.h"
#include <minizip/unzip.h>
#include <stdio.h>
#include <stet/file.h>
#include <string.h>

#define PIECE 65536
#define RATIO_FREE (8u << 20) /* bytes that any file may unpack to, as in read/source.c */
#define RATIO_MAX 300

/* Unpacks the current file of the archive to `to`. Returns false if it cannot, or if the file has
 * more than `most` bytes. */
static bool
unpack(unzFile zip, uint64_t most, FILE *to)
{
	char piece[PIECE];
	uint64_t came = 0;
	int n;

	while ((n = unzReadCurrentFile(zip, piece, sizeof(piece))) > 0) {
		came += (uint64_t)n;
		if (came > most || fwrite(piece, 1, (size_t)n, to) != (size_t)n)
			return false;
	}
	return n == 0 && fflush(to) == 0;
}

/* Returns the most bytes that the current file may unpack to, to stop zip bombs. */
static uint64_t
most_of(struct stet_call *call, const unz_file_info64 *info)
{
	uint64_t most = (uint64_t)import_most(call);
	uint64_t honest = info->compressed_size < most ? info->compressed_size * RATIO_MAX : most;

	if (honest < RATIO_FREE)
		honest = RATIO_FREE;
	return honest < most ? honest : most;
}

static enum stet_status
take(struct stet_call *call, unzFile zip, const char **path, uint64_t *size)
{
	enum stet_status status = STET_OK;
	unz_file_info64 info;
	FILE *to;

	if (unzGetCurrentFileInfo64(zip, &info, NULL, 0, NULL, 0, NULL, 0) != UNZ_OK ||
	    (info.flag & 1) != 0 || unzOpenCurrentFile(zip) != UNZ_OK)
		return STET_OK;
	to = tmpfile();
	if (to == NULL)
		return stet_fault(call, "cannot make a temporary file");
	if (unpack(zip, most_of(call, &info), to)) {
		*size = (uint64_t)ftell(to);
		status = stet_file_temporary_copy(call, fileno(to), path);
	}
	(void)fclose(to);
	(void)unzCloseCurrentFile(zip);
	return status;
}

enum stet_status
packed_take(struct stet_call *call, const char *archive, const struct attachment *a,
    const char **path, uint64_t *size)
{
	size_t begin = strlen(GIVEN_FILE);
	const char *name;
	enum stet_status status = STET_OK;
	unzFile zip;

	*path = NULL;
	if (archive == NULL || strncmp(a->url, GIVEN_FILE, begin) != 0)
		return STET_OK;
	name = text_unescape(call, a->url + begin);
	zip = unzOpen64(archive);
	if (zip == NULL)
		return STET_OK;
	if (unzLocateFile(zip, name, 1) == UNZ_OK)
		status = take(call, zip, path, size);
	(void)unzClose(zip);
	return status;
}
