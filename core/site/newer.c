/* newer.c - has a newer version of this program changed the database while the site is open? */
#include "call/call.h"
#include "db/rows.h"
#include "site/migrate.h"

char *
migrate_newer(struct site *site)
{
	struct stet_call *call = call_new();
	struct stet_rows rows;
	char *why = NULL;

	call_enter(call, site);
	if (stet_query(call, &rows, "SELECT module, version, digest FROM migration",
		STET_NO_ARGS) == STET_OK) {
		while (why == NULL && stet_row(&rows))
			why = migrate_refusal(stet_col_str(&rows, 0), stet_col_int(&rows, 1),
			    stet_col_str(&rows, 2), &(bool){ false });
		(void)!stet_rows_end(&rows);
	}
	rows_end_call(call);
	call_free(call);
	return why;
}
