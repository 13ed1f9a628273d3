/*
 * file.h - responses that are files, and files that a module stores. The core stores and sends
 * them, with ranges and conditional requests; the module decides who may read a file and what
 * its type is.
 */
#ifndef STET_FILE_H
#define STET_FILE_H

#include <stet/call.h>

/* How a browser handles a file. */
enum stet_file_show {
	STET_FILE_SAFE, /* shown if it is an image, video or audio, which cannot run scripts;
			   otherwise downloaded */
	STET_FILE_SAVE,
	STET_FILE_SHOW /* shown even if it may contain scripts: only for files that this site's own
			  code made */
};

struct stet_file_answer {
	/* The media type; may be what a client sent at upload. NULL, and text that is not a
	 * media type, is sent as application/octet-stream. Browsers are told not to guess
	 * another. */
	const char *type;
	const char *name; /* the file name for a download, need not be trusted; NULL: none */
	enum stet_file_show show;
	const char *cache; /* Cache-Control; NULL: "private, no-store" */
	/* The entity tag of exactly these bytes (a digest), without quotes. Clients use it to
	 * resume a download and to validate a cached copy. NULL: they only have the date. */
	const char *tag;
	int64_t modified; /* milliseconds since the epoch; 0: the file's own time */
	/* Content-Security-Policy; NULL: "sandbox; default-src 'none'; img-src 'self'; style-src
	 * 'unsafe-inline'" */
	const char *policy;
	/* New fields go here, and nowhere else. */
};

/* For an op with STET_FILE, in the read or the slow lane: answers with this file, from its
 * beginning to its present end. Takes the descriptor, also on failure. The core sends the bytes
 * from the disk to the socket after the handler has returned: the file may be removed meanwhile,
 * but nobody may write to it. The core answers HEAD, Range, If-Range, If-Match, If-None-Match,
 * If-Modified-Since and If-Unmodified-Since (RFC 9110). */
STET_MUST static inline enum stet_status stet_reply_file(
    struct stet_call *, int fd, const struct stet_file_answer *);

/* ---- files that a module stores ---- */

/* A column that names the module's files, for the table `files` of its descriptor. The rows
 * decide which files exist: "stet verify" compares the files with them, "stet export" includes
 * the files of tables that it moves, and a file that no row names for some hours is removed. A
 * file is written once and never changed. Files lie in the site's data directory, so a backup
 * includes them; each module has its own name space. */
struct stet_file_column {
	const char *table, *key; /* the column needs an index */
	const char *size,
	    *sha256; /* columns with the size and digest of the file; NULL: there is none */
	/* New fields go here, and nowhere else. */
};

/* Returns true for a valid key: 1 to 120 ASCII letters, digits, dots, hyphens and underscores; a
 * letter or digit first. */
STET_API bool stet_file_key_good(const char *);
#define STET_SHA256_SIZE 65 /* as text in lower case, with the NUL */
/* The SHA-256 of a file, such as the temporary file of a part. Reads the whole file: for the
 * slow lane. */
STET_API STET_MUST enum stet_status stet_file_sum(
    struct stet_call *, const char *path, char sha256[STET_SHA256_SIZE]);
/* Writes these bytes to a temporary file, which can be stored like the file of a part. It is
 * removed when the call ends. *path lives as long as the call. For the slow lane. */
STET_API STET_MUST enum stet_status stet_file_temporary(
    struct stet_call *, const void *bytes, size_t len, const char **path);
/* Like stet_file_temporary, with a copy of an open file, from its beginning. */
STET_API STET_MUST enum stet_status stet_file_temporary_copy(
    struct stet_call *, int from, const char **path);
/* In the slow lane: stores a part of stet_parts that is in a temporary file under a new key,
 * then runs fn in the write lane, which inserts the row that names it. The file is on the disk
 * before fn runs. If fn fails it is removed at once; after a fault or a crash it is removed
 * later. The part's temporary file is moved, so part->path is not valid any more. */
STET_API STET_MUST enum stet_status stet_file_keep(struct stet_call *, const struct stet_part *,
    const char *key, enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *),
    void *arg);
/* Opens a file for reading, for stet_reply_file. The caller owns the descriptor. Fails with
 * NOT_FOUND. A file in a bucket may have to be fetched first: in the read lane that fails with
 * UNAVAILABLE, so an op that opens files is in the slow lane, or has a `choose` that returns
 * STET_SLOW unless stet_file_here returns true. */
