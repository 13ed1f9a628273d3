/*
 * shard.c - the FTS5 tables of shards. It is the only file here whose SQL would be different for
 * PostgreSQL.
 */
#include "rank.h"
#include "search.h"
#include "words.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_READ "4000" /* characters of a column that shard_texts and shard_writes read */
#define UNICODE "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
#define MERGE_PAGES 64 /* pages that one step merges */
#define TERMS_MAX 10000 /* terms that shard_terms reads */
#define PLACES_MAX 100000 /* occurrences of these terms */
#define FORMS_DOCS "8" /* documents that shard_forms reads */
#define WRITES_DOCS "100" /* documents that shard_writes reads */
#define FORMS_COLUMNS 8
#define FORMS_WORDS "2000" /* words of a column that shard_forms reads */
/* The marks of a snippet: bytes 1 and 2, which text_of removes from texts. */
#define MARK_ON "\x01"
#define MARK_OFF "\x02"

static const char *
name_text(struct stet_call *call, int64_t id)
{
	return stet_printf(call, "search_fts_%lld", (long long)id);
}

static void
name(struct stet_sql *sql, struct stet_call *call, int64_t id)
{
	stet_sql_ident(sql, "search_fts_", stet_printf(call, "%lld", (long long)id));
}

static void
terms_name(struct stet_sql *sql, struct stet_call *call, int64_t id)
{
	stet_sql_ident(sql, "search_terms_", stet_printf(call, "%lld", (long long)id));
}

static void
column(struct stet_sql *sql, struct stet_call *call, size_t i)
{
	stet_sql_ident(sql, "c", stet_printf(call, "%zu", i));
}

/* ---- writing ---- */

enum stet_status
shard_create_terms(struct stet_call *call, struct stet_tx *tx, int64_t id)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "CREATE VIRTUAL TABLE ");
	terms_name(sql, call, id);
	stet_sql_add(sql, " USING fts5vocab(");
	name(sql, call, id);
	stet_sql_add(sql, ", row)");
	return stet_sql_exec(sql, tx);
}

enum stet_status
shard_create(
    struct stet_call *call, struct stet_tx *tx, int64_t id, size_t columns, const char *tokenizer)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "CREATE VIRTUAL TABLE ");
	name(sql, call, id);
	stet_sql_add(sql, " USING fts5(");
	for (size_t i = 0; i < columns; i++) {
		column(sql, call, i);
		stet_sql_add(sql, ", ");
	}
	/* stet_fold keeps combining marks that are part of their words (sqlite/folding.h). */
	if (strcmp(tokenizer, "trigram") == 0)
		stet_sql_add(sql, "tokenize = 'stet_fold trigram')");
	else if (strcmp(tokenizer, "unicode61") == 0)
		stet_sql_add(sql, "tokenize = \"stet_fold " UNICODE "\")");
	else
		stet_sql_add(sql, "tokenize = \"stet_fold porter " UNICODE "\")");
	STET_TRY(stet_sql_exec(sql, tx));
	return strcmp(tokenizer, "trigram") == 0 ? STET_OK : shard_create_terms(call, tx, id);
}

enum stet_status
shard_drop(struct stet_call *call, struct stet_tx *tx, int64_t id)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "DROP TABLE IF EXISTS ");
	terms_name(sql, call, id);
	STET_TRY(stet_sql_exec(sql, tx));
	sql = stet_sql_new(call);
	stet_sql_add(sql, "DROP TABLE IF EXISTS ");
	name(sql, call, id);
	return stet_sql_exec(sql, tx);
}

enum stet_status
shard_put(struct stet_call *call, struct stet_tx *tx, int64_t id, int64_t n,
    const char *const *text, size_t columns)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "INSERT INTO ");
	name(sql, call, id);
	stet_sql_add(sql, " (rowid");
	for (size_t i = 0; i < columns; i++) {
		stet_sql_add(sql, ", ");
		column(sql, call, i);
	}
	stet_sql_add(sql, ") VALUES (");
	stet_sql_bind(sql, stet_val_int(n));
	for (size_t i = 0; i < columns; i++) {
		stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_str(text[i]));
	}
	stet_sql_add(sql, ")");
	return stet_sql_exec(sql, tx);
}

enum stet_status
shard_remove(struct stet_call *call, struct stet_tx *tx, int64_t id, int64_t n)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "DELETE FROM ");
	name(sql, call, id);
	stet_sql_add(sql, " WHERE rowid = ");
	stet_sql_bind(sql, stet_val_int(n));
	return stet_sql_exec(sql, tx);
}

/* FTS5 takes commands as inserts: the command is the value of the column that has the table's
 * name. */
