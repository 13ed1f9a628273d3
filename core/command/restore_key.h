/* restore_key.h - the key of a site that is restored from a backup. */
#ifndef CORE_RESTORE_KEY_H
#define CORE_RESTORE_KEY_H

#include "conf/conf.h"
#include <jansson.h>

/* Makes sure that the directory `beside` has the key with which its database is sealed: from the
 * archive, from `file` (NULL: none was given), from the configured file, or from the existing
 * site. A missing key is added to notes. Returns false with *why if `file` is not the right key. */
bool restore_key(
    const char *beside, const struct conf_site *, const char *file, json_t *notes, char **why);

#endif
