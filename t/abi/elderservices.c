/* elderservices.c - the ops of the plugin elder that use services of other modules. */
#include "elder.h"
#include <stet/bylines.h>
#include <stet/comments.h>
#include <stet/taxonomies.h>

enum stet_status
elder_import_comment(struct stet_call *call)
{
	const struct stet_comments_1 *comments = stet_service(call, STET_COMMENTS_1);
	const struct stet_comment_import *c = GUARDED(call, stet_comment_import,
	    .collection = "posts", .entry_id = stet_arg(call, "id"), .author_name = "Elder",
	    .body = "As it was", .status = STET_COMMENT_APPROVED, .created_at = 1000);
	const char *id;
	bool added;

	STET_TRY(comments->import(call, stet_write_tx(call), c, sizeof(*c), &id, &added));
	stet_put_bool(stet_reply(call), NULL, added);
	return STET_OK;
}

enum stet_status
elder_person(struct stet_call *call)
{
	const struct stet_bylines_1 *bylines = stet_service(call, STET_BYLINES_1);
	const struct stet_byline_person *who =
	    GUARDED(call, stet_byline_person, .name = "Elder", .locale = "en");
	const char *id;

	STET_TRY(bylines->person(call, stet_write_tx(call), who, sizeof(*who), &id));
	stet_put_str(stet_reply(call), NULL, id);
	return STET_OK;
}

enum stet_status
elder_credits(struct stet_call *call)
{
	const struct stet_bylines_1 *bylines = stet_service(call, STET_BYLINES_1);
	struct stet_credited *item = guarded(call, 2 * sizeof(*item));
	struct stet_byline_page *shown;

	item[0] = (struct stet_credited){ .id = "none", .locale = "en" };
	item[1] = (struct stet_credited){ .id = stet_arg(call, "id"), .locale = "en" };
	STET_TRY(bylines->read(
	    call, "posts", &(const struct stet_table){ item, 2, sizeof(*item) }, &shown));
	stet_array(stet_reply(call), NULL);
	for (size_t i = 0; i < 2; i++) {
		stet_object(stet_reply(call), NULL);
		bylines->put(stet_reply(call), shown, i);
		stet_close(stet_reply(call));
	}
	stet_close(stet_reply(call));
	return STET_OK;
}

enum stet_status
elder_terms(struct stet_call *call)
{
	const struct stet_taxonomies_1 *taxonomies = stet_service(call, STET_TAXONOMIES_1);
	const char *const ids[] = { "none", stet_arg(call, "one"), stet_arg(call, "two") };
	struct stet_table found;

	STET_TRY(taxonomies->find(call, ids, 3, "en", &found));
	stet_array(stet_reply(call), NULL);
	for (uint32_t i = 0; i < found.count; i++) {
		struct stet_term_found *t = UNFILLED(call, stet_term_found);

		stet_table_row(&found, i, t, sizeof(*t));
		stet_put_str(stet_reply(call), NULL, t->label);
	}
	stet_close(stet_reply(call));
	return STET_OK;
}
