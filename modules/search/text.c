/* text.c - extracts the text that people read from a value. */
#include "search.h"
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 32

struct leaves {
	struct stet_call *call;
	char *text;
	size_t len, room;
};

static void
add(struct leaves *l, const char *s, size_t len)
{
	if (l->len + len + 2 > l->room) {
		size_t room = 2 * (l->len + len + 2);
		char *more = stet_alloc(l->call, room);

		if (l->len > 0)
			memcpy(more, l->text, l->len);
		l->text = more;
		l->room = room;
	}
	if (l->len > 0)
		l->text[l->len++] = '\n';
	memcpy(l->text + l->len, s, len);
	l->len += len;
	l->text[l->len] = '\0';
}

/* Collects all strings, one per line, but no names of members. */
static void
walk(struct leaves *l, const json_t *v, int depth)
{
	const json_t *child;
	const char *key;
	size_t i;

	if (depth > DEPTH_MAX)
		return;
	if (json_is_string(v))
		add(l, json_string_value(v), json_string_length(v));
	json_array_foreach(v, i, child) walk(l, child, depth + 1);
	if (!json_is_object(v))
		return;
	json_object_foreach((json_t *)(uintptr_t)v, key, child) if (*key != '_')
	    walk(l, child, depth + 1);
}

/* Replaces each block that the site defines by one with what people read in it. Returns the text
 * itself if it has no such blocks. */
static const json_t *
with_own_blocks(struct stet_call *call, const json_t *blocks)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_block_type *const *types;
	const char *text;
	json_t *block, *out = NULL;
	size_t i, count;

	if (schema == NULL || schema->blocks(call, &types, &count) != STET_OK || count == 0)
		return blocks;
	json_array_foreach((json_t *)(uintptr_t)blocks, i, block)
	{
		if (schema->block_text(call, block, &text) != STET_OK || text == NULL)
			continue;
		if (out == NULL)
			out = stet_json_own(call, json_copy((json_t *)(uintptr_t)blocks));
		json_array_set_new(out, i, json_pack("{s:s}", "text", text));
	}
	return out != NULL ? out : blocks;
}

static bool
is_one_of(const char *type, const char *const *list)
{
	while (*list != NULL && strcmp(*list, type) != 0)
		list++;
	return *list != NULL;
}

/* Replaces the marks of snippets, and other invisible characters, by blanks. */
static char *
visible(char *text)
{
	for (char *p = text; p != NULL && *p != '\0'; p++)
		if (((unsigned char)*p < ' ' && *p != '\n' && *p != '\t') || *p == 0x7f)
			*p = ' ';
	return text;
}

char *
text_of(struct stet_call *call, const struct stet_field *field, struct stet_rows *rows, int i)
{
	static const char *const silent[] = { "boolean", "reference", NULL };
	static const char *const plain[] = { "json", "repeater", NULL };
	struct leaves l = { .call = call };
	const char *text;
	size_t len;
	json_t *v;

	if (stet_col_null(rows, i) || is_one_of(field->type->name, silent))
		return NULL;
	text = stet_col_text(rows, i, &len);
	if (!field->json_text)
		return visible(stet_strndup(call, text, len));
	v = stet_json_stored(call, text, len);
	if (v == NULL)
		return NULL;
	if (field->type->holds == STET_HOLDS_BLOCKS)
		return visible(stet_value_text(call, with_own_blocks(call, v)));
	if (!is_one_of(field->type->name, plain))
		return visible(stet_value_text(call, v));
	walk(&l, v, 0);
	return visible(l.text);
}
