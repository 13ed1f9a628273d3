/* store.c - the files that modules keep: made durable, found, forgotten. */
#include "work/store.h"
#include "base/arena.h"
#include "base/dir.h"
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "op/slow.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <stet/table.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define KEY_MAX 120
#define PIECE ((size_t)128 << 10)

bool
stet_file_key_good(const char *key)
{
	static const char good[] = "-_.0123456789abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t len = strspn(key, good);

	return len > 0 && len <= KEY_MAX && key[len] == '\0' && strchr("-_.", *key) == NULL;
}

/* ---- where they lie ---- */

static const char *
directory_of(struct stet_call *call, const char *module, const char *key)
{
	return stet_printf(call, "%s/" DATADIR_FILES "/%s/%02x", site_conf(call->site).data, module,
	    (unsigned)(XXH3_64bits(key, strlen(key)) & 0xff));
}

static const char *
path_of(struct stet_call *call, const char *module, const char *key)
{
	stet_assert(stet_file_key_good(key));
	return stet_printf(call, "%s/%s", directory_of(call, module, key), key);
}

static const char *
own(const struct stet_call *call)
{
	stet_assert(call->owner != NULL);
	return call->owner->m.name;
}

static enum stet_status
failed(struct stet_call *call, const char *path)
{
	if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
		return stet_fail(call, STET_INSUFFICIENT_STORAGE, NULL, "%s",
		    stet_status_text(STET_INSUFFICIENT_STORAGE));
	return stet_fault(call, "%s: %s", path, strerror(errno));
}

static enum stet_status
sync_directory(struct stet_call *call, const char *path)
{
	return dir_flush(path) ? STET_OK : failed(call, path);
}

/* The directory of a key, and those above it up to the data directory. */
static enum stet_status
make_directories(struct stet_call *call, const char *path, int depth)
{
	char *parent;
	enum stet_status status = STET_OK;

	if (mkdir(path, 0700) == 0)
		errno = 0;
	else if (errno == EEXIST)
		return STET_OK;
	parent = dir_parent_dup(path);
	if (errno == ENOENT && depth > 0) {
		status = make_directories(call, parent, depth - 1);
		errno = status == STET_OK && mkdir(path, 0700) != 0 ? errno : 0;
	}
	if (status == STET_OK && errno != 0 && errno != EEXIST)
		status = failed(call, path);
	if (status == STET_OK)
		status = sync_directory(call, parent);
	dir_give_path(path);
	free(parent);
	return status;
}

/* ---- what they hold ---- */

bool
store_sum(int fd, char out[STET_SHA256_SIZE])
{
	unsigned char *piece = xmalloc(PIECE), sum[crypto_hash_sha256_BYTES];
	crypto_hash_sha256_state state;
	off_t at = 0;
	ssize_t n;

	crypto_hash_sha256_init(&state);
	while ((n = pread(fd, piece, PIECE, at)) > 0 || (n == -1 && errno == EINTR)) {
		if (n == -1)
			continue;
		crypto_hash_sha256_update(&state, piece, (unsigned long long)n);
		at += n;
	}
	free(piece);
	crypto_hash_sha256_final(&state, sum);
	sodium_bin2hex(out, STET_SHA256_SIZE, sum, sizeof(sum));
	return n == 0;
}

enum stet_status
stet_file_sum(struct stet_call *call, const char *path, char out[STET_SHA256_SIZE])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum stet_status status = fd >= 0 && store_sum(fd, out) ? STET_OK : failed(call, path);

	if (fd >= 0)
		close(fd);
	return status;
}

/* ---- keeping ---- */

/* Give the file that lies at `from` the name of its key, so that both last. */
static enum stet_status
place(struct stet_call *call, const char *module, const char *from, const char *key)
{
	const char *directory = directory_of(call, module, key), *to = path_of(call, module, key);
	int fd = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	enum stet_status status = STET_OK;

	if (fd < 0 || fsync(fd) != 0)
		status = failed(call, from);
	if (fd >= 0)
		close(fd);
	STET_TRY(status);
	STET_TRY(make_directories(call, directory, 2));
	if (link(from, to) != 0)
		return errno == EEXIST
			   ? stet_fail(call, STET_CONFLICT, NULL, "There is a file %s already", key)
			   : failed(call, to);
	status = sync_directory(call, directory);
	if (status != STET_OK)
		(void)unlink(to);
	else
		(void)unlink(from);
	return status;
}

enum stet_status
stet_file_keep(struct stet_call *call, const struct stet_part *part, const char *key,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg)
{
	const char *path = path_of(call, own(call), key);
	enum stet_status status;

	stet_assert(part->path != NULL && !stet_writing(call));
	STET_TRY(place(call, own(call), part->path, key));
	status = stet_write_lane(call, fn, arg);
	/* After a fault of the disk a commit may yet be found there: then the sweep decides. */
	if (status != STET_OK && status != STET_FAULT && unlink(path) != 0)
		stet_log(call, STET_WARN, "%s: %s", path, strerror(errno));
	return status;
}

/* ---- finding ---- */

enum stet_status
stet_file_open_of(struct stet_call *call, const char *module, const char *key, int *fd)
{
	const char *path;

	*fd = -1;
	if (!stet_file_key_good(key))
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	path = path_of(call, module, key);
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (*fd >= 0)
		return STET_OK;
	if (errno == ENOENT)
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	return failed(call, path);
}

