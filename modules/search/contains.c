/*
 * contains.c - filters by the words of a field, for lists (the service search/1). An item passes if
 * the field has all words, as the index of its collection splits and compares them; core/adr/0074.
 *
 * A commit indexes the items that it changes, so the index answers as the items themselves would.
 * Filters fail with UNAVAILABLE while an index is behind: after a commit whose items could not be
 * indexed, after changes while the module was off, and while a field that has just become
 * searchable is not indexed yet.
 */
#include "query.h"
#include "search.h"
#include <string.h>

#define WORDS_MAX 16
#define ALIAS "w" /* alias of search_doc */
#define SHARD "s" /* alias of search_shard */

#define IDS_MAX 200000 /* items that may have the words, if the index is beside the database */

/* An item that has the words. */
struct has {
	const char *id, *status, *locale;
};
struct stet_search_words {
	const char *collection, *match;
	int64_t index;
	/* The index is beside the database: the items. */
	struct stet_call *call;
	bool beside;
	struct has *has;
	size_t count;
};

/* ---- words ---- */

/* Replaces quotes, and a minus before a word, by blanks: they have no meaning here. */
static char *
plain(struct stet_call *call, const char *text)
{
	char *out = stet_strdup(call, text);
	bool inside = false;
	int32_t c;

	for (char *p = out, *end = out + strlen(out); p < end;) {
		size_t n = query_character(p, end, &c);

		if (c == '"' || (c == '-' && !inside))
			*p = ' ';
		inside = *p != ' ' && !query_blank(c);
		p += n;
	}
	return out;
}

/* Returns true if a word is too short for an index of trigrams. */
static bool
is_short(const char *text)
{
	int32_t c, out[STET_FOLD_MAX];
	size_t letters = 0;

	for (const char *p = text, *end = text + strlen(text); p < end;) {
		p += query_character(p, end, &c);
		if (!query_blank(c))
			letters += stet_fold_char(c, out);
		else if (letters > 0 && letters < QUERY_TRIGRAM_MIN)
			return true;
		else
			letters = 0;
	}
	return letters > 0 && letters < QUERY_TRIGRAM_MIN;
}

static enum stet_status
refuse(struct stet_call *call, const char *path, const char *why)
{
	return stet_fail(call, STET_VALIDATION_ERROR, path, "\"contains\" takes %s", why);
}

/* Writes the expression for the words, without the column. */
static enum stet_status
read_words(
    struct stet_call *call, const char *path, const char *text, bool trigram, const char **out)
{
	struct query_text x = { .text = stet_alloc(call, QUERY_SIZE(strlen(text))) };
	const char *words = plain(call, text);
	struct query q;

	if (trigram && is_short(words))
		return refuse(
		    call, path, "words of three characters or more: the index is of trigrams");
	query_parse(words, strlen(words), trigram, &q);
	if (q.count == 0)
		return refuse(call, path, "words: there is none in the text");
	if (q.count > WORDS_MAX)
		return stet_fail(call, STET_VALIDATION_ERROR, path,
		    "\"contains\" takes at most %d different words", WORDS_MAX);
	for (size_t i = 0; i < q.count; i++)
		q.term[i].prefix = false;
	query_all(&q, &x);
	*out = x.text;
	return STET_OK;
}

/* ---- the index ---- */

static enum stet_status
wait_for(struct stet_call *call, const char *path, const char *collection, const char *why)
{
	return stet_fail(call, STET_UNAVAILABLE, path,
	    "The search index of \"%s\" %s: ask again in a moment", collection, why);
}

/* Fails with UNAVAILABLE unless the index of the collection has all committed changes. */
static enum stet_status
check_current(struct stet_call *call, const char *path, const char *collection)
{
	bool missed, pending, failed;

	if (stet_writing(call))
		STET_TRY(pending_index(call));
	STET_TRY(missed_any(call, &missed));
	/* One that is newer than what the call reads will do: what has gone is left out by the
	 * list. */
	STET_TRY(
	    stet_derived_apart(call) ? beside_older(call, &pending) : pending_any(call, &pending));
	if (missed || pending)
		return wait_for(call, path, collection, "is being brought up to date");
	STET_TRY(failed_any(call, collection, &failed));
	if (failed)
		return stet_fail(call, STET_UNAVAILABLE, path,
		    "Items of \"%s\" could not be indexed: an administrator has to rebuild its "
		    "search index (POST /search/rebuild)",
		    collection);
	return STET_OK;
}

/* Finds the index in use and the column of the field. */
static enum stet_status
find_column(struct stet_call *call, const char *path, const struct stet_collection *c,
    const struct stet_field *field, struct index **x, size_t *column)
{
	size_t count;
	bool on = false;

	if (c->search)
		STET_TRY(index_exists(call, c, &on));
	if (!on)
		return stet_fail(call, STET_VALIDATION_ERROR, path,
		    "\"contains\" is answered by search, which is off for \"%s\": %ssearch_enable "
		    "turns it on",
		    c->slug, c->search ? "" : "add search to its supports, then ");
	STET_TRY(index_list(call, c->slug, "serving", x, &count));
	for (*column = 0; count > 0 && *column < (*x)->columns; (*column)++)
		if (index_field(c, *x, *column) == field)
			return STET_OK;
	return wait_for(call, path, c->slug, "is being made");
}

/* ---- SQL ---- */

static void
put_equal(struct stet_sql *sql, const char *column, const char *value)
{
	if (value == NULL)
		return;
	stet_sql_add(sql, column);
	stet_sql_bind(sql, stet_val_str(value));
}

