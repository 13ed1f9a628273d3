/*
 * driver.h - drivers: modules that serve the daemon itself, not one site. A driver stores the files
 * of sites, or sends their mails (mailtransport.h). It is loaded when stet.conf(5) asks for it:
 * `files = "NAME"`, or a key that begins with NAME and a hyphen, loads the module or plugin
 * files-NAME. Others of these are never loaded.
 *
 * A driver is not enabled on a site: it has no ops, hooks, tables or settings. Administrators
 * configure it by keys of the site's section of stet.conf.
 */
#ifndef STET_DRIVER_H
#define STET_DRIVER_H

#include <stet/buf.h>
#include <stet/file.h>

/* ---- keys of stet.conf ---- */

/* The section of a site. */
struct stet_conf;

enum stet_conf_kind {
	STET_CONF_TEXT, /* a text that is not empty */
	STET_CONF_SWITCH, /* true or false */
	STET_CONF_CHOICE, /* one of `choices` */
	STET_CONF_SPAN, /* a duration of more than 0: "30s" */
	STET_CONF_SIZE, /* a number of bytes: "64KiB" */
	STET_CONF_NUMBER /* an integer from `least` to `most` */
};

/* A key that a driver brings. `stetd --check` and SIGHUP check its value like that of any other
 * key. */
struct stet_conf_key {
	const char *name; /* "s3-bucket": begins with the name of the driver and a hyphen */
	enum stet_conf_kind kind;
	const char *fallback; /* TEXT, CHOICE, SPAN and SIZE: the default, as in the file; NULL:
				 none for a TEXT; CHOICE, SPAN and SIZE need one */
	/* TEXT: returns true for a good value. NULL: any text that is not empty. */
	bool (*good)(const char *);
	/* TEXT and CHOICE: what a good value is, for the error "... is not WANT": "a region
	 * (us-east-1)". */
	const char *want;
	const char *const *choices; /* CHOICE: the words, NULL-terminated */
	int64_t number, least, most; /* NUMBER: default and limits */
	/* New fields go here, and nowhere else. */
};

/* The value of a TEXT key of the driver, or of a key that every site has: `name`, `data` (its data
 * directory), `base-url` or `fetch-ca`; NULL: not set. The text lives as long as *conf. */
STET_API const char *stet_conf_text(const struct stet_conf *, const char *key);
/* The value of another key: 0 or 1 of a SWITCH, the index of a CHOICE, milliseconds of a SPAN,
 * bytes of a SIZE. */
STET_API int64_t stet_conf_number(const struct stet_conf *, const char *key);

/* Returns true if these bytes are a host name or address as in URLs, with or without a port. */
STET_API bool stet_conf_is_authority(const char *, size_t len);

/* ---- what drivers use besides ---- */

/* stet_log and stet_now of call.h take NULL for the call. */

/* The deadline of the call in milliseconds of CLOCK_MONOTONIC; 0: none. */
STET_API int64_t stet_deadline(struct stet_call *);
/* Reads a file with a password or key as text. It may be readable only by its owner and group.
 * Returns NULL and fills `text`; or the reason of the failure, which the caller frees, and erases
 * `text`. The caller erases `text` after use. */
STET_API char *stet_secret_file(const char *path, char *text, size_t size);
/* Fails according to errno: INSUFFICIENT_STORAGE if the disk is full, else a fault. */
STET_API STET_MUST enum stet_status stet_file_failed(struct stet_call *, const char *path);
/* The SHA-256 of at most `len` bytes of a file from `at` on. Returns false if it cannot be read. */
STET_API bool stet_file_digest(int fd, int64_t at, uint64_t len, char out[STET_SHA256_SIZE]);
/* Counts a request to another machine for /metrics (stet_bucket_requests_total and others): its
 * method and outcome, which are never freed, and the bytes of files that went and came. */
STET_API void stet_driver_asked(
    const char *method, const char *outcome, uint64_t sent, uint64_t received);

/* ---- where files are stored ---- */

/* The place where a file of a module is or will be stored. This structure never gets new members,
 * since drivers create it too. */
struct stet_file_place {
	const struct stet_conf *conf; /* of the site */
	const char *module, *key; /* stet_file_key_good */
	const char *where; /* in listings, the driver's own location of the file; else NULL */
};
/* Called for each file of a listing. put_at: when the file was put, in seconds since the epoch. An
 * error ends the listing. */
typedef enum stet_status stet_file_seen(
    struct stet_call *, const struct stet_file_place *, int64_t put_at, void *arg);

