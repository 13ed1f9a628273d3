/*
 * query.c - queries of a search box: FTS5 accepts the expressions that are made of them, with each
 * tokenizer and with a column filter, and they fit into the announced size.
 * fuzz: with modules/search/query.c
 */
#include "../modules/search/query.h"
#include "fuzz.h"
#include <sqlite3.h>
#include <string.h>

static const char *const tables[] = {
	"CREATE VIRTUAL TABLE a USING fts5(c0, c1, tokenize = 'porter unicode61')",
	"CREATE VIRTUAL TABLE b USING fts5(c0, c1, tokenize = 'unicode61')",
	"CREATE VIRTUAL TABLE c USING fts5(c0, c1, tokenize = 'trigram')",
	"INSERT INTO a VALUES ('and or not near', 'a rank of the c0')",
	"INSERT INTO b VALUES ('and or not near', 'a rank of the c0')",
	"INSERT INTO c VALUES ('and or not near', 'a rank of the c0')",
};
static const char *const asks[] = {
	"SELECT rowid, bm25(a) FROM a WHERE a MATCH ?1",
	"SELECT rowid, bm25(b) FROM b WHERE b MATCH ?1",
	"SELECT rowid, bm25(c) FROM c WHERE c MATCH ?1",
};

static void
ask(sqlite3 *db, const char *sql, const char *expression, int len)
{
	sqlite3_stmt *stmt;
	int rc;

	must(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK);
	must(sqlite3_bind_text(stmt, 1, expression, len, SQLITE_STATIC) == SQLITE_OK);
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
		continue;
	must(rc == SQLITE_DONE);
	sqlite3_finalize(stmt);
}

static void
try_text(sqlite3 *db, const struct query_text *x, size_t room, int tokenizer)
{
	char *filtered = malloc(room + 16);
	int len;

	must(filtered != NULL && x->len < room && strlen(x->text) == x->len);
	must(x->count <= QUERY_PHRASES_MAX);
	if (x->len > 0) {
		ask(db, asks[tokenizer], x->text, (int)x->len);
		len = snprintf(filtered, room + 16, "{c1} : (%s)", x->text);
		ask(db, asks[tokenizer], filtered, len);
	}
	free(filtered);
}

static void
try_one(sqlite3 *db, const uint8_t *data, size_t size, int tokenizer)
{
	size_t room = QUERY_SIZE(size);
	enum query_use use[QUERY_WORDS_MAX];
	bool prefix[QUERY_WORDS_MAX];
	struct query q;
	struct query_text x = { .text = malloc(room) };

	must(x.text != NULL);
	query_parse((const char *)data, size, tokenizer == 2, &q);
	must(q.count <= QUERY_WORDS_MAX && q.words + q.phrases <= q.count);
	query_all(&q, &x);
	must((x.len > 0) == (q.words + q.phrases > 0));
	try_text(db, &x, room, tokenizer);
	for (size_t i = 0; i < q.count; i++) {
		use[i] = (enum query_use)(q.term[i].len % 3);
		prefix[i] = q.term[i].prefix;
	}
	query_some(&q, use, prefix, &x);
	try_text(db, &x, room, tokenizer);
	free(x.text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static sqlite3 *db;

	if (db == NULL) {
		must(sqlite3_open(":memory:", &db) == SQLITE_OK);
		for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
			must(sqlite3_exec(db, tables[i], NULL, NULL, NULL) == SQLITE_OK);
	}
	for (int tokenizer = 0; tokenizer < 3; tokenizer++)
		try_one(db, data, size, tokenizer);
	return 0;
}
