/*
 * ownblocks.c - blocks of the types that the site defines, in the texts of items. A block has a
 * member for each field that has a value. Members that are no fields stay as they are: they belong
 * to fields that were removed. Blocks inside of other blocks are not looked at.
 */
#include "blocktypes.h"
#include <string.h>

static const char *
type_of(const json_t *block)
{
	return json_string_value(json_object_get(block, "_type"));
}

/* ---- checking ---- */

static enum stet_status
check_block(struct stet_call *call, const struct stet_block_type *type, const char *path,
    const json_t *block, json_t **out, bool *good)
{
	for (size_t i = 0; i < type->field_count; i++)
		STET_TRY(cell_check(call, type->fields[i], path, block, out, good));
	return STET_OK;
}

enum stet_status
own_blocks_check(
    struct stet_call *call, const char *path, const json_t *blocks, json_t **out, bool *good)
{
	const struct blockset *set;
	const json_t *block;
	size_t i, count;

	*out = NULL;
	STET_TRY(snapshot_blocks(call, &set));
	(void)blockset_list(set, &count);
	if (count == 0)
		return STET_OK;
	json_array_foreach((json_t *)(uintptr_t)blocks, i, block)
	{
		const struct stet_block_type *type = blockset_find(set, type_of(block));
		json_t *changed = NULL;
		enum stet_status status;

		if (type == NULL)
			continue;
		status = check_block(
		    call, type, stet_printf(call, "%s[%zu]", path, i), block, &changed, good);
		if (changed != NULL && *out == NULL)
			*out = json_copy((json_t *)(uintptr_t)blocks);
		if (changed != NULL)
			json_array_set_new(*out, i, changed);
		if (status != STET_OK) {
			json_decref(*out);
			*out = NULL;
			return status;
		}
	}
	return STET_OK;
}

/* ---- for other modules ---- */

enum stet_status
own_blocks_list(struct stet_call *call, const struct stet_block_type *const **out, size_t *count)
{
	const struct blockset *set;

	STET_TRY(snapshot_blocks(call, &set));
	*out = blockset_list(set, count);
	return STET_OK;
}

enum stet_status
own_block_type(struct stet_call *call, const json_t *block, const struct stet_block_type **out)
{
	const struct blockset *set;

	STET_TRY(snapshot_blocks(call, &set));
	*out = blockset_find(set, type_of(block));
	return STET_OK;
}

#define DEPTH_MAX 16

struct lines {
	struct stet_call *call;
	const char *text;
};

static void
add_line(struct lines *l, const char *more)
{
	if (more == NULL || *more == '\0')
		return;
	l->text = *l->text == '\0' ? more : stet_printf(l->call, "%s\n%s", l->text, more);
}

/* Adds all strings within a value, such as the cells of rows. */
static void
add_strings(struct lines *l, const json_t *value, int depth)
{
	const json_t *one;
	const char *name;
	size_t i;

	if (depth > DEPTH_MAX)
		return;
	add_line(l, json_string_value(value));
	json_array_foreach((json_t *)(uintptr_t)value, i, one) add_strings(l, one, depth + 1);
	json_object_foreach((json_t *)(uintptr_t)value, name, one) add_strings(l, one, depth + 1);
}

static void
add_value(struct lines *l, const struct stet_field *f, const json_t *value)
{
	switch (f->type->holds) {
	case STET_HOLDS_ITEMS:
	case STET_HOLDS_TIME:
	case STET_HOLDS_LINK:
		return;
	case STET_HOLDS_IMAGE:
		add_line(l, json_string_value(json_object_get(value, "alt")));
		return;
	case STET_HOLDS_FILE:
		add_line(l, json_string_value(json_object_get(value, "filename")));
		return;
	default:
		add_strings(l, value, 0);
	}
}

enum stet_status
own_block_text(struct stet_call *call, const json_t *block, const char **out)
{
	struct lines lines = { call, "" };
	const struct stet_block_type *type;

	*out = NULL;
	STET_TRY(own_block_type(call, block, &type));
	if (type == NULL)
		return STET_OK;
	for (size_t i = 0; i < type->field_count; i++)
		add_value(&lines, type->fields[i], json_object_get(block, type->fields[i]->slug));
	*out = lines.text;
	return STET_OK;
}