/* Appends the tables and conditions of the documents with the words. */
static void
put_documents(struct stet_sql *sql, const struct stet_search_words *w)
{
	stet_sql_add(sql, " FROM search_shard AS " SHARD " CROSS JOIN ");
	shard_matches(sql, SHARD, w->match);
	stet_sql_add(sql, " AS m CROSS JOIN search_doc AS " ALIAS " WHERE " ALIAS ".shard = " SHARD
			  ".id AND " ALIAS ".n = m.n AND " SHARD ".index_id = ");
	stet_sql_bind(sql, stet_val_int(w->index));
}

/* ---- items with the words, if the index is beside the database ---- */

static enum stet_status
too_many(struct stet_call *call, const char *path)
{
	return stet_fail(call, STET_UNAVAILABLE, path,
	    "More than %d items have these words: add a word that fewer have", IDS_MAX);
}

/* Returns `last` if it is the same text, so that few texts are copied. */
static const char *
same_or_copy(struct stet_rows *rows, int column, const char *last)
{
	return last != NULL && strcmp(last, stet_col_str(rows, column)) == 0
		   ? last
		   : stet_col_dup(rows, column);
}

static enum stet_status
read_items(struct stet_call *call, const char *path, struct stet_search_words *w)
{
	struct stet_sql *sql = stet_sql_new(call);
	const char *status = NULL, *locale = NULL;
	enum stet_status ended;
	struct stet_rows rows;
	size_t room = 0;

	stet_sql_add(sql, "SELECT " ALIAS ".entry, " SHARD ".status, " SHARD ".locale");
	put_documents(sql, w);
	STET_TRY(stet_derived_sql_query(sql, &rows));
	while (w->count <= IDS_MAX && stet_row(&rows)) {
		if (w->count == room) {
			struct has *more = stet_alloc(call, (2 * room + 64) * sizeof(*more));

			if (room > 0)
				memcpy(more, w->has, room * sizeof(*more));
			w->has = more;
			room = 2 * room + 64;
		}
		status = same_or_copy(&rows, 1, status);
		locale = same_or_copy(&rows, 2, locale);
		w->has[w->count++] = (struct has){ stet_col_dup(&rows, 0), status, locale };
	}
	ended = stet_rows_end(&rows);
	if (ended == STET_REQUEST_TIMEOUT && w->count >= IDS_MAX)
		stet_error_clear(call);
	else
		STET_TRY(ended);
	return w->count > IDS_MAX ? too_many(call, path) : STET_OK;
}

static bool
is_or_any(const char *wanted, const char *is)
{
	return wanted == NULL || strcmp(wanted, is) == 0;
}

/* Appends a query for their ids. */
static void
put_ids(
    struct stet_sql *sql, const struct stet_search_words *w, const char *status, const char *locale)
{
	const char **id = stet_alloc(w->call, (w->count + 1) * sizeof(*id));
	size_t n = 0;

	for (size_t i = 0; i < w->count; i++)
		if (is_or_any(status, w->has[i].status) && is_or_any(locale, w->has[i].locale))
			id[n++] = w->has[i].id;
	stet_sql_select(sql, id, n);
}

/* ---- the service ---- */

enum stet_status
contains_words(struct stet_call *call, const char *path, const char *collection, const char *field,
    const char *text, struct stet_search_words **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	const struct stet_field *f;
	const char *words;
	struct index *x;
	size_t column = 0;

	STET_TRY(beside_ready(call));
	STET_TRY(schema->collection(call, collection, &c));
	f = stet_field(c, field);
	if (f == NULL || !f->searchable)
		return stet_fail(
		    call, STET_VALIDATION_ERROR, path, "Field \"%s\" is not searchable", field);
	STET_TRY(find_column(call, path, c, f, &x, &column));
	STET_TRY(check_current(call, path, c->slug));
	STET_TRY(read_words(call, path, text, strcmp(x->tokenizer, "trigram") == 0, &words));
	*out = stet_alloc(call, sizeof(**out));
	**out = (struct stet_search_words){ .collection = c->slug,
		.match = stet_printf(call, "{c%zu} : %s", column, words),
		.index = x->id,
		.call = call,
		.beside = stet_derived_apart(call) };
	return (*out)->beside ? read_items(call, path, *out) : STET_OK;
}

void
contains_put(struct stet_sql *sql, const struct stet_search_words *w, bool lacks)
{
	if (w->beside) {
		/* So it is a question to each item, not a join, whose cost would be guessed. */
		stet_sql_add(sql, " AND (");
		stet_sql_ident(sql, STET_ITEM_TABLE, w->collection);
		stet_sql_add(sql, ".id IN (");
		put_ids(sql, w, NULL, NULL);
		stet_sql_add(sql, lacks ? ")) IS FALSE" : ")) IS TRUE");
		return;
	}
	stet_sql_add(sql, lacks ? " AND NOT EXISTS" : " AND EXISTS");
	stet_sql_add(sql, " (SELECT 1 FROM search_doc AS " ALIAS " WHERE " ALIAS ".index_id = ");
	stet_sql_bind(sql, stet_val_int(w->index));
	stet_sql_add(sql, " AND " ALIAS ".entry = ");
	stet_sql_ident(sql, STET_ITEM_TABLE, w->collection);
	stet_sql_add(sql, ".id AND ");
	shard_holds(sql, ALIAS, w->match);
	stet_sql_add(sql, ")");
}

void
contains_ids(
    struct stet_sql *sql, const struct stet_search_words *w, const char *status, const char *locale)
{
	if (w->beside) {
		put_ids(sql, w, status, locale);
		return;
	}
	stet_sql_add(sql, "SELECT " ALIAS ".entry");
	put_documents(sql, w);
	put_equal(sql, " AND " SHARD ".status = ", status);
	put_equal(sql, " AND " SHARD ".locale = ", locale);
}
