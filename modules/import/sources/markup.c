/* markup.c - writes HTML to memory. */
#include "sources/markup.h"
#include <stdlib.h>

FILE *
markup_begin(char **text, size_t *len)
{
	FILE *out = open_memstream(text, len);

	if (out == NULL)
		stet_out_of_memory();
	return out;
}

const char *
markup_end(struct stet_call *call, FILE *out, char **text)
{
	const char *copy;

	if (fclose(out) != 0)
		stet_out_of_memory();
	copy = stet_strdup(call, *text);
	free(*text);
	return copy;
}

void
markup_text(FILE *out, const char *text)
{
	for (; *text != '\0'; text++)
		switch (*text) {
		case '&':
			(void)fputs("&amp;", out);
			break;
		case '<':
			(void)fputs("&lt;", out);
			break;
		case '"':
			(void)fputs("&quot;", out);
			break;
		default:
			(void)fputc(*text, out);
		}
}

void
markup_attribute(FILE *out, const char *name, const char *value)
{
	(void)fprintf(out, " %s=\"", name);
	markup_text(out, value);
	(void)fputc('"', out);
}
