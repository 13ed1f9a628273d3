/* match.c - where the phrases of a full-text query stand in a row, for modules that rank. */
#include "db/match.h"
#include <stddef.h>

struct places {
	int columns;
	size_t len;
	int32_t n[1 + 2 * MATCH_COLUMNS + 3 * MATCH_PLACES];
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

/* The means of all columns. They are kept for the other rows of the statement: FTS5 reads them from
 * the table each time. */
static int
means(const Fts5ExtensionApi *api, Fts5Context *fts, int columns, const int32_t **out)
{
	int32_t *kept = api->xGetAuxdata(fts, 0);
	int rc = SQLITE_OK;

	*out = kept;
	if (kept != NULL)
		return SQLITE_OK;
	*out = kept = sqlite3_malloc64(MATCH_COLUMNS * sizeof(*kept));
	if (kept == NULL)
		return SQLITE_NOMEM;
	for (int i = 0; rc == SQLITE_OK && i < columns; i++)
		rc = mean(api, fts, i, &kept[i]);
	if (rc == SQLITE_OK)
		return api->xSetAuxdata(fts, kept, sqlite3_free); /* frees it if it fails */
	sqlite3_free(kept);
	return rc;
}

static int
put_columns(const Fts5ExtensionApi *api, Fts5Context *fts, struct places *p)
{
	const int columns = api->xColumnCount(fts);
	const int32_t *all;
	int rc;

	p->columns = columns < MATCH_COLUMNS ? columns : MATCH_COLUMNS;
	p->n[0] = p->columns;
	rc = means(api, fts, p->columns, &all);
	for (int i = 0; rc == SQLITE_OK && i < p->columns; i++) {
		int size = 0;

		rc = api->xColumnSize(fts, i, &size);
		p->n[1 + i] = size;
		p->n[1 + p->columns + i] = all[i];
	}
	p->len = 1 + 2 * (size_t)p->columns;
	return rc;
}

/* Adds the first places of a phrase, up to its share of the room. */
static int
put_phrase(const Fts5ExtensionApi *api, Fts5Context *fts, int phrase, int share, struct places *p)
{
	Fts5PhraseIter at;
	int column, word, rc;

	rc = api->xPhraseFirst(fts, phrase, &at, &column, &word);
	while (rc == SQLITE_OK && column >= 0 && share > 0) {
		if (column < p->columns) {
			p->n[p->len++] = phrase;
			p->n[p->len++] = column;
			p->n[p->len++] = word;
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
	int phrases = api->xPhraseCount(fts), rc;
	struct places p;

	(void)n;
	(void)args;
	rc = put_columns(api, fts, &p);
	for (int i = 0; rc == SQLITE_OK && i < phrases && i < MATCH_PLACES; i++)
		rc = put_phrase(api, fts, i, MATCH_PLACES / phrases, &p);
	if (rc != SQLITE_OK)
		sqlite3_result_error_code(out, rc);
	else
		sqlite3_result_blob64(out, p.n, p.len * sizeof(p.n[0]), SQLITE_TRANSIENT);
}

int
match_install(sqlite3 *db)
{
	sqlite3_stmt *s = NULL;
	fts5_api *api = NULL;
	int rc = sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &s, NULL);

	if (rc == SQLITE_ERROR)
		return SQLITE_OK;
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_pointer(s, 1, (void *)&api, "fts5_api_ptr", NULL);
	if (rc == SQLITE_OK)
		(void)sqlite3_step(s);
	sqlite3_finalize(s);
	if (rc != SQLITE_OK || api == NULL)
		return rc;
	rc = api->xCreateFunction(api, "stet_match", NULL, match, NULL);
	return rc == SQLITE_OK ? api->xCreateFunction(api, "stet_snippet", NULL, snippet, NULL)
			       : rc;
}
