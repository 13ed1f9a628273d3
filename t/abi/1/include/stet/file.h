/*
 * file.h - files: answers that are files, and files that a module keeps. The core stores them and
 * sends them, with ranges and conditions; who may have which, and what it is, is the module's to
 * say.
 */
#ifndef STET_FILE_H
#define STET_FILE_H

#include <stet/call.h>

/* How a browser is to take a file. */
enum stet_file_show {
	STET_FILE_SAFE, /* shown when it is a picture, a film or a sound, which run nothing; else
			 * saved
			 */
	STET_FILE_SAVE,
	STET_FILE_SHOW /* also what may hold scripts: only for what nobody but us has made */
};

struct stet_file_answer {
	/* As the client said it when it was uploaded, if you like: what is no media type is sent as
	 * application/octet-stream. NULL: that, too. Browsers never guess another. */
	const char *type;
	const char *name; /* under which it is saved; hostile; NULL: none */
	enum stet_file_show show;
	const char *cache; /* Cache-Control; NULL: "private, no-store" */
	/* The entity tag, without quotes, of these very bytes (a digest of them): with it a client
	 * goes on where it stopped, and asks whether it has them. NULL: only by the date. */
	const char *tag;
	int64_t modified; /* milliseconds since the epoch; 0: as the file has it */
	/* Content-Security-Policy; NULL: "sandbox; default-src 'none'; img-src 'self'; style-src
	 * 'unsafe-inline'" */
	const char *policy;
	/* New fields go here, and nowhere else. */
};

/*
 * For an op with STET_FILE, in the read or the slow lane: answer with this file, from its beginning
 * to the end that it has now. The descriptor is the call's from here on, whatever comes of it. The
 * bytes go from the disk to the socket without passing through the handler, as the client takes
 * them: a file may be removed meanwhile, but must not be written to. HEAD, Range, If-Range,
 * If-Match, If-None-Match, If-Modified-Since and If-Unmodified-Since are answered by the core.
 */
STET_API STET_MUST enum stet_status stet_reply_file(
    struct stet_call *, int fd, const struct stet_file_answer *);

/* ---- files that a module keeps ---- */

/*
 * A column of the module's that names files, for the table `files` of its descriptor. The rows are
 * the truth: "stet verify" holds the files against them, "stet export" brings along those of tables
 * that it moves, and what no row names for hours is removed. A file is written once and never
 * changed. Files lie in the site's data directory, where a backup finds them; each module has its
 * own.
 */
struct stet_file_column {
	const char *table, *key; /* with an index */
	const char *size, *sha256; /* columns that say what it has; NULL: none does */
	/* New fields go here, and nowhere else. */
};

/* 1 to 120 letters, digits, dots, hyphens and underscores, of ASCII; a letter or digit first. */
STET_API bool stet_file_key_good(const char *);
#define STET_SHA256_SIZE 65 /* as text, in lower case */
/* Of the temporary file of a part, or any other. Reads all of it: for the slow lane. */
STET_API STET_MUST enum stet_status stet_file_sum(
    struct stet_call *, const char *path, char sha256[STET_SHA256_SIZE]);
/*
 * Slow lane: keep a part that is in a file, under a key that no file has, and run fn in the write
 * lane, where it makes the row that names it. The file is on the disk before; if fn fails it is
 * gone again, and after a fault or a crash it is removed later. The part is not in its own place
 * any more.
 */
STET_API STET_MUST enum stet_status stet_file_keep(struct stet_call *, const struct stet_part *,
    const char *key, enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *),
    void *arg);
/* NOT_FOUND: there is none. The descriptor is the caller's: for stet_reply_file. */
STET_API STET_MUST enum stet_status stet_file_open(struct stet_call *, const char *key, int *fd);
/* Once this transaction is committed the file is removed, or hours later if a backup is under way:
 * say so beside the DELETE of its row. */
STET_API void stet_file_forget(struct stet_call *, struct stet_tx *, const char *key);

/* For those who move a site: a file of another module; a copy of one to be kept there, unless it is
 * there (CONFLICT: another file has the key); and one whose rows go. */
STET_API STET_MUST enum stet_status stet_file_open_of(
    struct stet_call *, const char *module, const char *key, int *fd);
STET_API STET_MUST enum stet_status stet_file_copy(
    struct stet_call *, const char *module, const char *key, int from, bool *is_new);
STET_API void stet_file_forget_of(
    struct stet_call *, struct stet_tx *, const char *module, const char *key);

/* A row that names a file; good while fn runs. */
struct stet_file_row {
	const char *module, *key;
	const int64_t *size; /* NULL: it does not say */
	const char *sha256; /* NULL: it does not say */
	/* New fields go here, and nowhere else. */
};
/* Run fn for each row of one of the module's columns, in the order of their keys, until one fails.
 * Keys are as the rows have them: not each need be a good one. */
STET_API STET_MUST enum stet_status stet_file_each(struct stet_call *, const char *module,
    const struct stet_file_column *,
    enum stet_status (*fn)(struct stet_call *, const struct stet_file_row *, void *), void *arg);

#endif
