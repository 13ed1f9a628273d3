/* text.h - texts that the readers of imports accept, for targets of later steps. */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

/* UTF-8 without control characters. */
static inline bool
is_text(const char *text, size_t len)
{
	json_t *string = json_stringn(text, len);
	bool good = string != NULL;

	json_decref(string);
	for (size_t i = 0; i < len; i++)
		good &= (unsigned char)text[i] >= ' ' || strchr("\t\r\n", text[i]) != NULL;
	return good && memchr(text, '\0', len) == NULL;
}

#endif
