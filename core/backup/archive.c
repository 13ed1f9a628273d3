/* archive.c - unpacks the members of a backup and compares them with their checksums. */
#include "backup/archive.h"
#include "archive/pack.h"
#include "archive/tar.h"
#include "archive/unpack.h"
#include "backup/backup.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/dir.h"
#include "base/words.h"
#include "call/call.h"
#include "call/json.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PART 131072
#define HEAD_MAX (16u << 20)
#define KEY_MAX 1024 /* bytes of the key's file */
#define SUMS_MAX (1u << 30) /* some seven million files */
#define ROOM_LEFT (64u << 20) /* free bytes that unpacking leaves on the disk */
#define INODES_LEFT 1000
#define SQLITE_HEAD 100 /* bytes */

struct reader {
	struct archive *a;
	struct buf sums; /* checksums of the members so far, to compare with the archive's */
	char **why;
};

static bool
fail(struct reader *r, char *why)
{
	if (*r->why == NULL)
		*r->why = why;
	else
		free(why);
	return false;
}

static bool
fail_stream(struct reader *r)
{
	const char *why = r->a->from->why;

	return fail(r, words_format("%s", why != NULL ? why : "the archive is cut off"));
}

static long
get(void *arg, void *data, size_t len)
{
	return unpack_get(arg, data, len);
}

static bool
take(struct reader *r, void *data, size_t len)
{
	return unpack_get(r->a->from, data, len) == (long)len || fail_stream(r);
}

static bool
skip_padding(struct reader *r, const struct tar_entry *e)
{
	char block[TAR_BLOCK];

	return take(r, block, tar_padding(e->size));
}

/* ---- texts ---- */

static bool
take_text(struct reader *r, const struct tar_entry *e, size_t most, struct buf *text)
{
	if (e->size > most)
		return fail(r, words_format("%s in it is too large", e->name));
	buf_reserve(text, (size_t)e->size);
	if (!take(r, text->data, (size_t)e->size))
		return false;
	text->len = (size_t)e->size;
	text->data[text->len] = '\0';
	return skip_padding(r, e);
}

static bool
check_format(struct reader *r)
{
	const json_t *format = json_object_get(r->a->head, "format");

	if (!json_is_integer(format) || !json_is_string(json_object_get(r->a->head, "createdAt")) ||
	    !json_is_string(json_object_get(r->a->head, "site")) ||
	    !json_is_string(json_object_get(r->a->head, "stet")))
		return fail(r, words_format("the archive's head is not understood"));
	if (json_integer_value(format) > BACKUP_FORMAT)
		return fail(r, words_format("a newer version of stet made the archive: %s",
				   json_string_value(json_object_get(r->a->head, "stet"))));
	return true;
}

static bool
take_description(struct reader *r, const struct tar_entry *e)
{
	crypto_generichash_state state;
	struct buf text = { 0 };
	const char *why;
	size_t position;
	bool good;

	if (strcmp(e->name, BACKUP_HEAD) != 0)
		return fail(r, words_format("it is not a backup of a site"));
	good = take_text(r, e, HEAD_MAX, &text);
	if (good) {
		crypto_generichash_init(&state, NULL, 0, BACKUP_SUM);
		crypto_generichash_update(&state, (const unsigned char *)text.data, text.len);
		backup_sum(&r->sums, &state, e->name);
		r->a->head = json_parse(text.data, text.len, &why, &position);
		good = check_format(r);
	}
	buf_free(&text);
	return good;
}

/* ---- files ---- */

static bool
room_for(struct reader *r, const struct tar_entry *e)
{
	struct statvfs fs;
	uint64_t left;

	if (fstatvfs(r->a->directory, &fs) != 0)
		return fail(r, words_format("%s", strerror(errno)));
	if (fs.f_files > 0 && fs.f_favail < INODES_LEFT)
		return fail(r, words_format("the disk has no room for more files than it holds so"
					    " far"));
	left = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (left >= ROOM_LEFT && e->size <= left - ROOM_LEFT)
		return true;
	return fail(
	    r, words_format("%s in it is said to have %llu MiB, and there is room for %llu",
		   e->name, (unsigned long long)(e->size >> 20), (unsigned long long)(left >> 20)));
}

/* Opens the directory of a file and creates it if necessary. The caller closes it unless it is
 * the top one. */
