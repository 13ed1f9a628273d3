/*
 * filedriver.h - storage of module files, behind one table of functions. store.c connects a file
 * and its row; a driver only puts, opens, removes and lists files. `directory` (filedir.c) keeps
 * them in the site's data directory, `s3` (files3.c) in a bucket of an object store.
 */
#ifndef CORE_FILES_FILEDRIVER_H
#define CORE_FILES_FILEDRIVER_H

#include "call/call.h"
#include <stet/file.h>

struct file_place {
	const struct conf_site *conf; /* of the site */
	const char *module, *key; /* stet_file_key_good */
	const char *where; /* set by the driver in listings: its place of the file; else NULL */
};
/* Called for each file of a listing. put_at: when the file was put, in seconds since the epoch. An
 * error ends the listing. */
typedef enum stet_status file_seen(
    struct stet_call *, const struct file_place *, int64_t put_at, void *arg);

struct file_url {
	const char *method; /* PUT; GET, or HEAD */
	const char *type; /* of the file; NULL: as stored */
	const char *disposition, *cache; /* for reading: headers of the response; NULL: none */
	uint64_t size; /* for storing: size of the file in bytes */
	unsigned seconds;
};

struct file_driver {
	const char *name; /* value of `files` in stet.conf */
	/* Stores the temporary file `from` at this place, durably. The driver then owns it, and its
	 * old name is gone. Fails with CONFLICT if the place is taken; on any failure nothing is
	 * stored. Slow lane. */
	enum stet_status (*put)(struct stet_call *, const struct file_place *, const char *from);
	/* Opens the file. *fd is a new descriptor for sendfile and pread at any offset; a remote
	 * driver opens its cached copy. It stays readable if the file is removed. Fails with
	 * NOT_FOUND. */
	enum stet_status (*open)(struct stet_call *, const struct file_place *, int *fd);
	/* Removes the file. From any thread that may block. Returns false if the file still exists
	 * or did not exist. `named`: a row named the file until now, so a running backup may need
	 * it: then the sweep removes it later. */
	bool (*remove)(const struct file_place *, bool named);
	/* Calls fn for every file of the module whose name is a valid key, in any order. Files put
	 * or removed meanwhile may be missing. fn runs in a scope (stet_scope) for several files
	 * and may remove its file. */
	enum stet_status (*each)(struct stet_call *, const struct conf_site *, const char *module,
	    file_seen *fn, void *arg);
	/* Returns true if `open` would not wait. NULL: it never waits. */
	bool (*is_here)(const struct file_place *);
	/* Removes leftovers of puts that were interrupted before this time (seconds since the
	 * epoch), where `each` does not see them. Failures are logged and retried by the next
	 * sweep. NULL: no leftovers. */
	enum stet_status (*tidy)(
	    struct stet_call *, const struct conf_site *, const char *module, int64_t before);
	/* Makes a URL with which clients store or read the file directly, valid for this many
	 * seconds. Does not block. The URL is NULL if the file is too large for one. NULL: not
	 * supported. */
	enum stet_status (*url)(
	    struct stet_call *, const struct file_place *, const struct file_url *, const char **);
	/* Fetches a file that a client stored by URL, at most `most` bytes, into a temporary file
	 * of the call. Fails with NOT_FOUND or PAYLOAD_TOO_LARGE. Slow lane. NULL if there is no
	 * `url`. */
	enum stet_status (*take)(struct stet_call *, const struct file_place *, uint64_t most,
	    const char **path, uint64_t *size);
	/* Returns the SHA-256 of the stored file, possibly as the service reports it. Fails with
	 * NOT_FOUND. Slow lane. */
	enum stet_status (*sum)(
	    struct stet_call *, const struct file_place *, char out[STET_SHA256_SIZE]);
	/* Returns the origin of the URLs of `url`, in memory of the call. NULL if there is no
	 * `url`. */
	const char *(*origin)(struct stet_call *, const struct conf_site *);
};

/* Returns the driver of this site. */
const struct file_driver *filedriver_of(struct site *);
/* Returns the driver of this name, or NULL. */
const struct file_driver *filedriver_named(const char *);

#endif
