/*
 * blockfiles.c - types of blocks as files of an export (blocks/<slug>.json), and the steps that
 * make the types of a site equal to files.
 */
#include "blocktypes.h"
#include <stet/transfer.h>
#include <string.h>

#define USES_MOST 1000 /* items that a plan counts */

static json_t *
value_of(struct stet_call *call, const struct stet_block_type *t)
{
	struct stet_json *j = stet_json_new(call);
	const char *text;
	size_t len;

	put_block_type(j, NULL, t, false);
	text = stet_json_text(j, &len);
	return stet_json_own(call, json_loadb(text, len, 0, NULL));
}

enum stet_status
blocks_dump(struct stet_call *call, const struct stet_export *to)
{
	const struct stet_block_type *const *list;
	size_t n;

	STET_TRY(own_blocks_list(call, &list, &n));
	for (size_t i = 0; i < n; i++)
		STET_TRY(to->file(to, call, list[i]->slug, value_of(call, list[i])));
	return STET_OK;
}

/* ---- steps ---- */

static enum stet_status
check_definition(struct stet_call *call, const char *name, const json_t *value)
{
	static const char *const known[] = { "slug", "label", "icon", "description", "sortOrder",
		"fields" };
	const char *slug = json_string_value(json_object_get(value, "slug")), *member;
	json_t *v;

	if (slug == NULL || strcmp(slug, name) != 0)
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "blocks/%s: is no definition of the block type \"%s\"", name, name);
	json_object_foreach((json_t *)(uintptr_t)value, member, v)
	{
		bool is_known = false;

		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			is_known |= strcmp(known[i], member) == 0;
		if (!is_known)
			return stet_fail(call, STET_INVALID_INPUT, NULL,
			    "blocks/%s: %s: unknown member", name, member);
	}
	return STET_OK;
}

/* Returns true if the file has the definition that the site has. The file may leave out that a
 * field is not required. */
static bool
is_same(struct stet_call *call, const json_t *is, const json_t *wanted)
{
	json_t *file = stet_json_own(call, json_copy((json_t *)(uintptr_t)wanted));

	json_object_set(file, "fields",
	    (json_t *)(uintptr_t)block_fields_whole(call, json_object_get(wanted, "fields")));
	return json_equal(is, file);
}

enum stet_status
block_steps(struct stet_call *call, const json_t *wanted, bool remove, struct block_step **steps,
    size_t *count)
{
	const struct stet_block_type *const *list;
	const struct blockset *set;
	const char *name;
	json_t *value;
	size_t n;

	STET_TRY(snapshot_blocks(call, &set));
	list = blockset_list(set, &n);
	*steps = stet_alloc(call, (n + json_object_size(wanted) + 1) * sizeof(**steps));
	*count = 0;
	json_object_foreach((json_t *)(uintptr_t)wanted, name, value)
	{
		const struct stet_block_type *t = blockset_find(set, name);

		STET_TRY(check_definition(call, name, value));
		if (t == NULL || !is_same(call, value_of(call, t), value))
			(*steps)[(*count)++] =
			    (struct block_step){ t == NULL ? "create block" : "change block", name,
				    value, 0 };
	}
	for (size_t i = 0; remove && i < n; i++) {
		struct block_step *step = &(*steps)[*count];

		if (json_object_get(wanted, list[i]->slug) != NULL)
			continue;
		*step = (struct block_step){ "delete block", stet_strdup(call, list[i]->slug) };
		STET_TRY(block_uses(call, step->slug, USES_MOST, &step->rows));
		++*count;
	}
	return STET_OK;
}

enum stet_status
block_step_take(struct stet_call *call, struct stet_tx *tx, const struct block_step *step)
{
	const struct blockset *set;
	struct block_def def;

	if (step->def == NULL)
		return block_drop(call, tx, step->slug);
	def =
	    (struct block_def){ step->slug, json_string_value(json_object_get(step->def, "label")),
		    json_string_value(json_object_get(step->def, "icon")),
		    json_string_value(json_object_get(step->def, "description")),
		    json_object_get(step->def, "fields"), json_object_get(step->def, "sortOrder") };
	STET_TRY(block_define(call, &def));
	STET_TRY(snapshot_blocks(call, &set));
	return block_store(call, tx, &def, blockset_find(set, step->slug));
}

/* ---- stet import site ---- */

enum stet_status
blocks_load(struct stet_call *call, struct stet_tx *tx, const json_t *all, bool remove,
    struct stet_import_count *count)
{
	struct block_step *steps;
	enum stet_status status = STET_OK;
	size_t n;

	STET_TRY(block_steps(call, all, remove, &steps, &n));
	define_as_stored(call, true);
	for (size_t i = 0; i < n && status == STET_OK; i++) {
		if (steps[i].def == NULL)
			count->deleted++;
		else if (strcmp(steps[i].verb, "create block") == 0)
			count->created++;
		else
			count->updated++;
		status = block_step_take(call, tx, &steps[i]);
	}
	define_as_stored(call, false);
	count->same = (int64_t)json_object_size(all) - count->created - count->updated;
	return status;
}
