/* get.c - reads one item and, with the argument `include`, the rows that belong to it. */
#include "read/read.h"
#include <sodium.h>

const struct stet_member get_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, .about = "Locale, when it is looked up by slug" },
	{ "slug", STET_STRING, .about = "Look up this slug, whatever `id` is" },
	VIEW_FIELDS,
	VIEW_MARKDOWN,
	INCLUDE_ARG,
	{ 0 },
};
const struct stet_member get_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_part_shape },
	ITEM_REV,
	INCLUDE_OUT,
	{ 0 },
};

static void
hash_included(void *state, const char *text, size_t len)
{
	crypto_generichash_update(state, (const unsigned char *)text, len);
}

/* Writes the included rows. They change independently of the item, so their text is part of the
 * entity tag. */
static enum stet_status
put_beside(struct item_more *more, struct stet_call *call, struct stet_rows *rows,
    const struct newest *newest)
{
	struct beside *b = (struct beside *)more;
	unsigned char hash[crypto_generichash_BYTES_MIN];
	char hex[2 * sizeof(hash) + 1];
	crypto_generichash_state state;

	include_add(b->include, rows, b->plan, newest);
	STET_TRY(include_put(b->include, stet_reply(call)));
	crypto_generichash_init(&state, NULL, 0, sizeof(hash));
	include_each(b->include, hash_included, &state);
	crypto_generichash_final(&state, hash, sizeof(hash));
	more->tag = stet_strdup(call, sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash)));
	return STET_OK;
}

enum stet_status
get_beside(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, const struct view *view, struct beside *b, struct item_more **out)
{
	*out = NULL;
	STET_TRY(include_begin(call, collection, view, &b->include));
	if (b->include == NULL)
		return STET_OK;
	b->more = (struct item_more){ .put = put_beside };
	b->plan = plan;
	*out = &b->more;
	return STET_OK;
}

enum stet_status
content_get(struct stet_call *call)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale"));
	const struct stet_collection *collection;
	const struct plan *plan;
	struct item_more *more;
	struct beside beside;
	struct stet_rows rows;
	struct view view;

	STET_TRY(stet_issues(call));
	STET_TRY(plan_get(call, stet_arg(call, "collection"), &collection, &plan));
	STET_TRY(view_read(call, collection, &view));
	STET_TRY(get_beside(call, collection, plan, &view, &beside, &more));
	STET_TRY(item_find_shown(
	    call, collection, plan, stet_arg(call, "id"), stet_arg(call, "slug"), locale, &rows));
	return item_answer_more(call, collection, plan, &rows, &view, more);
}
