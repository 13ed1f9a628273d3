/*
 * repack.c - tar archives, plain or in gzip, and zip files inside zip files: any input is left as
 * it is, refused with a reason, or becomes a zip file whose names are different ones below its top,
 * and which has no more bytes than are allowed; each file that is left out is told.
 *
 * fuzz: with modules/import/read/repack.c
 */
#include "../../modules/import/read/repack.h"
#include "../../modules/import/read/form.h"
#include "call/call.h"
#include "fuzz.h"
#include <minizip/unzip.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST (1 << 20)

int64_t
import_most(struct stet_call *call)
{
	(void)call;
	return MOST;
}

static void
good_name(const char *name, json_t *names)
{
	must(*name != '\0' && *name != '/' && name[strlen(name) - 1] != '/');
	must(strncmp(name, "../", 3) != 0 && strstr(name, "/../") == NULL);
	must(stet_utf8_length(name) >= 0 && strchr(name, '\\') == NULL);
	must(json_object_get(names, name) == NULL);
	must(json_object_set_new(names, name, json_true()) == 0);
}

static void
read_result(const char *path)
{
	unzFile zip = unzOpen64(path);
	json_t *names = json_object();
	static char part[65536];
	struct stat st;
	size_t sum = 0;

	/* minizip opens no zip file without files, which is its last record alone. */
	if (zip == NULL)
		must(stat(path, &st) == 0 && st.st_size == 22);
	for (int state = zip != NULL ? unzGoToFirstFile(zip) : UNZ_END_OF_LIST_OF_FILE;
	     state == UNZ_OK; state = unzGoToNextFile(zip)) {
		char name[2048];
		unz_file_info64 info;
		int n;

		must(unzGetCurrentFileInfo64(zip, &info, name, sizeof(name), NULL, 0, NULL, 0) ==
		     UNZ_OK);
		good_name(name, names);
		must(unzOpenCurrentFile(zip) == UNZ_OK);
		while ((n = unzReadCurrentFile(zip, part, sizeof(part))) > 0)
			sum += (size_t)n;
		must(n == 0 && unzCloseCurrentFile(zip) == UNZ_OK);
	}
	must(sum <= MOST);
	json_decref(names);
	if (zip != NULL)
		(void)unzClose(zip);
}

static void
repack_as(const char *name, bool nested)
{
	static char shared[] = "/dev/shm", plain[] = "/tmp";
	struct site site = { .tmp_path = access(shared, W_OK) == 0 ? shared : plain };
	struct stet_call *call = call_new();
	json_t *left = json_array(), *one;
	const char *path = name;
	enum stet_status status;
	size_t i;

	call->site = &site;
	status = repack_all(call, &path, 1, nested, left);
	must(status == STET_OK || status == STET_VALIDATION_ERROR ||
	     status == STET_PAYLOAD_TOO_LARGE);
	must(status == STET_OK || strlen(stet_error_text(call)) > 20);
	if (status == STET_OK && path != name)
		read_result(path);
	json_array_foreach(left, i, one)
	{
		must(json_string_length(json_object_get(one, "text")) > 0);
		must(json_is_string(json_object_get(one, "place")));
	}
	json_decref(left);
	call_free(call);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char name[64];

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	repack_as(name, false);
	repack_as(name, true);
	close(fd);
	return 0;
}
