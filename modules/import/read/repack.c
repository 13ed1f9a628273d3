/*
 * repack.c - tar archives (ustar, with the long names of GNU and of pax), and zip files inside zip
 * files, become one zip file without compression. Nothing is unpacked to names that an archive
 * gives: there is one temporary file. What an archive claims is not trusted: bytes and files are
 * counted, and links are never followed.
 */
#include "read/repack.h"
#include "read/form.h"
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/file.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <zlib.h>

#define BLOCK 512 /* of a tar archive */
#define PIECE 65536
#define NAME_ROOM 1024
#define FILES_MAX 100000
#define DEPTH_MAX 32 /* directories above a file */
#define LEFT_MAX 1000 /* files that are told */
#define RATIO_FREE (8u << 20) /* bytes that any archive may unpack to, as in source.c */
#define RATIO_MAX 300
#define ZIP64_FROM 0xfffffff0u

struct repack {
	struct stet_call *call;
	json_t *left, *names; /* names: set of those that were written */
	uint64_t most, came, packed; /* bytes: allowed, unpacked so far, of the archive */
	size_t files;
	const char *path; /* of the new file; NULL: not begun */
	zipFile out;
};

static enum stet_status
refuse(const struct repack *r, const char *why)
{
	return stet_fail(r->call, STET_VALIDATION_ERROR, "file", "%s", why);
}

/* ---- names ---- */

static void
tell(struct repack *r, const char *name, const char *why)
{
	if (json_array_size(r->left) < LEFT_MAX)
		(void)json_array_append_new(
		    r->left, json_pack("{so ss sb}", "place",
				 stet_utf8_length(name) >= 0 ? json_string(name)
							     : json_string("a file of the archive"),
				 "text", why, "skipped", true));
}

/* Is it the name of a file below the top, without detours? */
static bool
is_good(const char *name)
{
	int depth = 0;

	if (*name == '\0' || *name == '/' || strlen(name) >= NAME_ROOM ||
	    stet_utf8_length(name) < 0)
		return false;
	for (const char *c = name; *c != '\0'; c++)
		if ((unsigned char)*c < ' ' || *c == '\\')
			return false;
	for (const char *at = name; at != NULL; depth++) {
		size_t len = strcspn(at, "/");

		if (len == 0 || (len == 2 && memcmp(at, "..", 2) == 0) || depth > DEPTH_MAX)
			return false;
		at = at[len] == '/' ? at + len + 1 : NULL;
	}
	return true;
}

/* ---- the new file ---- */

static enum stet_status
begin(struct repack *r)
{
	if (r->out != NULL)
		return STET_OK;
	STET_TRY(stet_file_temporary(r->call, "", 0, &r->path));
	r->out = zipOpen64(r->path, APPEND_STATUS_CREATE);
	return r->out != NULL ? STET_OK : stet_fault(r->call, "cannot make a temporary zip file");
}

/* Begins a file in it. *wanted: false if its name is refused; that is told. */
static enum stet_status
begin_file(struct repack *r, const char *name, uint64_t size, bool *wanted)
{
	*wanted = false;
	if (++r->files > FILES_MAX)
		return refuse(r, "The archive has more than 100,000 files");
	while (strncmp(name, "./", 2) == 0)
		name += 2;
	if (!is_good(name) || json_object_get(r->names, name) != NULL) {
		tell(r, name,
		    is_good(name) ? "The archive has another file of this name"
				  : "Its name leads out of the archive, or is none");
		return STET_OK;
	}
	(void)json_object_set_new(r->names, name, json_true());
	STET_TRY(begin(r));
	if (zipOpenNewFileInZip64(
		r->out, name, NULL, NULL, 0, NULL, 0, NULL, 0, 0, size >= ZIP64_FROM) != ZIP_OK)
		return stet_fault(r->call, "cannot write a temporary zip file");
	*wanted = true;
	return STET_OK;
}

static enum stet_status
end_file(struct repack *r)
{
	return zipCloseFileInZip(r->out) == ZIP_OK
		   ? STET_OK
		   : stet_fault(r->call, "cannot write a temporary zip file");
}

static enum stet_status
put(struct repack *r, const void *piece, size_t len)
{
	return zipWriteInFileInZip(r->out, piece, (unsigned)len) == ZIP_OK
		   ? STET_OK
		   : stet_fault(r->call, "cannot write a temporary zip file");
}

