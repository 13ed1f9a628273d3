/* repack.h - archives of other kinds as zip files, which the other files of this module read. */
#ifndef IMPORT_REPACK_H
#define IMPORT_REPACK_H

#include <jansson.h>
#include <stet/call.h>

/*
 * Replaces each path of a tar archive, plain or in gzip, by that of a temporary zip file with the
 * same files, which is removed when the call ends. `nested`: also replaces zip files that have zip
 * files inside, by one with the files of all of them. Only plain files with names below the top
 * become part of it; appends {place, text, skipped} to `left` for each other one. Fails with
 * VALIDATION_ERROR for an archive that is damaged, has too many files, or unpacks to far more than
 * its size, and with PAYLOAD_TOO_LARGE for more bytes than an export may have. For the slow lane.
 */
STET_MUST enum stet_status repack_all(
    struct stet_call *, const char **paths, size_t count, bool nested, json_t *left);

#endif
