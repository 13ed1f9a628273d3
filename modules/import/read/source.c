/*
 * source.c - the bytes of uploaded files: documents as they are, or unpacked from gzip (zlib) or
 * zip (minizip). The sizes that packed files claim are not trusted: bytes are counted as they are
 * read.
 */
#include "read/source.h"
#include <errno.h>
#include <fcntl.h>
#include <minizip/unzip.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define PACKED_ROOM 65536
#define RATIO_FREE (8u << 20) /* bytes that a packed file of any size may unpack to */
#define RATIO_MAX 300 /* times its size; repeated bytes pack 1,000 to 1, exports 3 to 20 */
#define ENTRIES_MAX 100000 /* of a zip file */
#define DOCUMENTS_MAX 10000
#define NAME_MAX_HERE 1024

/* A document of a zip file. */
struct document {
	char *name;
	unz64_file_pos at;
};

struct source {
	struct stet_call *call;
	const char *ends; /* of names of documents in a zip file, each between blanks */
	const json_t *only; /* {name: any}: of these documents; NULL: all */
	int fd; /* -1: a zip file, or closed */
	uint64_t most, came;
	uint64_t packed; /* the file's size; 0: not packed */
	bool begun;

	z_stream gzip;
	bool gzipped, member; /* member: inside a member of the file */
	unsigned char *in;

	unzFile zip;
	bool entry; /* one is open */
	struct document *documents;
	size_t count, next;
};

static enum stet_status
refuse(struct source *s, const char *why)
{
	return stet_fail(s->call, STET_VALIDATION_ERROR, "file", "%s", why);
}

bool
source_ends(const char *ends, const char *name)
{
	const char *end = strrchr(name, '.'), *at = ends;
	size_t len = end != NULL ? strlen(end) : 0;

	for (; len > 1 && (at = strchr(at, ' ')) != NULL && *++at != '\0';)
		if (strncasecmp(at, end, len) == 0 && at[len] == ' ')
			return true;
	return false;
}

/* ---- zip ---- */

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct document *)a)->name, ((const struct document *)b)->name);
}

/* Archives made on a Mac have a second file for each, which is not a document. */
static bool
is_document(const struct source *s, const char *name)
{
	const char *base = strrchr(name, '/');

	base = base == NULL ? name : base + 1;
	return source_ends(s->ends, name) && *base != '.' && strncmp(name, "__MACOSX/", 9) != 0 &&
	       (s->only == NULL || json_object_get(s->only, name) != NULL);
}

static enum stet_status
take_entry(struct source *s)
{
	unz_file_info64 info;
	struct document *d;
	char name[NAME_MAX_HERE];

	if (unzGetCurrentFileInfo64(s->zip, &info, name, sizeof(name), NULL, 0, NULL, 0) != UNZ_OK)
		return refuse(s, "The zip file is damaged");
	if (info.size_filename >= sizeof(name))
		return refuse(s, "The zip file has a name of more than 1,023 bytes");
	if (!is_document(s, name))
		return STET_OK;
	if ((info.flag & 1) != 0)
		return refuse(s, "The zip file is encrypted");
	if (s->count == DOCUMENTS_MAX)
		return refuse(s, "The zip file has more than 10,000 documents");
	d = &s->documents[s->count++];
	d->name = strdup(name);
	if (d->name == NULL)
		stet_out_of_memory();
	return unzGetFilePos64(s->zip, &d->at) == UNZ_OK ? STET_OK
							 : refuse(s, "The zip file is damaged");
}

static enum stet_status
list_entries(struct source *s)
{
	int state = unzGoToFirstFile(s->zip);

	for (int i = 0; state == UNZ_OK; i++) {
		if (i == ENTRIES_MAX)
			return refuse(s, "The zip file has more than 100,000 files");
		STET_TRY(take_entry(s));
		state = unzGoToNextFile(s->zip);
	}
	if (state != UNZ_END_OF_LIST_OF_FILE)
		return refuse(s, "The zip file is damaged");
	if (s->count == 0 && s->only == NULL)
		return stet_fail(s->call, STET_VALIDATION_ERROR, "file",
		    "The zip file has no file that ends with one of:%s", s->ends);
	qsort(s->documents, s->count, sizeof(*s->documents), by_name);
	return STET_OK;
}

static enum stet_status
open_zip(struct source *s, const char *path)
{
	if ((s->zip = unzOpen64(path)) == NULL)
		return refuse(s, "The zip file is damaged");
	s->documents = calloc(DOCUMENTS_MAX, sizeof(*s->documents));
	if (s->documents == NULL)
		stet_out_of_memory();
	return list_entries(s);
}

static enum stet_status
next_entry(struct source *s, const char **name)
{
	struct document *d;

	*name = NULL;
	if (s->next == s->count)
		return STET_OK;
	d = &s->documents[s->next++];
	if (unzGoToFilePos64(s->zip, &d->at) != UNZ_OK || unzOpenCurrentFile(s->zip) != UNZ_OK)
		return refuse(s, "The zip file is damaged, or packed in a way that is not read");
	s->entry = true;
	*name = d->name;
	return STET_OK;
}

/* minizip compares the checksum when an entry that was read to its end is closed. */
static enum stet_status
read_entry(struct source *s, char *out, size_t room, size_t *got)
{
	int n;

	if (!s->entry)
		return STET_OK;
	if ((n = unzReadCurrentFile(s->zip, out, (unsigned)room)) < 0)
		return refuse(s, "The zip file is damaged");
	*got = (size_t)n;
	if (n > 0)
		return STET_OK;
	s->entry = false;
	return unzCloseCurrentFile(s->zip) == UNZ_OK ? STET_OK
						     : refuse(s, "The zip file is damaged");
}

