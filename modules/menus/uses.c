/* uses.c - lists the menus with links to some items of a collection, before those are deleted. */
#include "menus.h"
#include <string.h>

#define IDS_MAX 50

const struct stet_member menu_uses_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the item" },
	{ "also", STET_STRING, .about = "Ids of further items, by commas; at most 49",
	    STET_RANGE(1, 1500) },
	{ 0 },
};
static const struct stet_member use_shape[] = {
	{ "name", STET_STRING, STET_REQUIRED },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ 0 },
};
const struct stet_member menu_uses_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = use_shape, .about = "Menus, each once" },
	{ 0 },
};

/* The ids are those of items in any collection, so `collection` only forms the path. */
enum stet_status
menu_uses(struct stet_call *call)
{
	const char *ids[IDS_MAX] = { stet_arg(call, "id") }, *also = stet_arg(call, "also");
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	size_t count = 1;

	while (also != NULL && *also != '\0') {
		const size_t len = strcspn(also, ",");

		if (count == IDS_MAX) {
			stet_issue(call, "also", "has more than %d ids", IDS_MAX - 1);
			return stet_issues(call);
		}
		ids[count++] = stet_strndup(call, also, len);
		also += len + (also[len] == ',');
	}
	stet_sql_add(sql, "SELECT m.name, m.locale, m.label FROM menu AS m WHERE m.id IN"
			  " (SELECT i.menu_id FROM menu_item AS i WHERE i.reference_id IN ");
	stet_sql_texts(sql, ids, count);
	stet_sql_add(sql, ")");
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	STET_TRY(stet_put_rows(out, "items", &rows, use_shape));
	stet_close(out);
	return STET_OK;
}
