/* seo.h - data of SEO plugins (Yoast, Rank Math) about an item, and the templates of its titles. */
#ifndef IMPORT_SEO_H
#define IMPORT_SEO_H

#include "state/run.h"

bool seo_is(const char *key); /* a custom field of an SEO plugin */
/* Sets the member of `seo` that belongs to a custom field. Returns false if the field is no SEO
 * data. *why: why its value does not fit, as text, or NULL. */
bool seo_take(struct stet_call *, json_t *seo, const char *key, const char *text, const char **why);
/* Returns the text with the template variables replaced; unknown variables stay as they are. */
const char *seo_text(
    struct stet_call *, const struct run *, const struct wxr_item *, const char *text);

#endif