/* A URL that a client asks for. */
struct stet_file_request {
	const char *method; /* PUT; GET, or HEAD */
	const char *type; /* of the file; NULL: as stored */
	const char *disposition, *cache; /* for reading: headers of the response; NULL: none */
	uint64_t size; /* for storing: size of the file in bytes */
	unsigned seconds; /* how long the URL is valid */
	/* New fields go here, and nowhere else. */
};

/* A row of the table `file_drivers`. Exactly one of `open` and `get` is needed: `get` for a driver
 * whose files are on another machine. The daemon keeps copies of such files in the file cache of
 * the site, and fetches a file only once for concurrent requests. */
struct stet_file_driver {
	const char *name; /* value of `files` in stet.conf; the module is files-NAME */
	/* Stores the file `from`, which is complete, at this place, durably. Whether it is moved or
	 * copied is the driver's choice. Fails with CONFLICT if the place is taken; on any failure
	 * nothing is stored. Slow lane. */
	enum stet_status (*put)(
	    struct stet_call *, const struct stet_file_place *, const char *from);
	/* Opens the file. *fd is a new descriptor for sendfile and pread at any offset. It stays
	 * readable if the file is removed. Does not wait for other machines. Fails with NOT_FOUND.
	 * Any lane. */
	enum stet_status (*open)(struct stet_call *, const struct stet_file_place *, int *fd);
	/* Removes the file. From any thread that may block; without a call: log with a call of
	 * NULL. Returns false if the file still exists or did not exist. `named`: a row named the
	 * file until now, so a running backup may need it: then the sweep removes it later. */
	bool (*remove)(const struct stet_file_place *, bool named);
	/* Calls fn for every file of the module whose name is a valid key, in any order. Files put
	 * or removed meanwhile may be missing. fn runs in a scope (stet_scope) for several files
	 * and may remove its file. */
	enum stet_status (*each)(struct stet_call *, const struct stet_conf *, const char *module,
	    stet_file_seen *fn, void *arg);
	/* Writes the file to an empty file. Fails with NOT_FOUND. If the disk is full, this and
	 * `sum` leave ENOSPC or EDQUOT in errno and fail: then the cache is emptied and they are
	 * called again. Slow lane. */
	enum stet_status (*get)(struct stet_call *, const struct stet_file_place *, int fd);
	/* Removes leftovers of puts that were interrupted before this time (seconds since the
	 * epoch), where `each` does not see them. Failures are logged and retried by the next
	 * sweep. NULL: no leftovers. */
	enum stet_status (*tidy)(
	    struct stet_call *, const struct stet_conf *, const char *module, int64_t before);
	/* Makes a URL with which clients store or read the file directly. Does not block. The URL
	 * is NULL if the file is too large for one. NULL: not supported. */
	enum stet_status (*url)(struct stet_call *, const struct stet_file_place *,
	    const struct stet_file_request *, const char **);
	/* Fetches a file that a client stored by URL, at most `most` bytes, into a temporary file
	 * of the call. Fails with NOT_FOUND or PAYLOAD_TOO_LARGE. Slow lane. NULL if there is no
	 * `url`. */
	enum stet_status (*take)(struct stet_call *, const struct stet_file_place *, uint64_t most,
	    const char **path, uint64_t *size);
	/* Returns the SHA-256 of the stored file, possibly as the service reports it. Fails with
	 * NOT_FOUND. Slow lane. */
	enum stet_status (*sum)(
	    struct stet_call *, const struct stet_file_place *, char out[STET_SHA256_SIZE]);
	/* Returns the origin of the URLs of `url`, in memory of the call; NULL if public files are
	 * not read by URL on this site. NULL if there is no `url`. */
	const char *(*origin)(struct stet_call *, const struct stet_conf *);
	/* Checks keys of a site together. Returns a description of the error, which is never freed,
	 * or NULL if there is none. `used`: the site stores its files with this driver. The pointer
	 * may be NULL. */
	const char *(*check)(const struct stet_conf *, bool used);
	/* For `stet doctor`: tests whether files can be stored and read. Returns false if not.
	 * `said` gets the result as a text; "": the site does not set this driver's keys. The
	 * pointer may be NULL. */
	bool (*probe)(const struct stet_conf *, char *said, size_t size);
	/* New fields go here, and nowhere else. */
};

/* A row of the table `database_drivers`, of a module database-NAME that comes with stet: it is
 * built with the functions (core/db/driver.h) of the same release. Sites whose `database` in
 * stet.conf begins with NAME and a colon use it. */
struct stet_database_driver {
	const char *name;
	const struct db_driver *functions;
	/* New fields go here, and nowhere else. */
};

#endif
