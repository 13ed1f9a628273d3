/* shown.h - how much a value shows: characters without blanks, links, pictures and players. */
#ifndef IMPORT_SHOWN_H
#define IMPORT_SHOWN_H

#include <jansson.h>
#include <stdbool.h>
#include <stet/portabletext.h>

/* Returns the number of characters of a text without blanks; of HTML, without its tags. */
int64_t shown_characters(const char *text, bool html);
/* Adds what Portable Text, or a value with Portable Text inside, shows. A value that is a text
 * alone counts by its characters. */
void shown_add(struct stet_html_counts *, const json_t *value);

/* The same for a value that is JSON text, as a column holds it; many times as fast as parsing it.
 */
void shown_add_json(struct stet_html_counts *, const char *text);

#endif
