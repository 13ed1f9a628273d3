/* shape.c - the members of an item and of replies with one. */
#include "item/item.h"

static const struct stet_member overdue_shape[] = {
	{ "code", STET_STRING, STET_REQUIRED },
	{ "message", STET_STRING, STET_REQUIRED },
	{ "at", STET_TIME, STET_REQUIRED },
	{ 0 },
};

#define ITEM_MEMBERS(has_)                                                                    \
	{ "id", STET_STRING, has_, .about = "Id (ULID)" },                                    \
	    { "type", STET_STRING, has_, .about = "Slug of the collection" },                 \
	    { "slug", STET_STRING, (has_) | STET_NULLABLE, .about = "URL slug" },             \
	    { "status", STET_STRING, has_, STET_CHOICES("draft", "published", "scheduled") }, \
	    { "data", STET_OBJECT, (has_) | STET_VALUES,                                      \
		    .about = "Field values by field slug; unset ones are absent" },           \
	    { "liveData", STET_OBJECT, STET_VALUES,                                           \
		    .about = "When a draft is pending, what is live; data holds the draft" }, \
	    { "liveSlug", STET_STRING, STET_NULLABLE,                                         \
		    .about = "When a draft changes the slug, the one that is live" },         \
	    { "authorId", STET_STRING, (has_) | STET_NULLABLE },                              \
	    { "primaryBylineId", STET_STRING, (has_) | STET_NULLABLE },                       \
	    { "createdAt", STET_TIME, has_ }, { "updatedAt", STET_TIME, has_ },               \
	    { "publishedAt", STET_TIME, (has_) | STET_NULLABLE },                             \
	    { "scheduledAt", STET_TIME, (has_) | STET_NULLABLE },                             \
	    { "version", STET_INTEGER, has_ },                                                \
	    { "liveRevisionId", STET_STRING, (has_) | STET_NULLABLE },                        \
	    { "draftRevisionId", STET_STRING, STET_NULLABLE,                                  \
		    .about = "Absent for readers without the right to drafts" },              \
	    { "locale", STET_STRING, has_ }, { "translationGroup", STET_STRING, has_ },       \
	    { "bylines", STET_ARRAY, has_, .item = STET_OBJECT,                               \
		    .about = "Credits in their order" },                                      \
	    { "byline", STET_OBJECT, (has_) | STET_NULLABLE, .about = "The first of them" },  \
	    { "seo", STET_OBJECT, .of = seo_shape, .about = "In collections that have SEO" }, \
	    { "liveSeo", STET_OBJECT, .of = seo_shape,                                        \
		    .about = "When a draft is pending, the one that is live" },               \
	    { "liveBylines", STET_ARRAY, .item = STET_OBJECT,                                 \
		    .about = "When a draft changes the credits, those that are live" },       \
	{                                                                                     \
		"scheduleError", STET_OBJECT,                                                 \
		    .of = overdue_shape,                                                      \
		    .about = "Why it is not published although its time has come"             \
	}

const struct stet_member item_shape[] = { ITEM_MEMBERS(STET_REQUIRED), { 0 } };
const struct stet_member item_part_shape[] = { ITEM_MEMBERS(0), { 0 } };

const struct stet_member item_reply_shape[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_shape },
	ITEM_REV,
	{ 0 },
};
const struct stet_member item_part_reply_shape[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_part_shape },
	ITEM_REV,
	{ 0 },
};

static const struct stet_member lost_shape[] = {
	{ "field", STET_STRING, STET_REQUIRED, .about = "Where the Markdown was: data.body" },
	{ "line", STET_INTEGER, STET_REQUIRED, .about = "Line of the Markdown, from 1" },
	{ "what", STET_STRING, STET_REQUIRED,
	    .about = "What blocks do not express. The text is kept, without that" },
	{ 0 },
};
const struct stet_member item_written_shape[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_part_shape },
	ITEM_REV,
	{ "lost", STET_ARRAY, .of = lost_shape,
	    .about = "What could not be kept of Markdown that was sent: of tables, tasks, titles "
		     "and the like. Absent if all of it is kept" },
	{ 0 },
};