static int
descend(struct reader *r, const char *name, const char **base)
{
	int at = r->a->directory;

	for (const char *slash; (slash = strchr(name, '/')) != NULL; name = slash + 1) {
		char *part = words_format("%.*s", (int)(slash - name), name);
		bool made = mkdirat(at, part, 0700) == 0;
		int next = made || errno == EEXIST
			       ? openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
			       : -1;

		if (next < 0)
			fail(r, words_format("%s in it: %s", part, strerror(errno)));
		else if (made)
			dir_give(next, r->a->owner);
		free(part);
		if (at != r->a->directory)
			close(at);
		if (next < 0)
			return -1;
		at = next;
	}
	*base = name;
	return at;
}

static int
create(struct reader *r, const struct tar_entry *e)
{
	const char *base;
	int at = descend(r, e->name, &base), fd;

	if (at < 0)
		return -1;
	fd = openat(at, base, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		fail(r, errno == EEXIST ? words_format("%s stands in it twice", e->name)
					: words_format("%s: %s", e->name, strerror(errno)));
	else
		dir_give(fd, r->a->owner);
	if (at != r->a->directory)
		close(at);
	return fd;
}

static bool
keep(struct reader *r, int fd, const unsigned char *data, size_t len, const char *name)
{
	while (len > 0 && fd >= 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(
			    r, words_format("%s cannot be written: %s", name, strerror(errno)));
		data += n;
		len -= (size_t)n;
	}
	return true;
}

static uint32_t
big_endian(const unsigned char *at, size_t bytes)
{
	uint32_t n = 0;

	while (bytes-- > 0)
		n = n << 8 | *at++;
	return n;
}

/* Returns true if the header of the database states this size. Zeros compress to almost nothing,
 * so a size that is not true would let a small archive fill the disk. */
static bool
check_database(struct reader *r, const unsigned char *head, size_t len, uint64_t size)
{
	static const char magic[] = "SQLite format 3";
	uint64_t page;

	if (len < SQLITE_HEAD || memcmp(head, magic, sizeof(magic)) != 0)
		return fail(r, words_format("what should be the database in it is none"));
	page = big_endian(head + 16, 2);
	if (page == 1)
		page = 65536;
	if (page * big_endian(head + 28, 4) == size)
		return true;
	return fail(r, words_format("the database in it has another size than its own head says"));
}

/* Reads the content of a member. fd -1: only computes the checksum. */
static bool
take_content(struct reader *r, const struct tar_entry *e, int fd)
{
	unsigned char *part = xmalloc(PART);
	crypto_generichash_state state;
	uint64_t left = e->size;
	bool good = true, database = strcmp(e->name, SITE_DATABASE) == 0;

	crypto_generichash_init(&state, NULL, 0, BACKUP_SUM);
	while (good && left > 0) {
		size_t n = left < PART ? (size_t)left : PART;

		if (r->a->stop != NULL && atomic_load(r->a->stop))
			good = fail(r, words_format("it was told to stop"));
		good = good && take(r, part, n);
		if (good && database && left == e->size)
			good = check_database(r, part, n, e->size);
		good = good && keep(r, fd, part, n, e->name);
		if (!good)
			break;
		crypto_generichash_update(&state, part, n);
		left -= n;
		if (r->a->progress != NULL)
			r->a->progress(r->a->arg, "reading", e->size - left, e->size);
	}
	free(part);
	if (good)
		backup_sum(&r->sums, &state, e->name);
	return good && skip_padding(r, e);
}

static bool
take_file(struct reader *r, const struct tar_entry *e, bool wanted)
{
	const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = e->mtime } };
	int fd = -1;
	bool good;

	if (wanted && (!room_for(r, e) || (fd = create(r, e)) < 0))
		return false;
	good = take_content(r, e, fd);
	if (fd >= 0) {
		(void)futimens(fd, times);
		if (close(fd) != 0 && good)
			good = fail(r, words_format("%s: %s", e->name, strerror(errno)));
	}
	r->a->files++;
	r->a->bytes += e->size;
	return good;
}

/* Reads the key of the site, which is not one of the site's own files. */
static bool
take_key(struct reader *r, const struct tar_entry *e)
{
	if (e->size > KEY_MAX)
		return fail(r, words_format("the key in it is too large"));
	if (!take_file(r, e, !r->a->database_only))
		return false;
	r->a->files--;
	r->a->bytes -= e->size;
	return true;
}

