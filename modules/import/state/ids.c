/* ids.c - the ids of a source, which stay after the import: the table import_source. */
#include "state/ids.h"
#include "read/text.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ORIGIN_MAX 200 /* characters */
#define HASH_BYTES 16

const char *
ids_origin(struct stet_call *call, const struct wxr_site *site)
{
	const char *url = *site->base_blog != '\0'   ? site->base_blog
			  : *site->base_site != '\0' ? site->base_site
						     : site->link;
	const char *scheme = strstr(url, "://");
	char *name;
	size_t len;

	name = stet_strdup(call, scheme != NULL ? scheme + 3 : url);
	for (size_t i = 0; name[i] != '\0' && name[i] != '/'; i++)
		if (name[i] >= 'A' && name[i] <= 'Z')
			name[i] = (char)(name[i] - 'A' + 'a');
	if (strncmp(name, "www.", 4) == 0)
		name += 4;
	for (len = strlen(name); len > 0 && name[len - 1] == '/'; len--)
		name[len - 1] = '\0';
	return len > 0 ? text_cut(call, name, ORIGIN_MAX) : NULL;
}

const char *
ids_hash_of(struct stet_call *call, const json_t *what, const char *text)
{
	crypto_generichash_state state;
	unsigned char hash[HASH_BYTES];
	char hex[2 * HASH_BYTES + 1], *value = json_dumps(what, JSON_COMPACT | JSON_SORT_KEYS);

	if (value == NULL)
		stet_out_of_memory();
	(void)crypto_generichash_init(&state, NULL, 0, sizeof(hash));
	(void)crypto_generichash_update(&state, (const unsigned char *)value, strlen(value));
	(void)crypto_generichash_update(&state, (const unsigned char *)text, strlen(text));
	(void)crypto_generichash_final(&state, hash, sizeof(hash));
	free(value);
	return stet_strdup(call, sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash)));
}

/* ---- rows ---- */

enum stet_status
ids_find(struct stet_call *call, const struct run *run, const char *source, struct kept *out)
{
	struct stet_rows rows;

	*out = (struct kept){ .hash = "" };
	if (run->origin == NULL)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT collection, item, slug, hash, version, comment FROM import_source"
	    " WHERE origin = ?1 AND source = ?2",
	    STET_ARGS(run->origin, source)));
	if (stet_row(&rows))
		*out = (struct kept){ stet_col_dup(&rows, 0), stet_col_dup(&rows, 1),
			stet_col_dup(&rows, 2), stet_col_dup(&rows, 3), stet_col_int(&rows, 4),
			stet_col_int(&rows, 5) };
	return stet_rows_end(&rows);
}

enum stet_status
ids_put(struct stet_call *call, struct stet_tx *tx, const struct run *run, const char *source,
    const struct kept *k)
{
	/* In a source without ids each item has the id 0. */
	if (run->origin == NULL || strcmp(source, "0") == 0)
		return STET_OK;
	return stet_exec(call, tx,
	    "INSERT INTO import_source (origin, source, collection, item, slug, hash, version,"
	    " comment) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (origin, source)"
	    " DO UPDATE SET collection = excluded.collection, item = excluded.item,"
	    " slug = excluded.slug, hash = excluded.hash, version = excluded.version,"
	    " comment = excluded.comment",
	    STET_ARGS(run->origin, source, k->collection, k->item, k->slug, k->hash, k->version,
		k->comment));
}

enum stet_status
ids_move(struct stet_call *call, struct stet_tx *tx, const struct run *run, const char *source,
    const char *collection, const char *item)
{
	if (run->origin == NULL || (strncmp(source, IDS_SLUG, strlen(IDS_SLUG)) != 0 &&
				       strstr(source, "/" IDS_SLUG) == NULL))
		return STET_OK;
	return stet_exec(call, tx,
	    "UPDATE import_source SET origin = ?1 WHERE source = ?2 AND origin ="
	    " (SELECT origin FROM import_source WHERE source = ?2 AND collection = ?3"
	    " AND item = ?4 ORDER BY version DESC, origin LIMIT 1)",
	    STET_ARGS(run->origin, source, collection, item));
}

enum stet_status
ids_taken(struct stet_call *call, const struct run *run, const char *source, const char *collection,
    const char *item, bool *others)
{
	struct stet_rows rows;

	*others = false;
	if (run->origin == NULL)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM import_source WHERE collection = ?1 AND item = ?2 AND origin = ?3"
	    " AND source <> ?4",
	    STET_ARGS(collection, item, run->origin, source)));
	*others = stet_row(&rows);
	return stet_rows_end(&rows);
}

enum stet_status
ids_put_media(struct stet_call *call, struct stet_tx *tx, const struct run *run, const char *source,
    const char *media)
{
	const struct kept k = { .collection = "", .item = media, .slug = "", .hash = "" };

	return ids_put(call, tx, run, source, &k);
}

enum stet_status
ids_version(struct stet_call *call, const char *collection, const char *item, int64_t *version)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT version FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(item));
	STET_TRY(stet_sql_query(sql, &rows));
	*version = stet_row(&rows) ? stet_col_int(&rows, 0) : 0;
	return stet_rows_end(&rows);
}

enum stet_status
ids_follow(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *item,
    int64_t was)
{
	int64_t now;

	STET_TRY(ids_version(call, collection, item, &now));
	return stet_exec(call, tx,
	    "UPDATE import_source SET version = ?4 WHERE collection = ?1 AND item = ?2"
	    " AND version = ?3",
	    STET_ARGS(collection, item, was, now));
}
