/* source.h - the bytes of uploaded files: documents as they are, or unpacked from gzip or zip. */
#ifndef IMPORT_SOURCE_H
#define IMPORT_SOURCE_H

#include <jansson.h>
#include <stet/call.h>

struct source;

/* Opens a file. `ends`: the endings of the names of documents in a zip file, such as " .xml ", each
 * between blanks. `most`: bytes that may be read from it, unpacked. */
STET_MUST enum stet_status source_open(
    struct stet_call *, const char *path, const char *ends, uint64_t most, struct source **);
/* Like source_open, for those documents of a zip file whose names are members of `only`. */
STET_MUST enum stet_status source_open_some(struct stet_call *, const char *path, const char *ends,
    const json_t *only, uint64_t most, struct source **);
/* Does the name end with one of these endings? */
bool source_ends(const char *ends, const char *name);
void source_close(struct source *);
/* Calls fn with the name of each file of a zip file. Returns false if it is none. */
bool source_names(const char *path, void (*fn)(void *, const char *name), void *arg);
/* Goes to the next document; *name is its name in a zip file, else ""; NULL: there is none. */
STET_MUST enum stet_status source_next(struct source *, const char **name);
/* The next bytes of the document; *got: 0 at its end. Fails with VALIDATION_ERROR if they cannot be
 * unpacked, if there are too many, or far more than the packed file could honestly hold. */
STET_MUST enum stet_status source_read(struct source *, char *, size_t room, size_t *got);
uint64_t source_bytes(const struct source *); /* read so far, of all documents */

#endif
