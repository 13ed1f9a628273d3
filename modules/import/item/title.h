/* title.h - title and tagline of the site. */
#ifndef IMPORT_TITLE_H
#define IMPORT_TITLE_H

#include <jansson.h>
#include <stet/call.h>

/* Takes them for the site; keep: only what it has not. `set` gets the names of those taken. */
STET_MUST enum stet_status title_take(
    struct stet_call *, const char *title, const char *tagline, bool keep, json_t *set);

#endif