STET_API STET_MUST enum stet_status stet_file_open(struct stet_call *, const char *key, int *fd);
/* Returns true if opening the file needs no other machine. The file need not exist. */
STET_API bool stet_file_here(struct stet_call *, const char *key);
/* If the site has its files in a bucket and `s3-redirect` is set, *url is a URL, valid for an hour,
 * from which a client can read the file, with the type, name and Cache-Control of the answer; for
 * stet_redirect. Otherwise *url is NULL. Any lane. */
STET_MUST static inline enum stet_status stet_file_url(
    struct stet_call *, const char *key, const struct stet_file_answer *, const char **url);
/* If the site has its files in a bucket, *url is a URL, valid for `seconds`, to which a client can
 * PUT exactly `size` bytes of this type. No row names the uploaded file, so it is removed some
 * hours later unless stet_file_take fetches it before. *url is NULL if there is no bucket, or if
 * `size` is too large for one request to the bucket. Any lane. */
STET_API STET_MUST enum stet_status stet_file_target(struct stet_call *, const char *key,
    const char *type, int64_t size, int64_t seconds, const char **url);
STET_API bool stet_file_has_targets(struct stet_call *);
/* Returns true if stet_file_url returns URLs on this site. */
STET_API bool stet_file_has_urls(struct stet_call *);
/* The origin of the URLs of stet_file_url, for a Content-Security-Policy
 * ("https://files.example.org"); NULL: there are none. */
STET_API const char *stet_file_origin(struct stet_call *);
/* Fetches a file that a client sent to a stet_file_target into a temporary file: part->path and
 * part->size. Fails with NOT_FOUND, and with PAYLOAD_TOO_LARGE for more than `most` bytes. Slow
 * lane. */
STET_API STET_MUST enum stet_status stet_file_take(
    struct stet_call *, const char *key, int64_t most, struct stet_part *part);
/* Removes the file once this transaction is committed; if a backup runs, some hours later. Call
 * it together with the DELETE of its row. */
STET_API void stet_file_forget(struct stet_call *, struct stet_tx *, const char *key);

/* ---- files that a module makes from its stored files, such as smaller copies of images ---- */

/* Opens a file that the module derives from this stored file. `form` names the derived file, in 1
 * to 32 ASCII letters and digits. Stored files never change, so the same form must always give the
 * same bytes. If the derived file does not exist, make(call, from, to, arg) reads the stored file
 * and writes the derived one to the empty file `to`, once for concurrent requests. If make fails,
 * so does this. Derived files are kept in the file cache of the site (file-cache of stet.conf(5)),
 * which evicts the least recently used; they are not in backups, and are removed with the stored
 * file. The caller owns the descriptor. Fails with NOT_FOUND if there is no such stored file. In
 * the read and write lanes, fails with UNAVAILABLE if the derived file does not exist; if the
 * handler of a request in the read lane returns that, the core runs it again in the slow lane. */
STET_API STET_MUST enum stet_status stet_file_derive(struct stet_call *, const char *key,
    const char *form, enum stet_status (*make)(struct stet_call *, int from, int to, void *arg),
    void *arg, int *fd);
/* Number and size of derived files. */
struct stet_file_derived {
	int64_t count, bytes;
	int64_t most; /* bytes of the file cache of the site, which keeps other files too */
	/* New fields go here, and nowhere else. */
};
/* Counts the cached files that the module derived from one of its files; key NULL: from all its
 * files. With `drop` it also removes them; they are made again on demand. Reads a directory: for
 * the slow lane. */
STET_MUST static inline enum stet_status stet_file_derived(
    struct stet_call *, const char *key, bool drop, struct stet_file_derived *out);

/* For modules that move a site: open a file of another module; store a copy of a file for that
 * module, unless it exists (CONFLICT: the key belongs to a file with other content); remove a file
 * whose row is deleted. */
STET_API STET_MUST enum stet_status stet_file_open_of(
    struct stet_call *, const char *module, const char *key, int *fd);
STET_API STET_MUST enum stet_status stet_file_copy(
    struct stet_call *, const char *module, const char *key, int from, bool *is_new);
