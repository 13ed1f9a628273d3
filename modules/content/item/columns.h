/*
 * columns.h - the members of an item, from the lines of <stet/item.def>: constants of the columns
 * and of the members, and a table of the columns. Part of item.h, which includes it.
 */
#ifndef CONTENT_COLUMNS_H
#define CONTENT_COLUMNS_H

#include <stet/module.h>

/* Columns that are read with the row of an item. Those of its fields follow. */
enum item_column {
#define STET_ITEM_COLUMN(place, ...) C_##place,
#define STET_ITEM_HIDDEN(place, ...) C_##place,
#include <stet/item.def>
	C_FIELDS
};

/* Members of an item in answers, in the order of item_shape. */
enum item_member {
#define STET_ITEM_COLUMN(place, ...) I_##place,
#define STET_ITEM_MEMBER(place, ...) I_##place,
#include <stet/item.def>
	I_COUNT
};
_Static_assert(I_COUNT <= 31, "struct view has a bit for each member, and one for _rev");

/* A column of the table of a collection. */
struct item_part {
	const char *column;
	enum item_column at; /* C_FIELDS: it is not read with the row */
	enum item_member member; /* I_COUNT: it is no member of answers */
	uint32_t use; /* STET_ITEM_... */
	struct stet_member shape;
};
/* All columns but those of fields. The `column` of the last row is NULL. */
extern const struct item_part item_parts[];

#endif
