/* folding.c - folded texts in SQL: the function stet_has, the tokenizer stet_fold. */
#include "db/sqlite/folding.h"
#include "base/fold.h"
#include "db/sqlite/extension.h"
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- stet_has ---- */

static void
memory_free(void *arg)
{
	fold_free(arg);
	free(arg);
}

/* The memory for folded texts, which the rows of a statement share. */
static struct fold *
memory(sqlite3_context *out)
{
	struct fold *f = sqlite3_get_auxdata(out, 1);

	if (f != NULL)
		return f;
	f = calloc(1, sizeof(*f));
	/* SQLite may free the pointer at once */
	if (f != NULL)
		sqlite3_set_auxdata(out, 1, f, memory_free);
	return sqlite3_get_auxdata(out, 1);
}

static void
has(sqlite3_context *out, int count, sqlite3_value **args)
{
	const char *text = (const char *)sqlite3_value_text(args[0]),
		   *sought = (const char *)sqlite3_value_text(args[1]);
	struct fold *f;

	(void)count;
	if (text == NULL || sought == NULL)
		return;
	f = memory(out);
	if (f == NULL) {
		sqlite3_result_error_nomem(out);
		return;
	}
	fold_text(f, text, (size_t)sqlite3_value_bytes(args[0]));
	sqlite3_result_int(
	    out, memmem(f->text, f->len, sought, (size_t)sqlite3_value_bytes(args[1])) != NULL);
}

/* ---- the tokenizer ---- */

/* Long texts are folded in parts, so that this takes little memory. */
#define PART 65536
#define OVERLAP 2 /* bytes of a part that the tokenizer trigram sees again */

typedef int token_fn(void *, int flags, const char *token, int len, int begin, int end);

struct outer {
	fts5_tokenizer inner;
	Fts5Tokenizer *it;
	bool is_trigram;
};
/* A text while it is split. */
struct relay {
	token_fn *fn;
	void *arg;
	struct fold fold; /* folded form of the part */
	size_t from; /* where the part begins */
};

static int
create(void *arg, const char **word, int count, Fts5Tokenizer **out)
{
	fts5_api *api = arg;
	struct outer *o = calloc(1, sizeof(*o));
	void *inner = NULL;
	int rc = SQLITE_NOMEM;

	if (o != NULL)
		rc =
		    count < 1 ? SQLITE_ERROR : api->xFindTokenizer(api, word[0], &inner, &o->inner);
	if (rc == SQLITE_OK)
		rc = o->inner.xCreate(inner, word + 1, count - 1, &o->it);
	if (rc != SQLITE_OK) {
		free(o);
		return rc;
	}
	o->is_trigram = strcmp(word[0], "trigram") == 0;
	*out = (Fts5Tokenizer *)o;
	return SQLITE_OK;
}

static void
destroy(Fts5Tokenizer *t)
{
	struct outer *o = (struct outer *)t;

	o->inner.xDelete(o->it);
	free(o);
}

static int
on_token(void *arg, int flags, const char *token, int len, int begin_, int end_)
{
	const struct relay *r = arg;
	size_t begin = (size_t)begin_, end = (size_t)end_;

	if (begin < end)
		fold_range(&r->fold, &begin, &end);
	return r->fn(r->arg, flags, token, len, (int)(r->from + begin), (int)(r->from + end));
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

/* The end of the part that begins at `from`: behind a blank and another ASCII character, which
 * fold to one character each. */
static size_t
part_end(const char *text, size_t from, size_t len)
{
	size_t end = from + PART;

	while (end < len && !(is_blank(text[end - 1]) && (unsigned char)text[end - 2] < 0x80))
		end++;
	return end < len ? end : len;
}

static int
tokenize(Fts5Tokenizer *t, void *arg, int flags, const char *text, int len, token_fn *fn)
{
	const struct outer *o = (const struct outer *)t;
	struct relay r = { .fn = fn, .arg = arg };
	int rc = SQLITE_OK;

	if (len <= 0 || fold_is_ascii(text, (size_t)len))
		return o->inner.xTokenize(o->it, arg, flags, text, len, fn);
	for (size_t end = 0; rc == SQLITE_OK && end < (size_t)len;) {
		r.from = end > 0 && o->is_trigram ? end - OVERLAP : end;
		end = part_end(text, r.from, (size_t)len);
		fold_mapped(&r.fold, text + r.from, end - r.from);
		rc = r.fold.len > INT_MAX ? SQLITE_TOOBIG
					  : o->inner.xTokenize(o->it, &r, flags, r.fold.text,
						(int)r.fold.len, on_token);
	}
	fold_free(&r.fold);
	return rc;
}

int
folding_install(sqlite3 *db)
{
	fts5_tokenizer tokenizer = { create, destroy, tokenize };
	fts5_api *api;
	int rc = sqlite3_create_function_v2(db, "stet_has", 2,
	    SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL, has, NULL, NULL, NULL);

	if (rc == SQLITE_OK)
		rc = stet_fts5_api(db, &api);
	if (rc != SQLITE_OK || api == NULL)
		return rc;
	return api->xCreateTokenizer(api, "stet_fold", api, &tokenizer, NULL);
}
