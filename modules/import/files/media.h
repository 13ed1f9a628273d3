/* media.h - copies attachments of a source into the library. */
#ifndef IMPORT_MEDIA_H
#define IMPORT_MEDIA_H

#include <stet/call.h>
#include <stet/module.h>

#define MEDIA_AT_ONCE 32 /* most attachments of a batch: their temporary files exist at once */

struct attachment {
	int64_t source_id;
	const char *key; /* its id, if ids of the source are no numbers; NULL: source_id is */
	const char *url; /* "": it has none */
	const char *filename, *type, *alt, *caption; /* NULL: unknown */
};

/* Local places where a file is looked for before it is fetched. */
struct media_here {
	int directory; /* -1: none */
	const char *archive; /* a zip file; NULL: none */
};

/* Called for attachment i. A failure ends the copying. */
struct media_sink {
	/* before it is copied; may be NULL */
	enum stet_status (*begins)(struct stet_call *, void *, size_t i);
	enum stet_status (*copied)(
	    struct stet_call *, void *, size_t i, const char *id, const char *url, bool was_there);
	enum stet_status (*failed)(struct stet_call *, void *, size_t i, const char *why);
	void *arg;
};

/* Copies at most MEDIA_AT_ONCE attachments that were not copied before: from `here` if the file is
 * there, or else from their URLs. *late: the time limit of the call was reached. The temporary
 * files stay until the scope of the call ends. Fails with NO_STORAGE without the media module. */
STET_MUST enum stet_status media_copy(struct stet_call *, const struct attachment *, size_t count,
    const struct media_here *, const struct media_sink *, bool *late);
/* The name of the file: the last part of the name that is given, or of the URL's path. */
const char *media_filename(struct stet_call *, const struct attachment *);

/* ---- copies.c: the table import_copies ---- */

/* Records which media item has the file of this URL. Runs in the slow lane. */
STET_MUST enum stet_status copies_remember(struct stet_call *, const char *url, const char *id);
/* Forgets what has the file of this URL. Runs in the slow lane. */
STET_MUST enum stet_status copies_forget(struct stet_call *, const char *url);
/* Sets the media items of URLs that were copied before, and the URLs of their files here. NULL: not
 * copied, or the item is gone. At most 100 URLs. */
STET_MUST enum stet_status copies_known(
    struct stet_call *, const char *const *url, size_t count, const char **id, const char **here);

/* ---- packed.c ---- */

/* Copies the file of an attachment from a zip file (NULL: none) to a temporary file. Its path in
 * the archive follows GIVEN_FILE in its URL. *path NULL: it is not there. */
STET_MUST enum stet_status packed_take(struct stet_call *, const char *archive,
    const struct attachment *, const char **path, uint64_t *size);

/* ---- local.c ---- */

/* Copies the file of an attachment from this directory to a temporary file. Its path follows
 * GIVEN_FILE or /uploads/ in its URL; or it is there by its name alone. *path NULL: it is not
 * there. */
STET_MUST enum stet_status local_take(struct stet_call *, int directory, const struct attachment *,
    const char **path, uint64_t *size);

/* ---- copying.c: the op that copies a list of attachments ---- */

extern const struct stet_member media_in[];
stet_handler import_media;

#endif
