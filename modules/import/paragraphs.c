/* paragraphs.c - markup as Portable Text, a paragraph for each piece between blank lines. */
#include "paragraphs.h"
#include "run.h"
#include <string.h>

enum stet_status
paragraphs_of(struct stet_call *call, const char *text, json_t **out)
{
	json_t *blocks = json_array();
	int n = 0;

	while (*text != '\0') {
		const char *end = strstr(text, "\n\n");
		size_t len = end != NULL ? (size_t)(end - text) : strlen(text);
		const char *plain = text_plain(call, stet_strndup(call, text, len));

		if (plain[strspn(plain, " \t\r\n")] != '\0')
			(void)json_array_append_new(
			    blocks, json_pack("{ss so ss s[{ss so ss}]}", "_type", "block", "_key",
					json_string(stet_printf(call, "b%d", n)), "style", "normal",
					"children", "_type", "span", "_key",
					json_string(stet_printf(call, "s%d", n)), "text", plain));
		n++;
		text += len + (end != NULL ? 2 : 0);
	}
	*out = blocks;
	return STET_OK;
}
