/* notice.c - tells what an importer cannot read, and what the texts of items lose. */
#include "read/text.h"
#include "sources/sources.h"
#include <stet/portabletext.h>

enum stet_status
source_notice(struct stet_source *source, const char *place, bool skipped, const char *text)
{
	return stet_source_put(source, STET_SOURCE_NOTICE,
	    json_pack("{ss ss sb}", "place", place, "text", text, "skipped", skipped));
}

enum stet_status
source_left(struct stet_source *source, const char *type, const char *place, const char *text)
{
	return stet_source_put(source, STET_SOURCE_NOTICE,
	    json_pack("{ss ss sb ss}", "place", place, "text", text, "skipped", true, "type",
		*type != '\0' ? type : "document"));
}

json_t *
source_blocks(struct stet_call *call, const char *html, size_t len, json_t *lost)
{
	const struct stet_html_1 *service = stet_service(call, STET_HTML_1);
	struct stet_html_counts shown, missing;
	json_t *told, *blocks, *one;
	size_t i;

	blocks = service->read_counted(html, len, &told, &shown, &missing, sizeof(shown));
	/* The first entry counts for all. */
	json_array_foreach(told, i, one)
	{
		json_t *entry = json_pack("{sO}", "what", one);

		if (i == 0)
			(void)json_object_update_new(entry,
			    json_pack("{sI sI sI sI}", "characters", (json_int_t)missing.characters,
				"links", (json_int_t)missing.links, "pictures",
				(json_int_t)missing.pictures, "players",
				(json_int_t)missing.players));
		(void)json_array_append_new(lost, entry);
	}
	json_decref(told);
	return blocks;
}

/* Adds the numbers of an entry to those of the item. */
static void
count(json_t *item, const json_t *entry)
{
	static const char *const kinds[] = { "characters", "links", "pictures", "players" };
	json_t *sum = json_object_get(item, "lost");

	if (sum == NULL) {
		sum = json_object();
		(void)json_object_set_new(item, "lost", sum);
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		json_int_t n = json_integer_value(json_object_get(entry, kinds[i]));

		if (n > 0)
			(void)json_object_set_new(sum, kinds[i],
			    json_integer(n + json_integer_value(json_object_get(sum, kinds[i]))));
	}
}

enum stet_status
source_losses(struct stet_source *source, const char *place, const json_t *lost, json_t *item)
{
	const json_t *one;
	size_t i;

	json_array_foreach(lost, i, one)
	{
		long long line = (long long)json_integer_value(json_object_get(one, "line"));
		const char *what = text_in(one, "what");

		count(item, one);
		STET_TRY(source_notice(source, place, false,
		    line > 0 ? stet_printf(source->call, "Line %lld of the text: %s", line, what)
			     : stet_printf(source->call, "Not in its text: %s", what)));
	}
	return STET_OK;
}
