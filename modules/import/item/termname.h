/* termname.h - the slugs and labels of terms. */
#ifndef IMPORT_TERMNAME_H
#define IMPORT_TERMNAME_H

#include "state/run.h"

#define TERM_SLUG_MAX 200 /* characters, also of a label */

/* Returns the slug of a term: the one that it has in the source, or the one that its label gets.
 * Labels are those that the source has, with entities. */
const char *term_slug(struct stet_call *, const struct run *, const char *taxonomy,
    const char *slug, const char *label);
/* Like term_slug, for the first pass: chooses a slug for a new label. If a term here has the label,
 * it is that term's. *out: "" if there is neither a slug nor a label. */
STET_MUST enum stet_status term_slug_note(struct stet_call *, const struct run *,
    const char *taxonomy, const char *slug, const char *label, const char **out);
/* The label of a term here; "" if it is not there. */
STET_MUST enum stet_status term_label(struct stet_call *, const char *id, const char **out);

#endif