enum stet_status
stet_file_open(struct stet_call *call, const char *key, int *fd)
{
	return stet_file_open_of(call, own(call), key, fd);
}

static void
add_column(struct stet_sql *sql, const char *name)
{
	stet_sql_add(sql, ", ");
	if (name != NULL)
		stet_sql_ident(sql, "", name);
	else
		stet_sql_add(sql, "NULL");
}

enum stet_status
stet_file_each_sized(struct stet_call *call, const char *module,
    const struct stet_file_column *column, size_t column_size,
    enum stet_status (*fn)(struct stet_call *, const struct stet_file_row *, void *), void *arg)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_file_column c;
	struct stet_rows rows;

	stet_extend(&c, sizeof(c), column, column_size);
	stet_sql_add(sql, "SELECT ");
	stet_sql_ident(sql, "", c.key);
	add_column(sql, c.size);
	add_column(sql, c.sha256);
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, "", c.table);
	stet_sql_add(sql, " WHERE ");
	stet_sql_ident(sql, "", c.key);
	stet_sql_add(sql, " IS NOT NULL ORDER BY 1");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		int64_t size = stet_col_int(&rows, 1);
		const struct stet_file_row row = { .module = module,
			.key = stet_col_dup(&rows, 0),
			.size = stet_col_null(&rows, 1) ? NULL : &size,
			.sha256 = stet_col_dup(&rows, 2) };

		STET_TRY(fn(call, &row, arg));
	}
	return stet_rows_end(&rows);
}

/* ---- forgetting ---- */

bool
store_unlink(const char *data, int dir, const char *path)
{
	static pthread_mutex_t one =
	    PTHREAD_MUTEX_INITIALIZER; /* removers do not keep each other out */
	bool gone;
	int lock;

	pthread_mutex_lock(&one);
	lock = dir_files_seize(data);
	gone = lock >= 0 && unlinkat(dir, path, 0) == 0;
	if (lock >= 0 && !gone && errno != ENOENT)
		log_line(STET_WARN, "cannot remove \"%s\": %s", path, strerror(errno));
	if (lock >= 0)
		close(lock);
	pthread_mutex_unlock(&one);
	return gone;
}

struct removal {
	char *data, *path;
};

static void
remove_now(void *arg)
{
	struct removal *r = arg;

	(void)store_unlink(r->data, AT_FDCWD, r->path);
	free(r->data);
	free(r->path);
	free(r);
}

/* A file of gigabytes takes the disk a while: not on the writer. What stays is swept. */
static void
committed(struct stet_call *call, void *arg)
{
	struct removal *r = xmalloc(sizeof(*r));

	*r = (struct removal){ xstrdup(site_conf(call->site).data), xstrdup(arg) };
	if (!slow_submit(remove_now, r))
		remove_now(r);
}

void
stet_file_forget_of(struct stet_call *call, struct stet_tx *tx, const char *module, const char *key)
{
	(void)tx;
	if (stet_file_key_good(key))
		call_on_commit(call, committed, (void *)(uintptr_t)path_of(call, module, key));
}

void
stet_file_forget(struct stet_call *call, struct stet_tx *tx, const char *key)
{
	stet_file_forget_of(call, tx, own(call), key);
}

/* ---- copies ---- */

static bool
copy_bytes(int from, int to)
{
	char *piece = xmalloc(PIECE);
	off_t at = 0;
	ssize_t n;

	while ((n = pread(from, piece, PIECE, at)) > 0) {
		if (write(to, piece, (size_t)n) != n) {
			n = -1;
			break;
		}
		at += n;
	}
	free(piece);
	return n == 0;
}

static enum stet_status
copy_in(struct stet_call *call, const char *module, const char *key, int from)
{
	char *path = stet_printf(call, "%s/upload-XXXXXX", call->site->tmp_path);
	int fd = mkostemp(path, O_CLOEXEC);
	enum stet_status status;
	bool good;

	if (fd < 0)
		return failed(call, path);
	dir_give(fd, call->site->tmp_path);
	good = copy_bytes(from, fd);
	good = close(fd) == 0 && good;
	status = good ? place(call, module, path, key) : failed(call, path);
	if (status != STET_OK)
		(void)unlink(path);
	return status;
}

enum stet_status
stet_file_copy(struct stet_call *call, const char *module, const char *key, int from, bool *is_new)
{
	char mine[STET_SHA256_SIZE], theirs[STET_SHA256_SIZE];
	enum stet_status status;
	bool good;
	int fd;

	if (!stet_file_key_good(key))
		return stet_fail(
		    call, STET_INVALID_INPUT, NULL, "\"%s\" is no name of a file", key);
	status = stet_file_open_of(call, module, key, &fd);
	*is_new = status == STET_NOT_FOUND;
	if (*is_new) {
		stet_error_clear(call);
		return copy_in(call, module, key, from);
	}
	STET_TRY(status);
	good = store_sum(fd, mine) && store_sum(from, theirs);
	close(fd);
	if (!good)
		return failed(call, key);
	if (strcmp(mine, theirs) != 0)
		return stet_fail(
		    call, STET_CONFLICT, NULL, "Another file is kept as %s already", key);
	return STET_OK;
}
