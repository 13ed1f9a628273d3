/* exporter_talk.c - stores a page of comments that an exporter sent. */
#include "read/text.h"
#include "remote/exporter.h"
#include <stet/comments.h>
#include <string.h>

#define AT_ONCE 100 /* comments in one transaction */

struct part {
	struct exporter_talk *talk;
	size_t from, until;
	int64_t imported, skipped; /* counts before this part */
};

static enum stet_comment_status
status_of(const char *text)
{
	if (strcmp(text, "approved") == 0 || strcmp(text, "approve") == 0 || strcmp(text, "1") == 0)
		return STET_COMMENT_APPROVED;
	if (strcmp(text, "spam") == 0)
		return STET_COMMENT_SPAM;
	return strcmp(text, "trash") == 0 ? STET_COMMENT_TRASH : STET_COMMENT_PENDING;
}

/* Stores a comment. A reply to a comment that is not here gets no parent. */
static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, struct exporter_talk *t, const json_t *from)
{
	const struct stet_comments_1 *comments = stet_service(call, STET_COMMENTS_1);
	const json_t *item = json_object_get(t->ids, text_member(call, from, "post_id"));
	const char *time = text_time(call, text_member(call, from, "date_gmt")), *id = NULL;
	struct stet_comment_import c = { .collection =
					     json_string_value(json_object_get(item, "collection")),
		.entry_id = json_string_value(json_object_get(item, "id")),
		.parent_id = json_string_value(
		    json_object_get(t->roots, text_member(call, from, "parent_id"))),
		.author_name = text_decode(call, text_member(call, from, "author_name")),
		.author_email = text_member(call, from, "author_email"),
		.body = text_plain(call, text_member(call, from, "body")),
		.status = status_of(text_member(call, from, "status")),
		.created_at = stet_now(call) };
	bool added = false;

	if (c.collection == NULL || c.entry_id == NULL || *c.body == '\0') {
		t->skipped++;
		return STET_OK;
	}
	if (time != NULL)
		(void)stet_time_parse(time, &c.created_at);
	STET_TRY(comments->import(call, tx, &c, sizeof(c), &id, &added));
	(void)json_object_set_new(t->roots, text_member(call, from, "id"), json_string(id));
	t->imported += added;
	t->skipped += !added;
	return STET_OK;
}

static enum stet_status
store_part(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct part *p = arg;
	struct exporter_talk *t = p->talk;

	/* The transaction may be repeated: reset the counts. */
	t->imported = p->imported;
	t->skipped = p->skipped;
	for (size_t i = p->from; i < p->until; i++)
		STET_TRY(store(call, tx, t, json_array_get(t->comments, i)));
	return STET_OK;
}

static enum stet_status
part_scope(struct stet_call *call, void *arg)
{
	return stet_write_lane(call, store_part, arg);
}

/* Stores each comment in its own transaction, so that a refused one does not affect the others. */
static enum stet_status
store_singly(struct stet_call *call, struct part *p)
{
	enum stet_status status;

	for (size_t i = p->from; i < p->until; i++) {
		struct part one = { p->talk, i, i + 1, p->talk->imported, p->talk->skipped };

		status = stet_scope(call, part_scope, &one);
		if (status == STET_OK)
			continue;
		if (stet_status_http(status) >= 500)
			return status;
		stet_error_clear(call);
		p->talk->imported = one.imported;
		p->talk->skipped = one.skipped + 1;
	}
	return STET_OK;
}

enum stet_status
exporter_talk(struct stet_call *call, struct exporter_talk *t)
{
	size_t count = json_array_size(t->comments);
	enum stet_status status;

	if (stet_service(call, STET_COMMENTS_1) == NULL) {
		t->skipped += (int64_t)count;
		return STET_OK;
	}
	for (size_t i = 0; i < count; i += AT_ONCE) {
		struct part p = { t, i, i + AT_ONCE < count ? i + AT_ONCE : count, t->imported,
			t->skipped };

		status = stet_scope(call, part_scope, &p);
		if (status != STET_OK && stet_status_http(status) < 500) {
			stet_error_clear(call);
			t->imported = p.imported;
			t->skipped = p.skipped;
			status = store_singly(call, &p);
		}
		STET_TRY(status);
	}
	return STET_OK;
}
