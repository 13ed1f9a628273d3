/*
 * notes.c - footnotes: WordPress stores their texts in a custom field, and marks their place in the
 * content with an empty block.
 */
#include "item/notes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK "<!-- wp:footnotes"
#define NOTES_MAX 1000

static void
put_list(FILE *out, const json_t *notes)
{
	const json_t *note;
	size_t i;

	(void)fputs("<!-- wp:list {\"ordered\":true} -->\n<ol>", out);
	json_array_foreach(notes, i, note)
	{
		const char *text = json_string_value(json_object_get(note, "content"));

		if (text != NULL && i < NOTES_MAX)
			(void)fprintf(out, "<li>%s</li>", text);
	}
	(void)fputs("</ol>\n<!-- /wp:list -->", out);
}

const char *
notes_in(struct stet_call *call, const struct wxr_item *item)
{
	const char *text = wxr_meta_value(item, "footnotes"), *why, *at, *behind;
	const json_t *notes;
	char *out;
	size_t len;
	FILE *f;

	if (text == NULL || *text != '[')
		return item->content;
	notes = stet_json_parse(call, text, strlen(text), &why);
	if (json_array_size(notes) == 0)
		return item->content;
	at = strstr(item->content, BLOCK);
	behind = at != NULL ? strstr(at, "-->") : NULL;
	if (behind == NULL)
		at = item->content + strlen(item->content);
	if ((f = open_memstream(&out, &len)) == NULL)
		stet_out_of_memory();
	(void)fwrite(item->content, 1, (size_t)(at - item->content), f);
	put_list(f, notes);
	(void)fputs(behind != NULL ? behind + 3 : "", f);
	if (fclose(f) != 0)
		stet_out_of_memory();
	text = stet_strdup(call, out);
	free(out);
	return text;
}
