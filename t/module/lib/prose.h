/* prose.h - random texts for a search index, and random conditions on their words, as evaluate.h
 * knows them. */
#ifndef T_PROSE_H
#define T_PROSE_H

#include "chance.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PROSE_COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Words of the texts; "late" occurs only in a few old items. */
static const char *const forms[] = { "cat", "cats", "walk", "walking", "walked", "under", "ünder",
	"Ünder", "well-known", "known", "well", "SEA", "sea", "e-mail", "mail", "42", "late" };

/* Returns a text of up to `most` of these words. */
static json_t *
prose_text(int most, bool is_old)
{
	static const char *const between[] = { " ", ", ", ". ", "\n", "/" };
	const int count = (int)PROSE_COUNT(forms) - (is_old ? 0 : 1);
	char out[256] = "";

	for (int n = pick(most + 1); n > 0; n--)
		snprintf(out + strlen(out), sizeof(out) - strlen(out), "%s%s", forms[pick(count)],
		    between[pick((int)PROSE_COUNT(between))]);
	return *out != '\0' ? json_string(out) : NULL;
}

/* Returns words to search for, each alone or joined with another. */
static json_t *
prose_condition(void)
{
	char out[128] = "";

	for (int n = 1 + pick(3) / 2 + pick(4) / 3; n > 0; n--)
		snprintf(out + strlen(out), sizeof(out) - strlen(out), "%s%s%s%s",
		    *out != '\0' ? " " : "",
		    pick(12) > 0 ? forms[pick((int)PROSE_COUNT(forms))] : "nowhere",
		    pick(8) > 0 ? "" : "-", pick(8) > 0 ? "" : ",");
	return json_pack("{s:s}", "contains", out);
}

#endif