static enum stet_status
command(struct stet_call *call, struct stet_tx *tx, int64_t id, const char *what, int64_t rank)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "INSERT INTO ");
	name(sql, call, id);
	stet_sql_add(sql, " (");
	name(sql, call, id);
	stet_sql_add(sql, ", rank) VALUES (");
	stet_sql_bind(sql, stet_val_str(what));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_int(rank));
	stet_sql_add(sql, ")");
	return stet_sql_exec(sql, tx);
}

enum stet_status
shard_merge(struct stet_call *call, struct stet_tx *tx, int64_t id, bool first)
{
	return command(call, tx, id, "merge", first ? -MERGE_PAGES : MERGE_PAGES);
}

enum stet_status
shard_check(struct stet_call *call, struct stet_tx *tx, int64_t id, bool *good)
{
	*good = command(call, tx, id, "integrity-check", 0) == STET_OK;
	if (!*good)
		stet_error_clear(call);
	return STET_OK;
}

enum stet_status
shard_exists(struct stet_call *call, int64_t id, bool *out)
{
	return stet_derived_table_exists(call, name_text(call, id), out);
}

/* FTS5 stores the list of the table's segments, with a write counter, as record 10. */
enum stet_status
shard_version(struct stet_call *call, int64_t id, const void **out, size_t *len)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	const void *version;
	void *copy;

	*len = 0;
	stet_sql_add(sql, "SELECT block FROM ");
	stet_sql_ident(sql, "search_fts_", stet_printf(call, "%lld_data", (long long)id));
	stet_sql_add(sql, " WHERE id = 10");
	STET_TRY(stet_derived_sql_query(sql, &rows));
	if (stet_row(&rows)) {
		version = stet_col_blob(&rows, 0, len);
		*out = copy = stet_alloc(call, *len);
		memcpy(copy, version, *len);
	}
	return stet_rows_end(&rows);
}

/* ---- matching ---- */

static void
where(struct stet_sql *sql, struct stet_call *call, int64_t id, const char *match)
{
	stet_sql_add(sql, " FROM ");
	name(sql, call, id);
	stet_sql_add(sql, " WHERE ");
	name(sql, call, id);
	stet_sql_add(sql, " MATCH ");
	stet_sql_bind(sql, stet_val_str(match));
}

void
shard_numbers(struct stet_sql *sql, const int64_t *n, size_t count)
{
	const size_t room = stet_sql_room(count);

	for (size_t i = 0; i < room; i++) {
		stet_sql_add(sql, i > 0 ? ", " : "(");
		stet_sql_bind(sql, stet_val_int(n[i < count ? i : count - 1]));
	}
	stet_sql_add(sql, ")");
}

static struct hit *
new_hit(struct stet_call *call, struct hits *hits)
{
	if (hits->count == hits->room) {
		size_t room = hits->room > 0 ? 2 * hits->room : 256;
		struct hit *more = stet_alloc(call, room * sizeof(*more));

		if (hits->count > 0)
			memcpy(more, hits->hit, hits->count * sizeof(*more));
		hits->hit = more;
		hits->room = room;
	}
	return &hits->hit[hits->count++];
}

static void
score(struct stet_call *call, struct stet_rows *rows, const struct ask *ask, struct hit *hit,
    struct best *best)
{
	size_t len;
	const int32_t *match = stet_col_blob(rows, 1, &len);

	hit->score = rank_score(ask->rank, match, len / sizeof(*match), &hit->complete);
	if (best != NULL)
		best_keep(call, best, hit, match, len / sizeof(*match));
}

enum stet_status
shard_scan(struct stet_call *call, int64_t id, const struct ask *ask, int64_t low, int64_t high,
    size_t quota, struct hits *hits)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	size_t n = 0;

	stet_sql_add(sql, "SELECT rowid, stet_match(");
	name(sql, call, id);
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(name_text(call, id)));
	stet_sql_add(sql, ")");
	where(sql, call, id, ask->match);
	stet_sql_add(sql, " AND rowid >= ");
	stet_sql_bind(sql, stet_val_int(low));
	stet_sql_add(sql, " AND rowid <= ");
	stet_sql_bind(sql, stet_val_int(high));
	stet_sql_add(sql, " ORDER BY rowid DESC");
	STET_TRY(stet_derived_sql_query(sql, &rows));
	while (n < quota && stet_row(&rows)) {
		struct hit *hit = new_hit(call, hits);

		*hit = (struct hit){ .shard = id, .n = stet_col_int(&rows, 0) };
		score(call, &rows, ask, hit, hits->best);
		n++;
	}
	return stet_rows_end(&rows);
}

