/*
 * text.c - Portable Text as Markdown. What was written is read again: a block that is read as
 * another one is written as JSON in a comment, as the module content does for blocks that Markdown
 * does not know. Keys do not count.
 */
#include "text.h"
#include <stdlib.h>
#include <string.h>

#define TEXT_MOST 262144 /* bytes that an import reads */

/* ---- comparing ---- */

/* Is the member what readers take for granted if it is missing? */
static bool
is_usual(const char *name, const json_t *value)
{
	const char *text = json_string_value(value);

	if (strcmp(name, "_key") == 0)
		return true;
	if (strcmp(name, "marks") == 0 || strcmp(name, "markDefs") == 0)
		return json_is_array(value) && json_array_size(value) == 0;
	if (strcmp(name, "style") == 0)
		return text != NULL && strcmp(text, "normal") == 0;
	return strcmp(name, "level") == 0 && json_integer_value(value) == 1;
}

/* The place of the definition that a mark names, or the mark itself; a new reference. */
static json_t *
mark_of(const json_t *defs, const json_t *mark)
{
	const json_t *def;
	size_t i;

	json_array_foreach(defs, i, def)
	{
		if (json_equal(json_object_get(def, "_key"), (json_t *)(uintptr_t)mark))
			return json_pack("{sI}", "def", (json_int_t)i);
	}
	return json_incref((json_t *)(uintptr_t)mark);
}

/* A copy without keys and usual members; a new reference. `defs`: those of the block around it. */
static json_t *
bare(const json_t *value, const json_t *defs)
{
	json_t *out, *one;
	const char *name;
	size_t i;

	if (json_is_array(value)) {
		out = json_array();
		json_array_foreach(value, i, one)(void) json_array_append_new(out, bare(one, defs));
		return out;
	}
	if (!json_is_object(value))
		return mark_of(defs, value);
	if (json_object_get(value, "markDefs") != NULL)
		defs = json_object_get(value, "markDefs");
	out = json_object();
	json_object_foreach((json_t *)(uintptr_t)value, name, one)
	{
		bool asset = strcmp(name, "asset") == 0 && json_is_object(one);

		if (asset && *export_text(one, "url") != '\0')
			(void)json_object_set(out, name, json_object_get(one, "url"));
		else if (!is_usual(name, one))
			(void)json_object_set_new(out, name,
			    strcmp(name, "marks") == 0 ? bare(one, defs) : bare(one, NULL));
	}
	if (json_object_get(value, "children") != NULL && defs != NULL)
		(void)json_object_set_new(
		    out, "children", bare(json_object_get(value, "children"), defs));
	return out;
}

static bool
is_same(struct stet_call *call, const json_t *blocks, const char *text)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const json_t *back = content->blocks(call, "text", text, NULL);
	json_t *a, *b;
	bool same;

	if (back == NULL) {
		stet_error_clear(call);
		return false;
	}
	a = bare(blocks, NULL);
	b = bare(back, NULL);
	same = json_equal(a, b);
	json_decref(a);
	json_decref(b);
	return same;
}

/* ---- writing ---- */

/* A block as JSON in a comment, in which "--" may not be. */
static const char *
comment_of(struct stet_call *call, const json_t *block)
{
	const char *json = export_json(call, block), *from = json, *s;
	const char *out = "<!--block ";

	for (; (s = strstr(from, "--")) != NULL; from = s + 2)
		out = stet_printf(call, "%s%.*s-\\u002d", out, (int)(s - from), from);
	return stet_printf(call, "%s%s-->", out, from);
}

/* Writes blocks that Markdown can say as Markdown, and the others, or all, as JSON. */
static const char *
written(struct stet_call *call, const json_t *blocks, bool all)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	json_t *run = stet_json_own(call, json_array()), *block;
	char *text;
	const char *out;
	size_t len, i;
	FILE *f = open_memstream(&text, &len);

	if (f == NULL)
		stet_out_of_memory();
	json_array_foreach(blocks, i, block)
	{
		json_t *one = stet_json_own(call, json_pack("[O]", block));

		if (!all && is_same(call, one, content->markdown(call, one))) {
			(void)json_array_append(run, block);
			continue;
		}
		if (json_array_size(run) > 0)
			(void)fprintf(f, "%s\n\n", content->markdown(call, run));
		(void)json_array_clear(run);
		(void)fprintf(f, "%s\n\n", comment_of(call, block));
	}
	if (json_array_size(run) > 0)
		(void)fputs(content->markdown(call, run), f);
	if (fclose(f) != 0)
		stet_out_of_memory();
	while (len > 0 && text[len - 1] == '\n')
		text[--len] = '\0';
	out = stet_strdup(call, text);
	free(text);
	return out;
}

enum stet_status
text_of(struct stet_call *call, struct leaving *l, const char *field, const json_t *blocks,
    const char **out)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);

	*out = content->markdown(call, blocks);
	if (strlen(*out) <= TEXT_MOST && is_same(call, blocks, *out))
		return STET_OK;
	for (int all = 0; all < 2; all++) {
		const char *text = written(call, blocks, all == 1);

		if (strlen(text) <= TEXT_MOST && is_same(call, blocks, text)) {
			*out = text;
			return STET_OK;
		}
	}
	outgoing_lost(l, field,
	    strlen(*out) > TEXT_MOST ? "is longer than imports of Markdown read"
				     : "has blocks that Markdown changes");
	return STET_OK;
}