/* Counts bytes that were unpacked. */
static enum stet_status
count(struct repack *r, size_t len)
{
	r->came += len;
	if (r->came > r->most)
		return stet_fail(r->call, STET_PAYLOAD_TOO_LARGE, "file",
		    "An export has at most %llu bytes here, unpacked", (unsigned long long)r->most);
	if (r->came > RATIO_FREE && r->came / RATIO_MAX > r->packed)
		return refuse(r, "The file unpacks to far more than an export does");
	return STET_OK;
}

/* ---- tar ---- */

struct tar {
	struct repack *to;
	gzFile in;
	char name[NAME_ROOM], next[NAME_ROOM]; /* next: of the file that follows; "": none */
	uint64_t size, next_size; /* next_size: UINT64_MAX: none */
	char piece[PIECE];
};

static enum stet_status
read_piece(struct tar *t, void *out, size_t len, size_t *got)
{
	int n = gzread(t->in, out, (unsigned)len);

	*got = n > 0 ? (size_t)n : 0;
	return n < 0 ? refuse(t->to, "The archive is damaged") : count(t->to, *got);
}

/* Reads a number of a header: octal, or binary if the first bit is set. UINT64_MAX: it is none. */
static uint64_t
number(const unsigned char *at, size_t len)
{
	uint64_t n = 0;

	if ((at[0] & 0x80) != 0) {
		for (size_t i = 1; i < len; i++) {
			if (n >> 54 != 0)
				return UINT64_MAX;
			n = n << 8 | at[i];
		}
		return n;
	}
	while (len > 0 && *at == ' ') {
		at++;
		len--;
	}
	for (; len > 0 && *at >= '0' && *at <= '7'; at++, len--)
		n = n << 3 | (unsigned)(*at - '0');
	return len == 0 || *at == '\0' || *at == ' ' ? n : UINT64_MAX;
}

static bool
is_header(const unsigned char *h)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < BLOCK; i++)
		sum += i >= 148 && i < 156 ? ' ' : h[i];
	return memcmp(h + 257, "ustar", 5) == 0 && number(h + 148, 8) == sum;
}

/* Sets the name and the size of the file by its header, and by the ones before that. */
static bool
name_file(struct tar *t, const unsigned char *h)
{
	bool posix = h[262] == '\0' && h[345] != '\0';

	t->size = t->next_size != UINT64_MAX ? t->next_size : number(h + 124, 12);
	if (*t->next != '\0')
		(void)memcpy(t->name, t->next, sizeof(t->name));
	else
		(void)snprintf(t->name, sizeof(t->name), "%.*s%s%.100s", posix ? 155 : 0,
		    (const char *)h + 345, posix ? "/" : "", (const char *)h);
	*t->next = '\0';
	t->next_size = UINT64_MAX;
	return t->size < UINT64_MAX - BLOCK;
}

/* Passes over the rest of a file up to the next header, or writes its bytes. */
static enum stet_status
take_bytes(struct tar *t, bool wanted)
{
	uint64_t left = t->size;
	size_t pad = (size_t)((BLOCK - left % BLOCK) % BLOCK), got;

	while (left > 0) {
		STET_TRY(read_piece(t, t->piece, left < PIECE ? (size_t)left : PIECE, &got));
		if (got == 0)
			return refuse(t->to, "The archive is cut off");
		if (wanted)
			STET_TRY(put(t->to, t->piece, got));
		left -= got;
	}
	return pad > 0 ? read_piece(t, t->piece, pad, &got) : STET_OK;
}

/* Takes the name and the size in a record of pax, "LENGTH path=NAME". */
static void
take_record(struct tar *t, const char *record, size_t len)
{
	if (len > 5 && memcmp(record, "path=", 5) == 0)
		(void)snprintf(t->next, sizeof(t->next), "%.*s", (int)(len - 5), record + 5);
	if (len > 5 && memcmp(record, "size=", 5) == 0)
		t->next_size = strtoull(record + 5, NULL, 10);
}

static void
take_records(struct tar *t, const char *at, const char *end)
{
	while (at < end) {
		char *text;
		size_t len = strtoul(at, &text, 10);

		if (*text != ' ' || len < (size_t)(text - at) + 2 || len > (size_t)(end - at))
			return;
		take_record(t, text + 1, len - (size_t)(text + 1 - at) - 1);
		at += len;
	}
}

