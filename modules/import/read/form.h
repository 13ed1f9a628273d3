/* form.h - the files of an uploaded form, and the limits of their size. */
#ifndef IMPORT_FORM_H
#define IMPORT_FORM_H

#include <stet/call.h>
#include <stet/module.h>

#define EXPORT_MOST (1LL << 40) /* bytes that the setting may allow */
#define FORM_ROOM 1048576 /* bytes of a form beside its files */
#define FORM_FILES_MAX 100

/* The most bytes of an export, unpacked; and of a request body. */
int64_t import_most(struct stet_call *);
uint64_t import_body_most(struct stet_call *);
bool form_is_file(const struct stet_part *);
/* The files of a form, which are read as one export; fails with VALIDATION_ERROR if there is none.
 */
STET_MUST enum stet_status form_files(struct stet_call *, const char *const **paths, size_t *count);

#endif
