/* columns.c - the columns of an item, from the lines of <stet/item.def>. */
#include "item/item.h"

/* Members that are not read with the row are not in the arrays of columns. */
#define STET_ITEM_APART(name, type, flags, column, declaration, use)           \
	_Static_assert(((use) & (STET_ITEM_INSERTED | STET_ITEM_COPIED)) == 0, \
	    column " is neither inserted nor copied");
#include <stet/item.def>

const struct item_part item_parts[] = {
#define STET_ITEM_COLUMN(place, name, type, flags, put, about, more, column, declaration, use) \
	{ column, C_##place, I_##place, use, { name, type, flags, about, more } },
#define STET_ITEM_HIDDEN(place, name, type, flags, column, declaration, use) \
	{ column, C_##place, I_COUNT, use, { name, type, flags, NULL } },
#define STET_ITEM_APART(name, type, flags, column, declaration, use) \
	{ column, C_FIELDS, I_COUNT, use, { name, type, flags, NULL } },
#include <stet/item.def>
	{ 0 },
};
