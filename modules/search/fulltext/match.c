/* match.c - finds the positions of the phrases of a full-text query in a row, for modules that
 * rank. */
#include "match.h"
#include "lengths.h"
#include <stdlib.h>
#include <stet/sqlite.h>
#include <string.h>

struct places {
	int columns;
	size_t len;
	int32_t n[1 + 2 * MATCH_COLUMNS + MATCH_PLACE * MATCH_PLACES];
};

/* How many words a column has in the mean, in 256ths. */
static int
mean(const Fts5ExtensionApi *api, Fts5Context *fts, int column, int32_t *out)
{
	sqlite3_int64 rows = 0, words = 0, n;
	int rc = api->xRowCount(fts, &rows);

	if (rc == SQLITE_OK)
		rc = api->xColumnTotalSize(fts, column, &words);
	n = rows > 0 ? words / rows * 256 + words % rows * 256 / rows : 0;
	*out = n < 1 ? 1 : n > INT32_MAX ? INT32_MAX : (int32_t)n;
	return rc;
}

/* Values that are computed once for all rows of a statement, since FTS5 reads them from tables each
 * time. */
struct kept {
	int32_t mean[MATCH_COLUMNS];
	struct lengths_view lengths;
};

/* Computes the values for this statement, or returns the stored ones. `table`: name of the index,
 * to read lengths from its table; NULL: FTS5 is asked for lengths. */
static int
keep(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3 *db, const char *table, int columns,
    struct kept **out)
{
	struct lengths *lengths = api->xUserData(fts);
	struct kept *kept = *out = api->xGetAuxdata(fts, 0);
	int rc = SQLITE_OK;

	if (kept != NULL)
		return SQLITE_OK;
	*out = kept = calloc(1, sizeof(*kept));
	if (kept == NULL)
		return SQLITE_NOMEM;
	for (int i = 0; rc == SQLITE_OK && i < columns; i++)
		rc = mean(api, fts, i, &kept->mean[i]);
	if (rc == SQLITE_OK && table != NULL)
		rc = lengths_begin(lengths, db, table, columns, &kept->lengths);
	if (rc == SQLITE_OK)
		return api->xSetAuxdata(fts, kept, free); /* frees it if it fails */
	free(kept);
	return rc;
}

static int
put_columns(
    const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3 *db, const char *table, struct places *p)
{
	const int columns = api->xColumnCount(fts);
	struct kept *kept;
	int rc;

	p->columns = columns < MATCH_COLUMNS ? columns : MATCH_COLUMNS;
	p->n[0] = p->columns;
	p->len = 1 + 2 * (size_t)p->columns;
	rc = keep(api, fts, db, table, p->columns, &kept);
	if (rc != SQLITE_OK)
		return rc;
	memcpy(p->n + 1 + p->columns, kept->mean, (size_t)p->columns * sizeof(p->n[0]));
	if (lengths_get(&kept->lengths, api->xRowid(fts), p->columns, p->n + 1))
		return SQLITE_OK;
	for (int i = 0; rc == SQLITE_OK && i < p->columns; i++) {
		int size = 0;

		rc = api->xColumnSize(fts, i, &size);
		p->n[1 + i] = size;
	}
	return rc;
}

/* Adds the first places of a phrase, up to its share of the room. */
static int
put_phrase(const Fts5ExtensionApi *api, Fts5Context *fts, int phrase, int share, struct places *p)
{
	const int size = api->xPhraseSize(fts, phrase);
	Fts5PhraseIter at;
	int column, word, rc;

	rc = api->xPhraseFirst(fts, phrase, &at, &column, &word);
	while (rc == SQLITE_OK && column >= 0 && share > 0) {
		if (column < p->columns) {
			p->n[p->len++] = phrase;
			p->n[p->len++] = column;
			p->n[p->len++] = word;
			p->n[p->len++] = word + size - 1;
			share--;
		}
		api->xPhraseNext(fts, &at, &column, &word);
	}
	return rc;
}

static void
match(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *out, int n,
    sqlite3_value **args)
{
	const char *table = n > 0 ? (const char *)sqlite3_value_text(args[0]) : NULL;
	int phrases = api->xPhraseCount(fts), rc;
	struct places p;

	rc = put_columns(api, fts, sqlite3_context_db_handle(out), table, &p);
	for (int i = 0; rc == SQLITE_OK && i < phrases && i < MATCH_PLACES; i++)
		rc = put_phrase(api, fts, i, MATCH_PLACES / phrases, &p);
	if (rc != SQLITE_OK)
		sqlite3_result_error_code(out, rc);
	else
		sqlite3_result_blob64(out, p.n, p.len * sizeof(p.n[0]), SQLITE_TRANSIENT);
}

int
match_install(sqlite3 *db, struct lengths *lengths)
{
	fts5_api *api;
	int rc = stet_fts5_api(db, &api);

	if (rc != SQLITE_OK || api == NULL)
		return rc;
	rc = api->xCreateFunction(api, "stet_match", lengths, match, NULL);
	if (rc == SQLITE_OK)
		rc = api->xCreateFunction(api, "stet_snippet", NULL, snippet, NULL);
	if (rc == SQLITE_OK)
		rc = api->xCreateFunction(api, "stet_snippet_of", NULL, snippet_of, NULL);
	return rc;
}
