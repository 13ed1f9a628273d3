/*
 * backup.c - writes the archive of a site.
 *
 * The database is copied first, inside one read transaction (dbcopy.h), to a file that is checked
 * and then packed. After that the files are packed. Reading and writing are paced (pace.h), so that
 * the daemon beside it stays fast.
 */
#include "backup/backup.h"
#include "archive/pack.h"
#include "archive/tar.h"
#include "backup/copied.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/pace.h"
#include "base/words.h"
#include "config.h"
#include "db/ask.h"
#include "secrets/sealed.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART 131072
#define DEPTH_MAX 32 /* levels of nested directories */

/* The state of writing one archive. */
struct maker {
	struct backup *b;
	struct pace pace;
	struct pack pack;
	struct buf sums;
	char key[SITEKEY_TEXT + 1]; /* key of the site, as a line; "": the archive has none */
	char *copy; /* path of the database's copy; NULL: the copy has no name any more */
	int copy_fd;
	char **why;
};

static bool
fail(struct maker *m, char *why)
{
	if (*m->why == NULL)
		*m->why = why;
	else
		free(why);
	return false;
}

/* ---- the copy of the database ---- */

/* The lock tells the daemon's sweep that the file is in use. */
static bool
copy_create(struct maker *m, const char *directory)
{
	m->copy = words_format("%s/" DATADIR_COPY "XXXXXX", directory);
	if (mkdir(directory, 0700) == 0) /* the site was restored and not opened since */
		dir_give_path(directory);
	m->copy_fd = mkostemp(m->copy, O_CLOEXEC);
	if (m->copy_fd >= 0 && flock(m->copy_fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	fail(m, words_format("%s: %s", m->copy, strerror(errno)));
	if (m->copy_fd < 0) {
		free(m->copy);
		m->copy = NULL;
	}
	return false;
}

static void
copy_drop(struct maker *m)
{
	if (m->copy != NULL)
		(void)unlink(m->copy);
	free(m->copy);
	m->copy = NULL;
}

/* ---- members ---- */

static bool
put(struct maker *m, const void *data, size_t len)
{
	return pack_put(&m->pack, data, len) || fail(m, xstrdup(m->pack.why));
}

static bool
put_head(struct maker *m, const struct tar_entry *e)
{
	struct buf head = { 0 };
	bool good;

	tar_head(&head, e);
	good = put(m, head.data, head.len);
	buf_free(&head);
	return good;
}

static bool
put_end(struct maker *m, const struct tar_entry *e)
{
	static const char zeros[TAR_BLOCK];

	return put(m, zeros, tar_padding(e->size));
}

void
backup_sum(struct buf *sums, crypto_generichash_state *state, const char *name)
{
	unsigned char sum[BACKUP_SUM];
	char hex[2 * BACKUP_SUM + 1];

	crypto_generichash_final(state, sum, sizeof(sum));
	sodium_bin2hex(hex, sizeof(hex), sum, sizeof(sum));
	buf_printf(sums, "%s  %s\n", hex, name);
}

static bool
put_text(struct maker *m, const char *name, const char *text, size_t len)
{
	struct tar_entry e = { .size = len, .mtime = clock_now() / 1000 };
	crypto_generichash_state state;

	(void)snprintf(e.name, sizeof(e.name), "%s", name);
	crypto_generichash_init(&state, NULL, 0, BACKUP_SUM);
	crypto_generichash_update(&state, (const unsigned char *)text, len);
	if (!put_head(m, &e) || !put(m, text, len) || !put_end(m, &e))
		return false;
	backup_sum(&m->sums, &state, name);
	return true;
}

/* Packs exactly the size that the header states, even if the file changes meanwhile. */
static bool
put_content(struct maker *m, int fd, const struct tar_entry *e, crypto_generichash_state *state)
{
	unsigned char *part = xmalloc(PART);
	uint64_t left = e->size;
	bool good = true;

	while (good && left > 0) {
		ssize_t n = read(fd, part, left < PART ? (size_t)left : PART);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			good = fail(m,
			    n < 0 ? words_format("%s: %s", e->name, strerror(errno))
				  : words_format("%s became shorter while it was read", e->name));
			break;
		}
		crypto_generichash_update(state, part, (size_t)n);
		good = put(m, part, (size_t)n);
		left -= (uint64_t)n;
		if (m->b->progress != NULL)
			m->b->progress(m->b->arg, "writing", e->size - left, e->size);
	}
	free(part);
	return good;
}

static bool
put_file(struct maker *m, int fd, const char *name, const struct stat *st)
{
	struct tar_entry e = { .size = (uint64_t)st->st_size, .mtime = st->st_mtime };
	crypto_generichash_state state;

	(void)snprintf(e.name, sizeof(e.name), "%s", name);
	crypto_generichash_init(&state, NULL, 0, BACKUP_SUM);
	if (!put_head(m, &e) || !put_content(m, fd, &e, &state) || !put_end(m, &e))
		return false;
	/* Pages that are read once should not evict pages that are used all day. */
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	backup_sum(&m->sums, &state, name);
	return true;
}

/* ---- the files ---- */

static bool walk(struct maker *, int fd, struct buf *name, int depth);

static bool
avoided(const struct maker *m, const struct stat *st)
{
	return st->st_dev == m->b->avoid_device && st->st_ino == m->b->avoid;
}

/* Visits an entry below the top level. fd -1: a symbolic link, or a file that cannot be opened
 * without blocking. */
static bool
visit_open(struct maker *m, int fd, struct buf *name, int depth)
{
	struct stat st;
	bool good = true;

	if (fd < 0 || fstat(fd, &st) != 0 || !tar_name_good(name->data) || depth > DEPTH_MAX)
		m->b->left_out++;
	else if (avoided(m, &st))
		good = true;
	else if (S_ISDIR(st.st_mode))
		return walk(m, fd, name, depth + 1);
	else if (S_ISREG(st.st_mode)) {
		good = put_file(m, fd, name->data, &st);
		m->b->files++;
		m->b->file_bytes += (uint64_t)st.st_size;
	} else
		m->b->left_out++;
	if (fd >= 0)
		close(fd);
	return good;
}

static bool
visit(struct maker *m, int parent, const char *base, struct buf *name, int depth)
{
	int fd = openat(parent, base,
	    O_RDONLY | O_CLOEXEC | O_NONBLOCK | (depth > 0 ? O_NOFOLLOW : O_DIRECTORY));

	/* A file deleted since its record was, or a file beside the database. */
	if (fd < 0 && (errno == ENOENT || (depth == 0 && errno == ENOTDIR)))
		return true;
	if (fd < 0 && errno != ELOOP && errno != ENXIO)
		return fail(m, words_format("%s: %s", name->data, strerror(errno)));
	return visit_open(m, fd, name, depth);
}

/* Packs a directory. Closes fd. */
static bool
walk(struct maker *m, int fd, struct buf *name, int depth)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *entry;
	size_t len = name->len;
	bool good = true;

	if (dir == NULL) {
		close(fd);
		return fail(m, words_format("%s: %s", name->data, strerror(errno)));
	}
	while (good && (errno = 0, entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (depth == 0 && !dir_belongs(entry->d_name))
			continue;
		buf_printf(name, "%s%s", len > 0 ? "/" : "", entry->d_name);
		good = visit(m, dirfd(dir), entry->d_name, name, depth);
		name->len = len;
		name->data[len] = '\0';
	}
	if (good && entry == NULL && errno != 0)
		good = fail(m, words_format("%s: %s", name->data, strerror(errno)));
	closedir(dir);
	return good;
}

static bool
put_files(struct maker *m)
{
	int fd = open(m->b->data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct buf name = { 0 };
	bool good;

	if (fd < 0)
		return fail(m, words_format("%s: %s", m->b->data, strerror(errno)));
	buf_str(&name, "");
	good = walk(m, fd, &name, 0);
	buf_free(&name);
	return good;
}

/* ---- the key of the site ---- */

/* Finds the key with which the copy of the database is sealed; the key file may hold a newer one
 * by now. Returns NULL, or why it cannot be read, to be freed. */
static char *
choose_key(struct maker *m, const char *id, const char *path)
{
	const struct sitekey *key;
	struct sitekeys keys;
	char *why = NULL;

	if (sitekey_read(path, &keys, &why) != SITEKEY_THERE)
		return why;
	if ((key = sitekey_find(&keys, id)) == NULL)
		why = words_format("%s holds another key than %s", path, id);
	else {
		sitekey_text(key, m->key);
		m->key[strlen(m->key)] = '\n'; /* the rest is zeros, with room for this */
	}
	sitekey_wipe(&keys);
	return why;
}

/* Only a sealed archive contains the key, which opens the database's sealed values. Without the
 * key the content is still worth a backup. */
static void
take_key(struct maker *m)
{
	char *id, *path;

	if (m->b->key == NULL || m->b->key->kind == SEAL_NONE)
		return;
	if ((id = sealed_key_id(m->copy)) == NULL)
		return;
	path = sitekey_path(m->b->data, m->b->key_file);
	m->b->keyless = choose_key(m, id, path);
	free(path);
	free(id);
}

static bool
put_key(struct maker *m)
{
	return m->key[0] == '\0' || put_text(m, DATADIR_KEY, m->key, strlen(m->key));
}

/* ---- the whole archive ---- */

static bool
put_description(struct maker *m)
{
	char *why = NULL, *text;
	json_t *journal = db_ask_journal(m->copy, &why), *head;
	bool good;

	if (journal == NULL)
		return fail(m, why);
	head = json_pack("{s:i, s:s, s:s, s:s, s:I, s:o}", "format",
	    m->key[0] != '\0' ? BACKUP_FORMAT : 1, "stet", PACKAGE_VERSION, "site", m->b->site,
	    "createdAt", m->b->created_at, "databaseBytes", (json_int_t)m->b->database_bytes,
	    "migrations", journal);
	text = json_dumps(head, JSON_INDENT(1));
	json_decref(head);
	if (text == NULL)
		return fail(m, words_format("the archive's head cannot be written"));
	good = put_text(m, BACKUP_HEAD, text, strlen(text));
	free(text);
	return good;
}

/* The copy loses its name before it is packed, so that nothing of it remains if the process is
 * killed. */
static bool
put_database(struct maker *m)
{
	struct stat st;

	copy_drop(m);
	if (fstat(m->copy_fd, &st) != 0 || lseek(m->copy_fd, 0, SEEK_SET) != 0)
		return fail(m, words_format("the copy of the database: %s", strerror(errno)));
	return put_file(m, m->copy_fd, SITE_DATABASE, &st);
}

static bool
put_all(struct maker *m)
{
	static const char zeros[TAR_END];

	if (!pack_begin(&m->pack, m->b->fd, m->b->compress, m->b->key, &m->pace))
		return fail(m, xstrdup(m->pack.why));
	take_key(m);
	if (!put_description(m) || !put_database(m) || !put_key(m) || !put_files(m) ||
	    !put_text(m, BACKUP_SUMS, m->sums.data, m->sums.len) || !put(m, zeros, sizeof(zeros)))
		return false;
	if (!pack_end(&m->pack))
		return fail(m, xstrdup(m->pack.why));
	m->b->bytes = m->pack.written;
	crypto_generichash_final(&m->pack.sum, m->b->sum, sizeof(m->b->sum));
	return true;
}

bool
backup_write(struct backup *b, char **why)
{
	struct maker m = { .b = b,
		.pace = { .rate = b->rate, .stop = b->stop },
		.pack = { .fd = -1 },
		.copy_fd = -1,
		.why = why };
	char *words = NULL, *directory = words_format("%s/" DATADIR_TMP, b->data);
	int held = dir_files_hold(b->data);
	bool good;

	*why = NULL;
	clock_text(clock_now(), b->created_at);
	good = copied_room(b, &words) || fail(&m, words);
	good = good && copy_create(&m, directory) &&
	       (copied_write(b, m.copy, m.copy_fd, &words) || fail(&m, words));
	good = good && put_all(&m);
	copy_drop(&m);
	pace_drop(m.copy_fd);
	if (held >= 0)
		close(held);
	pack_free(&m.pack);
	sodium_memzero(m.key, sizeof(m.key));
	buf_free(&m.sums);
	free(directory);
	return good;
}

void
backup_free(struct backup *b)
{
	free(b->damage);
	free(b->keyless);
	b->damage = b->keyless = NULL;
}

/* ---- a file ---- */

/* Reads the file again and returns true if the disk has what was written. */
static bool
read_again(struct backup *b, const char *path, char **why)
{
	unsigned char sum[sizeof(b->sum)], *part = xmalloc(PART);
	crypto_generichash_state state;
	ssize_t n = -1;

	crypto_generichash_init(&state, NULL, 0, sizeof(sum));
	(void)posix_fadvise(b->fd, 0, 0, POSIX_FADV_DONTNEED);
	if (lseek(b->fd, 0, SEEK_SET) == 0)
		while ((n = read(b->fd, part, PART)) > 0)
			crypto_generichash_update(&state, part, (size_t)n);
	free(part);
	crypto_generichash_final(&state, sum, sizeof(sum));
	if (n == 0 && memcmp(sum, b->sum, sizeof(sum)) == 0)
		return true;
	*why = n < 0 ? words_format("%s cannot be read again: %s", path, strerror(errno))
		     : words_format("%s reads otherwise than it was written: the disk is not to be"
				    " trusted",
			   path);
	return false;
}

static bool
move(const char *from, const char *to, bool force, char **why)
{
	int old = force ? pace_hold(AT_FDCWD, to) : -1;
	int rc =
	    force ? rename(from, to) : renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);

	if (rc != 0 && !force && errno == EINVAL) /* the file system lacks RENAME_NOREPLACE */
		rc = access(to, F_OK) == 0 ? (errno = EEXIST, -1) : rename(from, to);
	if (rc != 0)
		*why = words_format("%s: %s", to, strerror(errno));
	pace_drop(old);
	return rc == 0;
}

static bool
free_to_write(const char *path, bool force, char **why)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return true;
	if (!S_ISREG(st.st_mode))
		*why = words_format("%s is there, and no file", path);
	else if (!force)
		*why = words_format("%s is there already; --force replaces it", path);
	return *why == NULL;
}

