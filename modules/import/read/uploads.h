/* uploads.h - files that are kept for a day, and longer while an import needs them. */
#ifndef IMPORT_UPLOADS_H
#define IMPORT_UPLOADS_H

#include <stet/call.h>
#include <stet/module.h>

#define UPLOAD_MS INT64_C(86400000) /* how long a file is kept that no import needs */
/* A column of all imports that are not finished: their files and rows stay. */
#define UPLOAD_NEEDED(column) "(SELECT " column " FROM import_job WHERE finished_at IS NULL)"

/* Keeps the files of the form. `types`: {type: collection} that analyze suggests. *id is owned by
 * the call. For the slow lane. Afterwards the paths of the form's parts are not valid any more. */
STET_MUST enum stet_status uploads_keep(struct stet_call *, const json_t *types, const char **id);
/* The same with these files. */
STET_MUST enum stet_status uploads_keep_parts(struct stet_call *, const struct stet_part *const *,
    size_t count, const json_t *types, const char **id);
/* The kept files of an analysis, or of an import, of this caller; fails with NOT_FOUND. */
STET_MUST enum stet_status uploads_find(
    struct stet_call *, const char *id, const char *const **paths, size_t *count, json_t **types);

/* Removes the files of an analysis. */
STET_MUST enum stet_status upload_forget(struct stet_call *, struct stet_tx *, const char *id);

#endif
