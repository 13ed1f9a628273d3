/* rules.c - the elements of an export (WXR 1.0 to 1.2): where each may be, and what its text is. */
#include "read/build.h"
#include <stddef.h>
#include <strings.h>

#define OPEN(in_, name_, opens_)                                                                  \
	{                                                                                         \
		.in = (in_), .space = SPACE_WP, .name = (name_), .opens = (opens_), .kind = OPENS \
	}
#define TEXT(in_, space_, name_, kind_, type_, member_)                           \
	{                                                                         \
		.in = (in_), .space = (space_), .name = (name_), .kind = (kind_), \
		.offset = offsetof(struct type_, member_)                         \
	}
#define WP(in_, name_, kind_, type_, member_) TEXT(in_, SPACE_WP, name_, kind_, type_, member_)

const struct rule rules[] = {
	TEXT(CHANNEL, SPACE_NONE, "title", WORDS, wxr_site, title),
	TEXT(CHANNEL, SPACE_NONE, "link", WORDS, wxr_site, link),
	TEXT(CHANNEL, SPACE_NONE, "description", WORDS, wxr_site, description),
	TEXT(CHANNEL, SPACE_NONE, "language", WORDS, wxr_site, language),
	WP(CHANNEL, "wxr_version", WORDS, wxr_site, version),
	WP(CHANNEL, "base_site_url", WORDS, wxr_site, base_site),
	WP(CHANNEL, "base_blog_url", WORDS, wxr_site, base_blog),
	{ .in = CHANNEL, .space = SPACE_STET, .name = "collection", .kind = DEFINITION },
	{ .in = CHANNEL, .space = SPACE_STET, .name = "taxonomy", .kind = DEFINITION },
	OPEN(CHANNEL, "author", AUTHOR),
	OPEN(CHANNEL, "wp_author", AUTHOR),
	OPEN(CHANNEL, "category", CATEGORY),
	OPEN(CHANNEL, "tag", TAG),
	OPEN(CHANNEL, "term", TERM),
	{ .in = CHANNEL, .space = SPACE_NONE, .name = "item", .kind = OPENS, .opens = ITEM },

	WP(AUTHOR, "author_id", NUMBER, wxr_author, id),
	WP(AUTHOR, "author_login", WORDS, wxr_author, login),
	WP(AUTHOR, "author_email", WORDS, wxr_author, email),
	WP(AUTHOR, "author_display_name", WORDS, wxr_author, display_name),
	WP(AUTHOR, "author_first_name", WORDS, wxr_author, first_name),
	WP(AUTHOR, "author_last_name", WORDS, wxr_author, last_name),

	WP(CATEGORY, "term_id", NUMBER, wxr_term, id),
	WP(CATEGORY, "category_nicename", WORDS, wxr_term, slug),
	WP(CATEGORY, "category_parent", WORDS, wxr_term, parent),
	WP(CATEGORY, "cat_name", WORDS, wxr_term, name),
	WP(CATEGORY, "category_description", WORDS, wxr_term, description),
	OPEN(CATEGORY, "termmeta", TERM_META),
	WP(TAG, "term_id", NUMBER, wxr_term, id),
	WP(TAG, "tag_slug", WORDS, wxr_term, slug),
	WP(TAG, "tag_name", WORDS, wxr_term, name),
	WP(TAG, "tag_description", WORDS, wxr_term, description),
	OPEN(TAG, "termmeta", TERM_META),
	WP(TERM, "term_id", NUMBER, wxr_term, id),
	WP(TERM, "term_taxonomy", WORDS, wxr_term, taxonomy),
	WP(TERM, "term_slug", WORDS, wxr_term, slug),
	WP(TERM, "term_parent", WORDS, wxr_term, parent),
	WP(TERM, "term_name", WORDS, wxr_term, name),
	WP(TERM, "term_description", WORDS, wxr_term, description),
	OPEN(TERM, "termmeta", TERM_META),
	WP(TERM_META, "meta_key", WORDS, wxr_meta, key),
	WP(TERM_META, "meta_value", RAW, wxr_meta, value),

	TEXT(ITEM, SPACE_NONE, "title", WORDS, wxr_item, title),
	TEXT(ITEM, SPACE_NONE, "link", WORDS, wxr_item, link),
	TEXT(ITEM, SPACE_NONE, "pubDate", WORDS, wxr_item, published),
	TEXT(ITEM, SPACE_DC, "creator", WORDS, wxr_item, author),
	TEXT(ITEM, SPACE_NONE, "guid", WORDS, wxr_item, guid),
	TEXT(ITEM, SPACE_NONE, "description", RAW, wxr_item, description),
	TEXT(ITEM, SPACE_CONTENT, "encoded", RAW, wxr_item, content),
	TEXT(ITEM, SPACE_EXCERPT, "encoded", RAW, wxr_item, excerpt),
	{ .in = ITEM, .space = SPACE_NONE, .name = "category", .kind = LABEL },
	WP(ITEM, "post_id", NUMBER, wxr_item, id),
	WP(ITEM, "post_parent", NUMBER, wxr_item, parent),
	WP(ITEM, "menu_order", NUMBER, wxr_item, menu_order),
	WP(ITEM, "is_sticky", FLAG, wxr_item, sticky),
	WP(ITEM, "post_type", WORDS, wxr_item, type),
	WP(ITEM, "status", WORDS, wxr_item, status),
	WP(ITEM, "post_name", WORDS, wxr_item, slug),
	WP(ITEM, "post_password", RAW, wxr_item, password),
	WP(ITEM, "attachment_url", WORDS, wxr_item, attachment_url),
	WP(ITEM, "comment_status", WORDS, wxr_item, comment_status),
	WP(ITEM, "ping_status", WORDS, wxr_item, ping_status),
	WP(ITEM, "post_date", WORDS, wxr_item, date),
	WP(ITEM, "post_date_gmt", WORDS, wxr_item, date_gmt),
	WP(ITEM, "post_modified", WORDS, wxr_item, modified),
	WP(ITEM, "post_modified_gmt", WORDS, wxr_item, modified_gmt),
	OPEN(ITEM, "postmeta", ITEM_META),
	WP(ITEM_META, "meta_key", WORDS, wxr_meta, key),
	WP(ITEM_META, "meta_value", RAW, wxr_meta, value),

	OPEN(ITEM, "comment", COMMENT),
	WP(COMMENT, "comment_id", NUMBER, wxr_comment, id),
	WP(COMMENT, "comment_parent", NUMBER, wxr_comment, parent),
	WP(COMMENT, "comment_user_id", NUMBER, wxr_comment, user),
	WP(COMMENT, "comment_author", WORDS, wxr_comment, author),
	WP(COMMENT, "comment_author_email", WORDS, wxr_comment, email),
	WP(COMMENT, "comment_author_url", WORDS, wxr_comment, url),
	WP(COMMENT, "comment_author_IP", WORDS, wxr_comment, ip),
	WP(COMMENT, "comment_date", WORDS, wxr_comment, date),
	WP(COMMENT, "comment_date_gmt", WORDS, wxr_comment, date_gmt),
	WP(COMMENT, "comment_content", RAW, wxr_comment, content),
	WP(COMMENT, "comment_approved", WORDS, wxr_comment, approved),
	WP(COMMENT, "comment_type", WORDS, wxr_comment, type),
	OPEN(COMMENT, "commentmeta", COMMENT_META),
	WP(COMMENT_META, "meta_key", WORDS, wxr_meta, key),
	WP(COMMENT_META, "meta_value", RAW, wxr_meta, value),
};

const size_t rule_count = sizeof(rules) / sizeof(rules[0]);

const struct rule *
rule_find(enum where in, enum space space, const char *name, const struct rule *last)
{
	const struct rule *end = rules + rule_count, *r = last != NULL ? last : rules;

	for (size_t i = 0; i < rule_count; i++, r++) {
		r = r == end ? rules : r;
		if (r->in == in && r->space == space && strcasecmp(r->name, name) == 0)
			return r;
	}
	return NULL;
}