/* Reads what an entry says of the next one: a long name of GNU ('L'), or records of pax ('x'). */
static enum stet_status
take_words(struct tar *t, char kind)
{
	size_t len = (size_t)t->size, got, pad = (BLOCK - len % BLOCK) % BLOCK;

	if (t->size + pad >= PIECE)
		return refuse(t->to, "The archive has a name that is too long");
	STET_TRY(read_piece(t, t->piece, len + pad, &got));
	if (got < len + pad)
		return refuse(t->to, "The archive is cut off");
	t->piece[len] = '\0';
	if (kind == 'x')
		take_records(t, t->piece, t->piece + len);
	else
		(void)snprintf(
		    t->next, sizeof(t->next), "%.*s", (int)sizeof(t->next) - 1, t->piece);
	return STET_OK;
}

static enum stet_status
take_entry(struct tar *t, const unsigned char *h)
{
	char kind = (char)h[156];
	bool wanted = false;

	if (!name_file(t, h))
		return refuse(t->to, "The archive is damaged");
	if (kind == 'L' || kind == 'x')
		return take_words(t, kind);
	if (kind == '0' || kind == '\0') {
		if (*t->name == '\0' || t->name[strlen(t->name) - 1] != '/')
			STET_TRY(begin_file(t->to, t->name, t->size, &wanted));
	} else if (kind != '5' && kind != 'g')
		tell(t->to, t->name,
		    kind == '1' || kind == '2' ? "It is a link, which is not followed"
					       : "It is no plain file");
	STET_TRY(take_bytes(t, wanted));
	return wanted ? end_file(t->to) : STET_OK;
}

static enum stet_status
take_tar(struct repack *r, gzFile in)
{
	struct tar *t = stet_alloc(r->call, sizeof(*t));
	unsigned char h[BLOCK];
	size_t got;

	*t = (struct tar){ .to = r, .in = in, .next_size = UINT64_MAX };
	STET_TRY(begin(r));
	for (size_t i = 0; i < 2 * FILES_MAX; i++) {
		STET_TRY(read_piece(t, h, sizeof(h), &got));
		if (got < sizeof(h))
			return refuse(r, "The archive is cut off");
		if (h[0] == '\0')
			return STET_OK;
		if (!is_header(h))
			return refuse(r, "The archive is damaged");
		STET_TRY(take_entry(t, h));
	}
	return refuse(r, "The archive has more than 100,000 files");
}

/* Repacks a tar archive. *is: the file is one. */
static enum stet_status
repack_tar(struct repack *r, const char *path)
{
	unsigned char h[BLOCK];
	gzFile in = gzopen(path, "rbe");
	enum stet_status status = STET_OK;

	if (in == NULL)
		return STET_OK; /* what it is, is found when it is read */
	if (gzread(in, h, sizeof(h)) == (int)sizeof(h) && is_header(h) && gzrewind(in) == 0)
		status = take_tar(r, in);
	(void)gzclose(in);
	return status;
}

/* ---- zip ---- */

static bool
ends_with_zip(const char *name)
{
	size_t len = strlen(name);

	return len > 4 && strcasecmp(name + len - 4, ".zip") == 0;
}

/* Reads the current file of a zip file: to a file of the new one, or to a temporary file. */
static enum stet_status
copy(struct repack *r, unzFile zip, FILE *to)
{
	char *piece = stet_alloc(r->call, PIECE);
	int n;

	if (unzOpenCurrentFile(zip) != UNZ_OK)
		return refuse(r, "The zip file is damaged, or packed in a way that is not read");
	while ((n = unzReadCurrentFile(zip, piece, PIECE)) > 0) {
		STET_TRY(count(r, (size_t)n));
		if (to == NULL)
			STET_TRY(put(r, piece, (size_t)n));
		else if (fwrite(piece, 1, (size_t)n, to) != (size_t)n)
			return stet_fault(r->call, "cannot write a temporary file");
	}
	return n == 0 && unzCloseCurrentFile(zip) == UNZ_OK ? STET_OK
							    : refuse(r, "The zip file is damaged");
}

/* A zip file inside another, whose files go into the directory that it is in. */
typedef enum stet_status inner_fn(struct repack *, unzFile, const char *name);

