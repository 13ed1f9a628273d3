/* title.h - title and tagline of the site. */
#ifndef IMPORT_TITLE_H
#define IMPORT_TITLE_H

#include <jansson.h>
#include <stet/call.h>

/* Sets title and tagline of the site; with `keep` only those that are empty so far. Appends to
 * `set` the names of those that were set. */
STET_MUST enum stet_status title_take(
    struct stet_call *, const char *title, const char *tagline, bool keep, json_t *set);

#endif
