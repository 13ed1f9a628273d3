/*
 * cut.c - long texts in cursors. A cursor has room only for the beginning of such a text, and a
 * hash of the whole text. By the hash the next page knows whether the item still has the text at
 * which the previous page ended.
 */
#include "read/read.h"
#include <sodium.h>
#include <string.h>

#define HASH_BYTES 8
#define HEX (2 * HASH_BYTES)

static const char *
hash(struct stet_call *call, const char *text, size_t len)
{
	unsigned char sum[crypto_generichash_BYTES_MIN];
	char *hex = stet_alloc(call, HEX + 1);

	crypto_generichash(sum, sizeof(sum), (const unsigned char *)text, len, NULL, 0);
	return sodium_bin2hex(hex, HEX + 1, sum, HASH_BYTES);
}

enum stet_status
cut_refuse(struct stet_call *call)
{
	return stet_fail(call, STET_INVALID_CURSOR, "cursor",
	    "Invalid pagination cursor: it is not one of this listing and order");
}

const char *
cut_text(struct stet_call *call, const char *text, size_t len, size_t max, bool *is_cut)
{
	*is_cut = len > max;
	if (!*is_cut)
		return stet_strndup(call, text, len);
	while (((unsigned char)text[max] & 0xc0) == 0x80)
		max--;
	return stet_printf(call, "%s%.*s", hash(call, text, len), (int)max, text);
}

/* Returns the text where a walk resumes if the item has another text now: before all texts with
 * this beginning. Items may be repeated, since it is not known which of them were shown. */
static const char *
before_all(struct stet_call *call, const char *beginning, bool desc)
{
	const char *after = desc ? operand_after(call, beginning) : NULL;

	return after != NULL ? after : beginning;
}

enum stet_status
cut_resume(struct stet_call *call, const struct plan *plan, const struct order *o, const char *id,
    const char *cut, bool desc, struct stet_val *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	const char *text;

	if (strlen(cut) < HEX)
		return cut_refuse(call);
	*out = stet_val_str(before_all(call, cut + HEX, desc));
	stet_sql_add(sql, "SELECT ");
	stet_sql_ident(sql, o->prefix, o->column);
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, plan->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	text = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	if (text != NULL && strncmp(hash(call, text, strlen(text)), cut, HEX) == 0)
		*out = stet_val_str(text);
	return stet_rows_end(&rows);
}
