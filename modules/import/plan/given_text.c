/* given_text.c - Markdown that importers hand on as the text of an item. */
#include "plan/given_text.h"
#include "read/text.h"
#include <stet/content.h>
#include <string.h>

/* Notes a loss of the text, and tells it: {what, line, links, pictures}. */
static void
note_loss(struct stet_call *call, json_t *own, const json_t *loss)
{
	static const char *const kinds[] = { "links", "pictures" };
	json_t *sum = json_object_get(own, "lost");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (json_object_get(loss, kinds[i]) != NULL)
			(void)json_object_set_new(sum, kinds[i],
			    json_integer(json_integer_value(json_object_get(sum, kinds[i])) +
					 json_integer_value(json_object_get(loss, kinds[i]))));
	(void)json_array_append_new(json_object_get(own, "told"),
	    json_string(stet_printf(call, "Line %lld of its Markdown: %s",
		(long long)json_integer_value(json_object_get(loss, "line")),
		text_in(loss, "what"))));
}

const json_t *
given_blocks(struct stet_call *call, json_t *own, const char *markdown)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	json_t *lost = stet_json_own(call, json_array()), *one;
	const json_t *blocks = content->blocks_foreign(call, "markdown", markdown, lost);
	const char *why;
	size_t i;

	(void)json_object_set_new(own, "told", json_array());
	(void)json_object_set_new(own, "lost", json_object());
	json_array_foreach(lost, i, one) note_loss(call, own, one);
	if (stet_issues(call) == STET_OK)
		return blocks;
	why = stet_strdup(call, stet_error_text(call));
	stet_error_clear(call);
	(void)json_array_append_new(json_object_get(own, "told"),
	    json_string(stet_printf(call, "Its Markdown is left out: %s", why)));
	(void)json_object_set_new(
	    json_object_get(own, "lost"), "characters", json_integer((json_int_t)strlen(markdown)));
	return NULL;
}
