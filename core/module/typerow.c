/* typerow.c - checks a row of field types: whether its storage can hold what the type says. */
#include "module/typerow.h"

bool
typerow_fits(const struct stet_field_type *type)
{
	const bool json = type->storage == STET_STORE_JSON || type->json_text;

	if (type->holds > STET_HOLDS_FILE)
		return false;
	if (type->holds == STET_HOLDS_VALUE)
		return true;
	if (type->holds >= STET_HOLDS_TEXTS)
		return json;
	return type->storage == STET_STORE_TEXT && !json;
}