STET_API void stet_file_forget_of(
    struct stet_call *, struct stet_tx *, const char *module, const char *key);

/* A row that names a file. Valid while fn runs. */
struct stet_file_row {
	const char *module, *key;
	const int64_t *size; /* NULL: the row has none */
	const char *sha256; /* NULL: the row has none */
	/* New fields go here, and nowhere else. */
};
/* Runs fn for each row of a column of the module, in the order of the keys, until fn fails. Keys
 * come from the rows as they are: fn must expect invalid ones. */
STET_MUST static inline enum stet_status stet_file_each(struct stet_call *, const char *module,
    const struct stet_file_column *,
    enum stet_status (*fn)(struct stet_call *, const struct stet_file_row *, void *), void *arg);

/* Checks that a file exists and has the size and digest of its row. Reads the whole file. Returns a
 * description of the difference, owned by the call, or NULL. */
static inline const char *stet_file_check(struct stet_call *, const struct stet_file_row *);
/* Removes the module's files that no row has named for an hour, as the daemon does every few hours.
 * *gone is their number. */
STET_API STET_MUST enum stet_status stet_file_sweep(struct stet_call *, int64_t *gone);

/* The progress of a move of files. */
struct stet_file_moving {
	int64_t of, count; /* rows that name a file; how many of them are done */
	int64_t copied, bytes; /* copied files and their bytes */
	int64_t removed, wrong; /* removed originals; files with a problem */
	const char *problem; /* the problem of the latest file; NULL: none */
	const char *kept; /* why originals stay; NULL: they are removed */
	/* New fields go here, and nowhere else. */
};
/* Moves the files of all modules of the site to the driver of this name (`files` in stet.conf) from
 * the other driver. Copies each file that the target lacks, and compares digests. If stet.conf
 * already names the target and no daemon runs, then removes the originals and files that no row
 * names. It may be killed at any time; another call continues the move. Calls fn for each file. A
 * file with a problem is reported and skipped; a problem of all files (a full disk, a bucket that
 * does not respond) fails. For commands. */
STET_API STET_MUST enum stet_status stet_file_move(struct stet_call *, const char *to,
    void (*fn)(struct stet_call *, const struct stet_file_moving *, void *), void *arg);

/* ---- the host's side of the functions above: it is told the sizes of the structures in the
 * caller's headers ---- */

STET_API STET_MUST enum stet_status stet_reply_file_sized(
    struct stet_call *, int fd, const struct stet_file_answer *, size_t);
STET_API STET_MUST enum stet_status stet_file_each_sized(struct stet_call *, const char *module,
    const struct stet_file_column *, size_t,
    enum stet_status (*fn)(struct stet_call *, const struct stet_file_row *, void *), void *arg);

STET_API STET_MUST enum stet_status stet_file_derived_sized(
    struct stet_call *, const char *key, bool drop, struct stet_file_derived *, size_t);

static inline enum stet_status
stet_file_derived(struct stet_call *call, const char *key, bool drop, struct stet_file_derived *out)
{
	return stet_file_derived_sized(call, key, drop, out, sizeof(*out));
}

STET_API const char *stet_file_check_sized(
    struct stet_call *, const struct stet_file_row *, size_t);

static inline const char *
stet_file_check(struct stet_call *call, const struct stet_file_row *row)
{
	return stet_file_check_sized(call, row, sizeof(*row));
}

static inline enum stet_status
stet_reply_file(struct stet_call *call, int fd, const struct stet_file_answer *answer)
{
	return stet_reply_file_sized(call, fd, answer, sizeof(*answer));
}

STET_API STET_MUST enum stet_status stet_file_url_sized(
    struct stet_call *, const char *key, const struct stet_file_answer *, size_t, const char **url);

static inline enum stet_status
stet_file_url(struct stet_call *call, const char *key, const struct stet_file_answer *answer,
    const char **url)
{
	return stet_file_url_sized(call, key, answer, sizeof(*answer), url);
}

static inline enum stet_status
stet_file_each(struct stet_call *call, const char *module, const struct stet_file_column *column,
    enum stet_status (*fn)(struct stet_call *, const struct stet_file_row *, void *), void *arg)
{
	return stet_file_each_sized(call, module, column, sizeof(*column), fn, arg);
}

#endif