bool
source_names(const char *path, void (*fn)(void *, const char *name), void *arg)
{
	char name[NAME_MAX_HERE];
	unz_file_info64 info;
	unzFile zip = unzOpen64(path);
	int state = zip != NULL ? unzGoToFirstFile(zip) : UNZ_END_OF_LIST_OF_FILE;

	for (int i = 0; state == UNZ_OK && i < ENTRIES_MAX; i++) {
		const char *base;

		if (unzGetCurrentFileInfo64(zip, &info, name, sizeof(name), NULL, 0, NULL, 0) !=
		    UNZ_OK)
			break;
		base = info.size_filename < sizeof(name) ? strrchr(name, '/') : NULL;
		base = base != NULL ? base + 1 : name;
		if (info.size_filename < sizeof(name) && *base != '\0' && *base != '.' &&
		    strncmp(name, "__MACOSX/", 9) != 0)
			fn(arg, name);
		state = unzGoToNextFile(zip);
	}
	if (zip != NULL)
		(void)unzClose(zip);
	return zip != NULL;
}

/* ---- gzip ---- */

static enum stet_status
read_plain(struct source *s, void *out, size_t room, size_t *got)
{
	ssize_t n;

	do
		n = read(s->fd, out, room);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return stet_fault(s->call, "cannot read an upload: %s", strerror(errno));
	*got = (size_t)n;
	return STET_OK;
}

static enum stet_status
open_gzip(struct source *s)
{
	if ((s->in = malloc(PACKED_ROOM)) == NULL)
		stet_out_of_memory();
	if (inflateInit2(&s->gzip, 16 + MAX_WBITS) != Z_OK)
		stet_out_of_memory();
	s->gzipped = true;
	return STET_OK;
}

/* A gzip file may have several members, one after the other. */
static enum stet_status
read_gzip(struct source *s, char *out, size_t room, size_t *got)
{
	size_t len;
	int state;

	while (*got == 0) {
		if (s->gzip.avail_in == 0) {
			STET_TRY(read_plain(s, s->in, PACKED_ROOM, &len));
			if (len == 0 && s->member)
				return refuse(s, "The gzip file is cut off");
			if (len == 0)
				return STET_OK;
			s->gzip.next_in = s->in;
			s->gzip.avail_in = (unsigned)len;
		}
		s->member = true;
		s->gzip.next_out = (unsigned char *)out;
		s->gzip.avail_out = (unsigned)room;
		state = inflate(&s->gzip, Z_NO_FLUSH);
		*got = room - s->gzip.avail_out;
		if (state == Z_STREAM_END) {
			s->member = false;
			state = inflateReset(&s->gzip);
		}
		if (state != Z_OK && state != Z_BUF_ERROR)
			return refuse(s, "The gzip file is damaged");
	}
	return STET_OK;
}

/* ---- all of them ---- */

enum stet_status
source_open(
    struct stet_call *call, const char *path, const char *ends, uint64_t most, struct source **out)
{
	return source_open_some(call, path, ends, NULL, most, out);
}

enum stet_status
source_open_some(struct stet_call *call, const char *path, const char *ends, const json_t *only,
    uint64_t most, struct source **out)
{
	struct source *s = *out = calloc(1, sizeof(*s));
	unsigned char magic[4] = { 0 };
	struct stat st;

	if (s == NULL)
		stet_out_of_memory();
	s->call = call;
	s->ends = ends;
	s->only = only;
	s->most = most;
	if ((s->fd = open(path, O_RDONLY | O_CLOEXEC)) < 0 || fstat(s->fd, &st) != 0 ||
	    (pread(s->fd, magic, sizeof(magic), 0) < 0 && !S_ISDIR(st.st_mode)))
		return stet_fault(call, "cannot open an upload: %s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "file", "It is a directory, not a file");
	s->packed = (uint64_t)st.st_size;
	if (magic[0] == 0x1f && magic[1] == 0x8b)
		return open_gzip(s);
	if (memcmp(magic, "PK\3\4", 4) == 0 || memcmp(magic, "PK\5\6", 4) == 0)
		return open_zip(s, path);
	s->packed = 0;
	return STET_OK;
}

void
source_close(struct source *s)
{
	if (s == NULL)
		return;
	if (s->gzipped)
		(void)inflateEnd(&s->gzip);
	if (s->zip != NULL) {
		if (s->entry)
			(void)unzCloseCurrentFile(s->zip);
		(void)unzClose(s->zip);
	}
	if (s->fd >= 0)
		close(s->fd);
	for (size_t i = 0; i < s->count; i++)
		free(s->documents[i].name);
	free(s->documents);
	free(s->in);
	free(s);
}

enum stet_status
source_next(struct source *s, const char **name)
{
	if (s->zip != NULL)
		return next_entry(s, name);
	*name = s->begun ? NULL : "";
	s->begun = true;
	return STET_OK;
}

enum stet_status
source_read(struct source *s, char *out, size_t room, size_t *got)
{
	*got = 0;
	if (s->zip != NULL)
		STET_TRY(read_entry(s, out, room, got));
	else if (s->gzipped)
		STET_TRY(read_gzip(s, out, room, got));
	else
		STET_TRY(read_plain(s, out, room, got));
	s->came += *got;
	if (s->came > s->most)
		return stet_fail(s->call, STET_PAYLOAD_TOO_LARGE, "file",
		    "An export has at most %llu bytes here, unpacked", (unsigned long long)s->most);
	if (s->packed > 0 && s->came > RATIO_FREE && s->came / RATIO_MAX > s->packed)
		return refuse(s, "The file unpacks to far more than an export does");
	return STET_OK;
}

uint64_t
source_bytes(const struct source *s)
{
	return s->came;
}
