/* talk.c - the comments of an item, with their threads. */
#include "export.h"
#include <stet/comments.h>
#include <string.h>

struct talking {
	struct export *x;
	int64_t thread; /* number of the first comment of the thread */
};

/* Returns the time, with milliseconds if it has any, since comments have no custom field for
 * them. */
static const char *
exact_time(struct stet_call *call, const char *iso)
{
	const char *time = export_time(call, iso);
	int64_t ms;

	if (!stet_time_parse(iso, &ms) || ms % 1000 == 0)
		return time;
	return stet_printf(call, "%s.%03d", time, (int)((ms % 1000 + 1000) % 1000));
}

static enum stet_status
put_comment(struct stet_call *call, const struct stet_comment *c, void *arg)
{
	static const char *const approved[STET_COMMENT_STATUSES] = { [STET_COMMENT_PENDING] = "0",
		[STET_COMMENT_APPROVED] = "1",
		[STET_COMMENT_SPAM] = "spam",
		[STET_COMMENT_TRASH] = "trash" };
	struct talking *t = arg;
	struct xml *xml = t->x->xml;
	int64_t number = ++t->x->done.comments;

	xml_open(xml, "wp:comment");
	xml_number(xml, "wp:comment_id", number);
	xml_cdata(xml, "wp:comment_author", escape_entities(call, c->author_name));
	xml_cdata(xml, "wp:comment_author_email", c->author_email);
	xml_text(xml, "wp:comment_author_url", "");
	xml_cdata(xml, "wp:comment_author_IP", "");
	xml_cdata(xml, "wp:comment_date", export_time(call, c->created_at));
	xml_cdata(xml, "wp:comment_date_gmt", exact_time(call, c->created_at));
	xml_cdata(xml, "wp:comment_content", escape_plain(call, c->body));
	xml_cdata(xml, "wp:comment_approved", approved[c->status]);
	xml_cdata(xml, "wp:comment_type", "comment");
	xml_number(xml, "wp:comment_parent", c->parent_id != NULL ? t->thread : 0);
	xml_number(xml, "wp:comment_user_id", 0);
	xml_close(xml);
	if (c->parent_id == NULL)
		t->thread = number;
	return STET_OK;
}

enum stet_status
export_comments(struct stet_call *call, struct export *x, const char *collection, const char *id)
{
	const struct stet_comments_1 *comments = stet_service(call, STET_COMMENTS_1);
	struct talking t = { x, 0 };

	return comments != NULL ? comments->each(call, collection, id, put_comment, &t) : STET_OK;
}
