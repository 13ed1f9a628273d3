/* seo.h - what SEO plugins have of an item, and the templates of their titles. */
#ifndef IMPORT_SEO_H
#define IMPORT_SEO_H

#include "state/run.h"

bool seo_is(const char *key); /* a custom field of an SEO plugin */
/* Takes what a custom field says into the member `seo` of an item; false: it is none of that. *why:
 * it does not fit, in words; NULL: it does. */
bool seo_take(struct stet_call *, json_t *seo, const char *key, const char *text, const char **why);
/* The text with the variables of their templates replaced; those that nobody here knows stay. */
const char *seo_text(
    struct stet_call *, const struct run *, const struct wxr_item *, const char *text);

#endif
