/* label.h - slugs for labels in any script: names of fields, titles, terms. */
#ifndef IMPORT_LABEL_H
#define IMPORT_LABEL_H

#include <stet/call.h>

#define LABEL_SLUG_MAX 63 /* bytes of the slug of a field, collection or taxonomy */

/* Does the label need no transliteration? It has a letter or digit, and nothing but ASCII. */
bool label_is_plain(const char *);
/* Returns the slug of a field for a label, of at most LABEL_SLUG_MAX characters: lower case,
 * [a-z0-9_], a letter first ("n2019"). Other characters of ASCII become underscores; labels with
 * others are transliterated first. "imported" for a label of which nothing is left. Owned by the
 * call. */
char *label_name(struct stet_call *, const char *);
/* Returns a URL slug as stet_slugify makes it, so letters of every script stay. Signs that
 * distinguish names have words in it: "C#" is c-sharp, "C++" c-plus-plus, ".NET" dot-net. A label
 * of nothing but signs or emoji gets their names: party-popper. "" if nothing is left. */
char *label_slug(struct stet_call *, const char *);
/* Like label_slug, of a to z, digits and hyphens alone. */
char *label_ascii_slug(struct stet_call *, const char *);

#endif
