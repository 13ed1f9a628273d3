/*
 * filedriver.h - where the files of modules are kept, behind one table of functions. store.c says
 * what a file and its row mean to each other; a driver only puts, opens, removes and lists files.
 * `directory` (filedir.c) keeps them in the site's data directory, `s3` (files3.c) in a bucket of
 * an object store.
 */
#ifndef CORE_FILES_FILEDRIVER_H
#define CORE_FILES_FILEDRIVER_H

#include "call/call.h"
#include <stet/file.h>

struct file_place {
	const struct conf_site *conf; /* of the site */
	const char *module, *key; /* stet_file_key_good */
	const char *where; /* of the driver's own, when `each` tells the place; else NULL */
};
/* For each file of a listing: when it was put, in seconds since the epoch. An error ends the
 * listing. */
typedef enum stet_status file_seen(
    struct stet_call *, const struct file_place *, int64_t put_at, void *arg);

struct file_url {
	const char *method; /* PUT; GET, or HEAD */
	const char *type; /* of the file; NULL: what the driver has */
	const char *disposition, *cache; /* for reading: headers of the answer; NULL: none */
	uint64_t size; /* for storing: as many bytes */
	unsigned seconds;
};

struct file_driver {
	const char *name; /* as `files` in stet.conf says it */
	/* Make the temporary file `from` that of this place, durably: from then on it is the
	 * driver's, and not under its own name any more. CONFLICT when the place is taken; on any
	 * failure nothing is put. Slow lane. */
	enum stet_status (*put)(struct stet_call *, const struct file_place *, const char *from);
	/* *fd is a descriptor of its own, of all bytes, which sendfile and pread take from any
	 * offset: a driver of another machine answers one of its cache. It reads on when the file
	 * is removed. NOT_FOUND: there is none. */
	enum stet_status (*open)(struct stet_call *, const struct file_place *, int *fd);
	/* From any thread that may wait. false: it is there still, or was not there. `named`: a row
	 * named it until now, so that a backup under way may want it: then it stays for the sweep.
	 */
	bool (*remove)(const struct file_place *, bool named);
	/* Every file of the module whose name can be a key, in any order, those that are put or
	 * removed meanwhile or not. fn runs in a scope (stet_scope) with others, and may remove its
	 * file. */
	enum stet_status (*each)(struct stet_call *, const struct conf_site *, const char *module,
	    file_seen *fn, void *arg);
	/* Does `open` return at once? NULL: always. */
	bool (*is_here)(const struct file_place *);
	/* Removes what an interrupted `put` of before this time (seconds since the epoch) left
	 * where `each` does not see it. What fails is logged, and tried again with the next sweep.
	 * NULL: it leaves nothing. */
	enum stet_status (*tidy)(
	    struct stet_call *, const struct conf_site *, const char *module, int64_t before);
	/* Writes a URL with which others store or read the file without us, for so many seconds.
	 * Waits for nobody. The URL is NULL if the file is too large for one. NULL: there are none.
	 */
	enum stet_status (*url)(
	    struct stet_call *, const struct file_place *, const struct file_url *, const char **);
	/* Fetches what others stored, at most so many bytes, into a temporary file of the call.
	 * NOT_FOUND, PAYLOAD_TOO_LARGE. Slow lane. NULL if there is no `url`. */
	enum stet_status (*take)(struct stet_call *, const struct file_place *, uint64_t most,
	    const char **path, uint64_t *size);
	/* SHA-256 of the file where the driver keeps it, be it by what its service vouches for.
	 * NOT_FOUND. Slow lane. */
	enum stet_status (*sum)(
	    struct stet_call *, const struct file_place *, char out[STET_SHA256_SIZE]);
	/* The origin of the URLs of `url`, in memory of the call. NULL if there is no `url`. */
	const char *(*origin)(struct stet_call *, const struct conf_site *);
};

/* The one of this site. */
const struct file_driver *filedriver_of(struct site *);
/* The one of this name, or NULL. */
const struct file_driver *filedriver_named(const char *);

#endif