/* Reads another file, which must be in a directory that belongs to the site. */
static bool
take_other(struct reader *r, const struct tar_entry *e)
{
	size_t len = strcspn(e->name, "/");
	char *top = words_format("%.*s", (int)len, e->name);
	bool good = e->name[len] == '/' && dir_belongs(top);

	free(top);
	if (!good)
		return fail(r, words_format("%s in it has no place in a site", e->name));
	if (r->sums.len > SUMS_MAX)
		return fail(r, words_format("it holds too many files"));
	return take_file(r, e, !r->a->database_only);
}

/* ---- checksums ---- */

/* Returns the name in the first line that differs, to be freed. */
static char *
first_difference(const char *ours, const char *theirs)
{
	size_t same = 0, line;

	while (ours[same] != '\0' && ours[same] == theirs[same])
		same++;
	for (line = same; line > 0 && ours[line - 1] != '\n';)
		line--;
	/* the archive lists more files than it has */
	if (strlen(ours + line) <= 2 * BACKUP_SUM + 2)
		return xstrdup("a file");
	ours += line + 2 * BACKUP_SUM + 2;
	return words_format("%.*s", (int)strcspn(ours, "\n"), ours);
}

static bool
take_sums(struct reader *r, const struct tar_entry *e)
{
	struct buf theirs = { 0 };
	bool good = take_text(r, e, r->sums.len + TAR_NAME_MAX, &theirs);

	if (good &&
	    (theirs.len != r->sums.len || memcmp(theirs.data, r->sums.data, theirs.len) != 0)) {
		char *name = first_difference(r->sums.data, theirs.data);

		good = fail(r, words_format("%s in it is not what its sum says: the archive is"
					    " damaged",
				   name));
		free(name);
	}
	buf_free(&theirs);
	return good;
}

/* ---- the whole archive ---- */

static bool
next(struct reader *r, struct tar_entry *e, bool *done)
{
	const char *why;

	switch (tar_next(get, r->a->from, e, &why)) {
	case TAR_ENTRY:
		*done = false;
		return true;
	case TAR_DONE:
		*done = true;
		return true;
	default:
		return why != NULL ? fail(r, words_format("the archive: %s", why)) : fail_stream(r);
	}
}

/* The description at the start states the size of the database: no more is unpacked. */
static bool
check_size(struct reader *r, const struct tar_entry *e)
{
	const json_t *bytes = json_object_get(r->a->head, "databaseBytes");

	if (json_is_integer(bytes) && json_integer_value(bytes) > 0 &&
	    (uint64_t)json_integer_value(bytes) == e->size)
		return true;
	return fail(
	    r, words_format("the database in it has another size than the archive's head says"));
}

/* Reads the first members, which have a fixed order. */
static bool
read_first(struct reader *r, struct tar_entry *e)
{
	bool done;

	if (!next(r, e, &done))
		return false;
	if (done)
		return fail(r, words_format("the archive is empty"));
	if (!take_description(r, e) || !next(r, e, &done))
		return false;
	if (done || strcmp(e->name, SITE_DATABASE) != 0)
		return fail(r, words_format("the database is not in the archive"));
	return check_size(r, e) && take_file(r, e, true);
}

/* Reads the site's files, up to the checksums. */
static bool
read_others(struct reader *r, struct tar_entry *e)
{
	bool done;

	while (next(r, e, &done)) {
		if (done)
			return fail(r, words_format("the archive has no sums: it is not whole"));
		if (strcmp(e->name, BACKUP_SUMS) == 0)
			return true;
		if (!(strcmp(e->name, DATADIR_KEY) == 0 ? take_key(r, e) : take_other(r, e)))
			return false;
	}
	return false;
}

static bool
read_members(struct reader *r, struct tar_entry *e)
{
	bool done;

	if (!read_first(r, e) || !read_others(r, e) || !take_sums(r, e) || !next(r, e, &done))
		return false;
	return done || fail(r, words_format("there is something behind the archive's end"));
}

bool
archive_read(struct archive *a, char **why)
{
	struct reader r = { .a = a, .why = why };
	struct tar_entry *e = xcalloc(1, sizeof(*e));
	bool good;

	*why = NULL;
	good = read_members(&r, e);
	free(e);
	buf_free(&r.sums);
	return good;
}

void
archive_free(struct archive *a)
{
	json_decref(a->head);
	a->head = NULL;
}
