/* choices.h - whether the texts of a field are a few choices, so that it is a select. */
#ifndef IMPORT_CHOICES_H
#define IMPORT_CHOICES_H

#include <jansson.h>
#include <stdbool.h>

#define CHOICES_MAX 12 /* of a field that is taken for a select */

/* Counts a text in {text: how often it is there}. Returns false if it is too long for a choice, or
 * there are more than `most`. */
bool choices_note(json_t *counts, size_t most, const char *text);
/* Returns true if the texts are a select: two to CHOICES_MAX different ones, among twelve values or
 * more, each twice or more, and four times on average. */
bool choices_are(const json_t *counts);
/* Returns the texts as an array, a new reference. */
json_t *choices_list(const json_t *counts);

#endif