static enum stet_status
take_file(struct repack *r, unzFile zip, const char *name, uint64_t size, const char *directory)
{
	const char *all = stet_printf(r->call, "%s%s", directory, name);
	bool wanted;

	STET_TRY(begin_file(r, all, size, &wanted));
	if (!wanted)
		return STET_OK;
	STET_TRY(copy(r, zip, NULL));
	return end_file(r);
}

/* Calls inner for each zip file inside it (NULL: these are files as others), and takes the others.
 */
static enum stet_status
take_zip(struct repack *r, unzFile zip, const char *directory, inner_fn *inner)
{
	unz_file_info64 info;
	char name[NAME_ROOM];
	int state = unzGoToFirstFile(zip);

	for (; state == UNZ_OK; state = unzGoToNextFile(zip)) {
		if (unzGetCurrentFileInfo64(zip, &info, name, sizeof(name), NULL, 0, NULL, 0) !=
			UNZ_OK ||
		    info.size_filename >= sizeof(name))
			return refuse(r, "The zip file is damaged");
		if (*name == '\0' || name[strlen(name) - 1] == '/')
			continue;
		if ((info.flag & 1) != 0)
			return refuse(r, "The zip file is encrypted");
		if (inner != NULL && ends_with_zip(name))
			STET_TRY(inner(r, zip, name));
		else
			STET_TRY(take_file(r, zip, name, info.uncompressed_size, directory));
	}
	return state == UNZ_END_OF_LIST_OF_FILE ? STET_OK : refuse(r, "The zip file is damaged");
}

/* Unpacks the current file, which is a zip file, and takes the files inside it. */
static enum stet_status
take_inner(struct repack *r, unzFile zip, const char *name)
{
	const char *path, *slash = strrchr(name, '/');
	enum stet_status status;
	unzFile inner;
	FILE *to;

	STET_TRY(stet_file_temporary(r->call, "", 0, &path));
	to = fopen(path, "we");
	if (to == NULL)
		return stet_fault(r->call, "cannot write a temporary file");
	status = copy(r, zip, to);
	if (fclose(to) != 0 && status == STET_OK)
		status = stet_fault(r->call, "cannot write a temporary file");
	STET_TRY(status);
	inner = unzOpen64(path);
	if (inner == NULL) {
		tell(r, name, "It is no zip file that can be read");
		return STET_OK;
	}
	status = take_zip(r, inner,
	    slash != NULL ? stet_strndup(r->call, name, (size_t)(slash + 1 - name)) : "", NULL);
	(void)unzClose(inner);
	return status;
}

static bool
has_zip(unzFile zip)
{
	unz_file_info64 info;
	char name[NAME_ROOM];
	int state = unzGoToFirstFile(zip);

	for (size_t i = 0; state == UNZ_OK && i < FILES_MAX; i++, state = unzGoToNextFile(zip))
		if (unzGetCurrentFileInfo64(zip, &info, name, sizeof(name), NULL, 0, NULL, 0) ==
			UNZ_OK &&
		    info.size_filename < sizeof(name) && ends_with_zip(name))
			return true;
	return false;
}

static enum stet_status
repack_zip(struct repack *r, const char *path)
{
	unzFile zip = unzOpen64(path);
	enum stet_status status = STET_OK;

	if (zip == NULL)
		return STET_OK;
	if (has_zip(zip))
		status = take_zip(r, zip, "", take_inner);
	(void)unzClose(zip);
	return status;
}

/* ---- all of them ---- */

static enum stet_status
repack(struct stet_call *call, const char **path, bool nested, json_t *left)
{
	struct repack r = { .call = call,
		.left = left,
		.names = stet_json_own(call, json_object()),
		.most = (uint64_t)import_most(call) };
	enum stet_status status;
	struct stat st;

	if (stat(*path, &st) != 0 || !S_ISREG(st.st_mode))
		return STET_OK;
	r.packed = (uint64_t)st.st_size;
	status = repack_tar(&r, *path);
	if (status == STET_OK && r.out == NULL && nested)
		status = repack_zip(&r, *path);
	if (r.out != NULL && zipClose(r.out, NULL) != ZIP_OK && status == STET_OK)
		status = stet_fault(call, "cannot write a temporary zip file");
	if (status == STET_OK && r.path != NULL)
		*path = r.path;
	return status;
}

enum stet_status
repack_all(struct stet_call *call, const char **paths, size_t count, bool nested, json_t *left)
{
	for (size_t i = 0; i < count; i++)
		STET_TRY(repack(call, &paths[i], nested, left));
	return STET_OK;
}
