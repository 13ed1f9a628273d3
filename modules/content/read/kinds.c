/* kinds.c - the kinds of included rows that this module has: their rows are items. */
#include "read/include.h"

const struct stet_include content_includes[3] = {
	{ .name = INCLUDE_REFERENCES,
	    .about = "Items that fields of type reference name; references(field:2) says which, "
		     "and how many levels, at most 3",
	    .op = "content_list",
	    .takes_args = true,
	    .wants = refer_wants,
	    .read = refer_read },
	{ .name = INCLUDE_TRANSLATIONS,
	    .about = "The other items of their translation groups",
	    .op = "content_list",
	    .read = refer_translations },
	{ .name = INCLUDE_USED_BY,
	    .about = "Published items that refer to them, the newest first; "
		     "usedBy(collection.field:5) says by which fields, and how many to each",
	    .op = "content_list",
	    .takes_args = true,
	    .read = usedby_read },
};
