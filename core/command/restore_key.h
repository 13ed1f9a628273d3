/* restore_key.h - the key of a site that is put back from a backup. */
#ifndef CORE_RESTORE_KEY_H
#define CORE_RESTORE_KEY_H

#include "conf/conf.h"
#include <jansson.h>

/* See that the directory `beside` has the key with which its database is sealed: that of the
 * archive, of `file` (NULL: none was named), of the configuration or of the site that is there.
 * What is missing is added to notes. false: *why, `file` is not its key. */
bool restore_key(
    const char *beside, const struct conf_site *, const char *file, json_t *notes, char **why);

#endif