enum stet_status
shard_share(struct stet_call *call, int64_t id, const char *match, int64_t sample, int64_t docs,
    double *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	int64_t n = 0, first = 0, last = 0;
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT rowid");
	where(sql, call, id, match);
	stet_sql_add(sql, " ORDER BY rowid DESC");
	STET_TRY(stet_derived_sql_query(sql, &rows));
	while (n < sample && stet_row(&rows)) {
		last = stet_col_int(&rows, 0);
		first = n++ == 0 ? last : first;
	}
	/* The sample is full: it spans only the documents from `last` to `first`. */
	if (n == sample && first - last + 1 < docs)
		docs = first - last + 1;
	*out = docs > 0 ? (double)n / (double)docs : 0;
	return stet_rows_end(&rows);
}

enum stet_status
shard_has(struct stet_call *call, int64_t id, const char *match, bool *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT rowid");
	where(sql, call, id, match);
	stet_sql_add(sql, " LIMIT 1");
	STET_TRY(stet_derived_sql_query(sql, &rows));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

/* ---- in the conditions of other tables (fulltext/fulltext.h) ---- */

void
shard_holds(struct stet_sql *sql, const char *doc, const char *match)
{
	stet_sql_add(sql, "stet_fts_has('search_fts_' || ");
	stet_sql_ident(sql, "", doc);
	stet_sql_add(sql, ".shard, ");
	stet_sql_ident(sql, "", doc);
	stet_sql_add(sql, ".n, ");
	stet_sql_bind(sql, stet_val_str(match));
	stet_sql_add(sql, ") = 1");
}

void
shard_matches(struct stet_sql *sql, const char *shard, const char *match)
{
	stet_sql_add(sql, "stet_fts('search_fts_' || ");
	stet_sql_ident(sql, "", shard);
	stet_sql_add(sql, ".id, ");
	stet_sql_bind(sql, stet_val_str(match));
	stet_sql_add(sql, ")");
}

enum stet_status
shard_texts(struct stet_call *call, int64_t id, const int64_t *n, size_t count, size_t columns,
    const char **out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT rowid");
	for (size_t i = 0; i < columns; i++) {
		stet_sql_add(sql, ", substr(");
		column(sql, call, i);
		stet_sql_add(sql, ", 1, " TEXT_READ ")");
	}
	stet_sql_add(sql, " FROM ");
	name(sql, call, id);
	stet_sql_add(sql, " WHERE rowid IN ");
	shard_numbers(sql, n, count);
	STET_TRY(stet_derived_sql_query(sql, &rows));
	while (stet_row(&rows))
		for (size_t i = 0; i < count; i++)
			for (size_t c = 0; n[i] == stet_col_int(&rows, 0) && c < columns; c++)
				out[i * columns + c] = stet_col_dup(&rows, (int)c + 1);
	return stet_rows_end(&rows);
}

/* ---- the vocabulary ---- */

/* FTS5 reads all occurrences of a term to count its documents, so both numbers are limited. */
enum stet_status
shard_terms(struct stet_call *call, int64_t id, const char *low, const char *high,
    void (*take)(void *, const char *term, int64_t docs), void *arg)
{
	struct stet_sql *sql = stet_sql_new(call);
	int64_t terms = 0, places = 0;
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT term, doc, cnt FROM ");
	terms_name(sql, call, id);
	stet_sql_add(sql, " WHERE term >= ");
	stet_sql_bind(sql, stet_val_str(low));
	stet_sql_add(sql, " AND term < ");
	stet_sql_bind(sql, stet_val_str(high));
	STET_TRY(stet_derived_sql_query(sql, &rows));
	while (terms < TERMS_MAX && places < PLACES_MAX && stet_row(&rows)) {
		take(arg, stet_col_str(&rows, 0), stet_col_int(&rows, 1));
		places += stet_col_int(&rows, 2);
		terms++;
	}
	return stet_rows_end(&rows);
}

enum stet_status
shard_forms(struct stet_call *call, int64_t id, const char *match, size_t columns,
    void (*take)(void *, const char *form, size_t len), void *arg)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	columns = columns < FORMS_COLUMNS ? columns : FORMS_COLUMNS;
	stet_sql_add(sql, "SELECT rowid");
	for (size_t i = 0; i < columns; i++) {
		stet_sql_add(sql, ", stet_snippet(");
		name(sql, call, id);
		stet_sql_add(sql, ", 64, ");
		stet_sql_bind(sql, stet_val_int((int64_t)i));
		stet_sql_add(sql, ", " FORMS_WORDS ")");
	}
	where(sql, call, id, match);
	stet_sql_add(sql, " ORDER BY rowid DESC LIMIT " FORMS_DOCS);
	STET_TRY(stet_derived_sql_query(sql, &rows));
	while (stet_row(&rows))
		for (size_t i = 0; i < columns; i++) {
			const char *text = stet_col_str(&rows, (int)i + 1);

			while (text != NULL && (text = strchr(text, MARK_ON[0])) != NULL) {
				size_t len = strcspn(++text, MARK_OFF);

				take(arg, text, len);
				text += len;
			}
		}
	return stet_rows_end(&rows);
}

