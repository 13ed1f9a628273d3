/* transferrow.c - what a module's row of transfers must say: of a table, and of its references to
 * media items. */
#include "module/transferrow.h"
#include <string.h>

const char *
transferrow_lacks(const struct stet_transfer *t)
{
	if (t->dump == NULL &&
	    (t->table == NULL || t->row == NULL || t->key == NULL || t->name == NULL))
		return "table, row, key or name";
	if (t->media == NULL)
		return NULL;
	if (t->table == NULL || t->key == NULL || strchr(t->key, ' ') != NULL ||
	    t->media_kind == NULL || t->media_name == NULL)
		return "what media needs: a table, a key of one column, media_kind and media_name";
	return NULL;
}
