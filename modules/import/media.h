/* media.h - attachments that were copied into the library, by their addresses in the source. */
#ifndef IMPORT_MEDIA_H
#define IMPORT_MEDIA_H

#include <stet/call.h>

/* The name of the file: as it is given, or the last part of the URL's path. */
const char *media_filename(struct stet_call *, const char *url, const char *given);
/* The most bytes of a file: the library's setting maxUploadSize. */
int64_t media_most(struct stet_call *);

/* ---- copies.c ---- */

/* Remembers which item has the file of this address. From the slow lane. */
STET_MUST enum stet_status media_remember(struct stet_call *, const char *url, const char *id);
/* The items of files that were copied before, and their URLs here; NULL: it was not copied, or the
 * item is gone. At most 100. */
STET_MUST enum stet_status media_known(
    struct stet_call *, const char *const *url, size_t count, const char **id, const char **here);

#endif
