/* shape.c - the members of an item and of replies with one. */
#include "item/item.h"

const struct stet_member overdue_shape[] = {
	{ "code", STET_STRING, STET_REQUIRED },
	{ "message", STET_STRING, STET_REQUIRED },
	{ "at", STET_TIME, STET_REQUIRED },
	{ "unpublishAt", STET_TIME, .about = "It could not be unpublished at this time" },
	{ 0 },
};

const struct stet_member item_shape[] = {
#define STET_ITEM_COLUMN(place, name, type, flags, put, about, more, ...) \
	{ name, type, flags, about, more },
#define STET_ITEM_MEMBER(place, name, type, flags, put, about, more, ...) \
	{ name, type, flags, about, more },
#include <stet/item.def>
	{ 0 },
};
const struct stet_member item_part_shape[] = {
#include "item/part.def"
	{ 0 },
};
const struct stet_member item_listed_shape[] = {
#include "item/part.def"
	{ "_rev", STET_STRING,
	    .about = "For an update of the item; absent for readers without the right to drafts, "
		     "unless fields names it" },
	{ 0 },
};

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
