/* sheet.h - tables of CSV that an export has beside its documents. */
#ifndef IMPORT_SHEET_H
#define IMPORT_SHEET_H

#include <jansson.h>
#include <stet/call.h>

/* Returns the rows of a table below the line of names, [{name: text}], without empty cells; owned
 * by the call. *names: [text]. *why: what is wrong with it, or NULL. */
const json_t *sheet_read(
    struct stet_call *, const char *text, size_t len, const json_t **names, const char **why);

#endif
