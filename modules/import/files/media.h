/* media.h - attachments of a source that are copied into the library. */
#ifndef IMPORT_MEDIA_H
#define IMPORT_MEDIA_H

#include <stet/call.h>
#include <stet/module.h>

#define MEDIA_AT_ONCE 32 /* attachments whose files lie here at the same time */

struct attachment {
	int64_t source_id;
	const char *key; /* of sources whose ids are no numbers; NULL: the number */
	const char *url; /* "": it has none */
	const char *filename, *type, *alt, *caption; /* NULL: unknown */
};

/* Where files may lie that are not fetched. */
struct media_here {
	int directory; /* -1: none */
	const char *archive; /* a zip file; NULL: none */
};

/* What becomes of attachment i; fails if the copying is to end. */
struct media_sink {
	enum stet_status (*begins)(struct stet_call *, void *, size_t i); /* NULL: not told */
	enum stet_status (*copied)(
	    struct stet_call *, void *, size_t i, const char *id, const char *url, bool was_there);
	enum stet_status (*failed)(struct stet_call *, void *, size_t i, const char *why);
	void *arg;
};

/* Copies at most MEDIA_AT_ONCE attachments: those that were not copied before are fetched, or taken
 * from here if their file is there. *late: the time of the call is over. The
 * files stay until the scope of the call ends. Fails with NO_STORAGE without the media module. */
STET_MUST enum stet_status media_copy(struct stet_call *, const struct attachment *, size_t count,
    const struct media_here *, const struct media_sink *, bool *late);
/* The name of the file: as it is given, or the last part of the URL's path. */
const char *media_filename(struct stet_call *, const struct attachment *);

/* ---- copies.c: the table import_copies ---- */

/* Remembers which item has the file of this address. From the slow lane. */
STET_MUST enum stet_status copies_remember(struct stet_call *, const char *url, const char *id);
/* The items of files that were copied before, and their URLs here; NULL: it was not copied, or the
 * item is gone. At most 100. */
STET_MUST enum stet_status copies_known(
    struct stet_call *, const char *const *url, size_t count, const char **id, const char **here);

/* ---- packed.c ---- */

/* The same as local_take for a zip file (NULL: none), by the path behind GIVEN_FILE. */
STET_MUST enum stet_status packed_take(struct stet_call *, const char *archive,
    const struct attachment *, const char **path, uint64_t *size);

/* ---- local.c ---- */

/* A temporary copy of the file of an attachment that lies in this directory, below the path that
 * its URL has after GIVEN_FILE or /uploads/, or under its name alone. *path NULL: there is none. */
STET_MUST enum stet_status local_take(struct stet_call *, int directory, const struct attachment *,
    const char **path, uint64_t *size);

/* ---- copying.c: a list of attachments is copied ---- */

extern const struct stet_member media_in[];
stet_handler import_media;

#endif