static bool
write_file(struct backup *b, const char *path, const char *part, bool force, char **why)
{
	if (!backup_write(b, why))
		return false;
	if (fsync(b->fd) != 0) {
		*why = words_format("%s cannot be written: %s", part, strerror(errno));
		return false;
	}
	return read_again(b, path, why) && move(part, path, force, why);
}

/* Excludes the output file itself, in case it is among the site's files. */
static void
avoid_itself(struct backup *b)
{
	struct stat st;

	if (b->avoid != 0 || fstat(b->fd, &st) != 0)
		return;
	b->avoid_device = st.st_dev;
	b->avoid = st.st_ino;
}

bool
backup_file(struct backup *b, const char *path, bool force, char **why)
{
	const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
	char *directory = dir_parent_dup(path);
	char *part = words_format("%s/.%s.XXXXXX", directory, base);
	bool good = false;

	*why = NULL;
	b->fd = -1;
	if (free_to_write(path, force, why) && (b->fd = mkostemp(part, O_CLOEXEC)) < 0)
		*why = words_format("%s: %s", directory, strerror(errno));
	if (b->fd >= 0) {
		avoid_itself(b);
		dir_give(b->fd, directory);
		good = write_file(b, path, part, force, why);
		if (!good)
			(void)unlink(part);
		close(b->fd);
		good = good && dir_sync(directory, why);
	}
	free(part);
	free(directory);
	return good;
}
