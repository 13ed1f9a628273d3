/* post.c - writes the elements of an item in the order of WordPress. */
#include "export.h"
#include <stet/portabletext.h>

/* ---- texts ---- */

struct finding {
	struct stet_call *call;
	struct export *x;
};

static int64_t
find_number(void *arg, const char *media)
{
	const struct finding *f = arg;

	return attachment_number(f->call, f->x, media);
}

const char *
export_markup(struct stet_call *call, struct export *x, const json_t *blocks)
{
	struct finding f = { call, x };
	struct stet_html_write how = { x->base, find_number, &f };
	const struct stet_html_1 *html = stet_service(call, STET_HTML_1);
	const char *markup = html->write(call, blocks, &how, sizeof(how));

	x->done.kept += how.kept;
	x->done.changed += how.changed;
	return markup;
}

void
export_label(struct export *x, const char *domain, const char *slug, const char *name)
{
	xml_open(x->xml, "category");
	xml_attribute(x->xml, "domain", domain);
	xml_attribute(x->xml, "nicename", slug);
	xml_characters(x->xml, name);
	xml_close(x->xml);
}

/* ---- elements ---- */

static const char *
link_of(struct stet_call *call, const struct export *x, const struct post *p)
{
	if (p->link != NULL)
		return p->link;
	return stet_printf(call, "%s/?p=%lld", x->base, (long long)p->number);
}

static void
put_dates(struct stet_call *call, struct export *x, const struct post *p)
{
	const char *created = export_time(call, p->created),
		   *modified = export_time(call, p->modified);

	xml_cdata(x->xml, "wp:post_date", created);
	xml_cdata(x->xml, "wp:post_date_gmt", created);
	xml_cdata(x->xml, "wp:post_modified", modified);
	xml_cdata(x->xml, "wp:post_modified_gmt", modified);
}

void
post_open(struct stet_call *call, struct export *x, const struct post *p)
{
	struct xml *xml = x->xml;

	xml_open(xml, "item");
	xml_cdata(xml, "title", p->title);
	xml_text(xml, "link", link_of(call, x, p));
	xml_text(xml, "pubDate", export_mail_time(call, p->created));
	xml_cdata(xml, "dc:creator", p->creator);
	xml_open(xml, "guid");
	xml_attribute(xml, "isPermaLink", "false");
	xml_characters(xml, p->attachment != NULL
				? p->attachment
				: stet_printf(call, "%s/?p=%lld", x->base, (long long)p->number));
	xml_close(xml);
	xml_text(xml, "description", "");
	xml_cdata(xml, "content:encoded", p->content);
	xml_cdata(xml, "excerpt:encoded", p->excerpt);
	xml_number(xml, "wp:post_id", p->number);
	put_dates(call, x, p);
	xml_cdata(xml, "wp:comment_status", p->comments ? "open" : "closed");
	xml_cdata(xml, "wp:ping_status", "closed");
	xml_cdata(xml, "wp:post_name", p->slug);
	xml_cdata(xml, "wp:status", p->status);
	xml_number(xml, "wp:post_parent", p->parent);
	xml_number(xml, "wp:menu_order", p->order);
	xml_cdata(xml, "wp:post_type", p->type);
	xml_cdata(xml, "wp:post_password", "");
	xml_number(xml, "wp:is_sticky", 0);
	if (p->attachment != NULL)
		xml_cdata(xml, "wp:attachment_url", p->attachment);
}

void
post_close(struct export *x)
{
	xml_close(x->xml);
}
