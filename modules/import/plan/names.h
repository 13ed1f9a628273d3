/* names.h - the fields that the names of a source become: another field for each name. */
#ifndef IMPORT_NAMES_H
#define IMPORT_NAMES_H

#include <stet/call.h>

/*
 * Returns the slug of the field for a name: the name itself if it is a slug, otherwise one that is
 * made of it (suggest_field). If another name has that slug already, a number is added. `owners`
 * remembers {slug: name} of one reading, so that a name keeps its slug in it; the caller makes and
 * frees it. *why: a sentence for people if the name was seen for the first time and did not get the
 * slug that was made of it, otherwise NULL. Returns NULL if there are too many names. The slug is
 * owned by the call.
 */
const char *names_field(struct stet_call *, json_t *owners, const char *name, const char **why);

#endif
