/*
 * many_count.c - the table value_count: how many items have a value of a field that has many values
 * (many.c), by status. It is updated with the rows of value_item. Lists filtered by such a value
 * read their totals there.
 */
#include "item/item.h"
#include <inttypes.h>

enum stet_status
many_count_add(struct stet_call *call, struct stet_tx *tx, int64_t index, const char *value,
    const char *status)
{
	return stet_exec(call, tx,
	    "INSERT INTO value_count (index_id, value, status, n) VALUES (?1, ?2, ?3, 1)"
	    " ON CONFLICT (index_id, value, status) DO UPDATE SET n = value_count.n + 1",
	    STET_ARGS(index, value, status));
}

enum stet_status
many_count_take(struct stet_call *call, struct stet_tx *tx, const char *item)
{
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO value_count (index_id, value, status, n)"
	    " SELECT index_id, value, item_status, -1 FROM value_item WHERE item = ?1"
	    " ON CONFLICT (index_id, value, status) DO UPDATE SET n = value_count.n - 1",
	    STET_ARGS(item)));
	/* Delete the counts of values that no item has any more; the partial index contains only
	 * these. */
	return stet_exec(call, tx, "DELETE FROM value_count WHERE n = 0", STET_NO_ARGS);
}

enum stet_status
many_count_forget(struct stet_call *call, struct stet_tx *tx, int64_t index)
{
	return stet_exec(call, tx, "DELETE FROM value_count WHERE index_id = ?1", STET_ARGS(index));
}

enum stet_status
many_count_read(
    struct stet_call *call, int64_t index, const char *value, const char *status, int64_t *n)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT COALESCE(SUM(n), 0) FROM value_count WHERE index_id = ?1 AND value = ?2"
	    " AND status = COALESCE(?3, status)",
	    STET_ARGS(index, value, status)));
	*n = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

enum stet_status
many_count_verify(struct stet_call *call, const char *collection, const char *field, int64_t index,
    json_t *problems)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT value, status, SUM(n) FROM (SELECT value, status, n FROM value_count"
	    " WHERE index_id = ?1 UNION ALL SELECT value, item_status, -1 FROM value_item"
	    " WHERE index_id = ?1) AS x GROUP BY value, status HAVING SUM(n) <> 0 LIMIT 5",
	    STET_ARGS(index)));
	while (stet_row(&rows))
		json_array_append_new(problems,
		    json_sprintf("%s: the kept number of items that are %s and have '%s' in %s is "
				 "wrong by %" PRId64,
			collection, stet_col_str(&rows, 1), stet_col_str(&rows, 0), field,
			stet_col_int(&rows, 2)));
	return stet_rows_end(&rows);
}