static bool
is_letter(const char *p, const char *end)
{
	int32_t c = 0;

	if (p < end)
		(void)query_character(p, end, &c);
	return c < 0x80 ? isalnum((int)c) != 0 : words_letter(c);
}

/* The character before p; `text` itself if there is none. */
static const char *
before(const char *text, const char *p)
{
	while (p > text && (*--p & 0xc0) == 0x80)
		continue;
	return p;
}

/* Returns true if the text has the word with no letter or digit next to it. */
static bool
has_word(const char *text, const char *word)
{
	const char *at = text, *end = text + strlen(text);
	const size_t len = strlen(word);

	for (; (at = strstr(at, word)) != NULL; at += len)
		if (!is_letter(before(text, at), at) && !is_letter(at + len, end))
			return true;
	return false;
}

enum stet_status
shard_writes(struct stet_call *call, int64_t id, const char *match, const bool *searched,
    size_t columns, const char *word, bool *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	int texts = 0;

	stet_sql_add(sql, "SELECT rowid");
	for (size_t i = 0; i < columns; i++) {
		if (!searched[i])
			continue;
		texts++;
		stet_sql_add(sql, ", lower(substr(");
		column(sql, call, i);
		stet_sql_add(sql, ", 1, " TEXT_READ "))");
	}
	where(sql, call, id, match);
	stet_sql_add(sql, " ORDER BY rowid DESC LIMIT " WRITES_DOCS);
	STET_TRY(stet_derived_sql_query(sql, &rows));
	*out = false;
	while (!*out && stet_row(&rows))
		for (int i = 1; !*out && i <= texts; i++) {
			const char *text = stet_col_str(&rows, i);

			*out = text != NULL && has_word(text, word);
		}
	return stet_rows_end(&rows);
}

/* ---- snippets ---- */

/* Makes HTML from a snippet: everything is escaped except the marks. */
static char *
html(struct stet_call *call, const char *text)
{
	static const struct {
		char from;
		const char *to;
	} map[] = { { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" },
		{ '\'', "&#39;" }, { '\x01', "<mark>" }, { '\x02', "</mark>" } };
	char *out = stet_alloc(call, 7 * strlen(text) + 1), *p = out;

	for (; *text != '\0'; text++) {
		size_t i = 0;

		while (i < sizeof(map) / sizeof(map[0]) && map[i].from != *text)
			i++;
		if (i < sizeof(map) / sizeof(map[0]))
			p = stpcpy(p, map[i].to);
		else
			*p++ = *text;
	}
	*p = '\0';
	return out;
}

/* The documents are searched again: FTS5 must collect the lists of all words that begin with the
 * search word in each statement, which costs more than skipping other matches. */
static void
search_again(struct stet_sql *sql, struct stet_call *call, int64_t id, const struct ask *ask,
    const int64_t *n, size_t count)
{
	int64_t low = n[0], high = n[0];

	for (size_t i = 1; i < count; i++) {
		low = n[i] < low ? n[i] : low;
		high = n[i] > high ? n[i] : high;
	}
	stet_sql_add(sql, ")");
	where(sql, call, id, ask->match);
	stet_sql_add(sql, " AND rowid >= ");
	stet_sql_bind(sql, stet_val_int(low));
	stet_sql_add(sql, " AND rowid <= ");
	stet_sql_bind(sql, stet_val_int(high));
	stet_sql_add(sql, " AND +rowid IN ");
}

/* Reads all snippets of a shard with one statement. */
enum stet_status
shard_snippets(struct stet_call *call, int64_t id, const struct ask *ask, const struct best *best,
    const int64_t *n, char **out, size_t count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	struct stet_val places;
	const bool known = best_rows(call, best, id, n, count, &places);

	stet_sql_add(sql, known ? "SELECT rowid, stet_snippet_of(" : "SELECT rowid, stet_snippet(");
	name(sql, call, id);
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_int(ask->trigram ? 64 : 32));
	if (known) {
		stet_sql_add(sql, ", rowid, ");
		stet_sql_bind(sql, places);
		stet_sql_add(sql, ") FROM ");
		name(sql, call, id);
		stet_sql_add(sql, " WHERE rowid IN ");
	} else {
		search_again(sql, call, id, ask, n, count);
	}
	shard_numbers(sql, n, count);
	STET_TRY(stet_derived_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const char *text = stet_col_str(&rows, 1);

		for (size_t i = 0; text != NULL && i < count; i++)
			if (n[i] == stet_col_int(&rows, 0))
				out[i] = html(call, text);
	}
	return stet_rows_end(&rows);
}
