/*
 * place.c - cursors of searches: they store the window, and the last documents of the page.
 */
#include "find.h"
#include <stdlib.h>
#include <string.h>

#define CORRECTED '=' /* sentinel id: the corrected query follows */
#define OPEN (-1) /* end of a stream that was not scanned yet */

/* Returns the text of words and filters that a cursor is bound to: it is valid only for these. */
const char *
cursor_listing(struct stet_call *call, const struct finding *want)
{
	struct stet_json *j = stet_json_new(call);

	stet_array(j, NULL);
	stet_put_str(j, NULL, "search");
	stet_put_str(j, NULL, want->q);
	stet_put_str(j, NULL, want->status);
	stet_put_str(j, NULL, want->locale);
	stet_put_json(j, NULL, want->collections);
	stet_close(j);
	return stet_json_text(j, NULL);
}

/* Writes the item of a document. Other daemons have it elsewhere in their indexes. */
static enum stet_status
put_entry(struct stet_json *j, const struct find *f, const struct hit *h)
{
	struct stet_rows rows;

	STET_TRY(stet_derived_query(f->call, &rows,
	    "SELECT entry FROM search_doc WHERE shard = ?1 AND n = ?2", STET_ARGS(h->shard, h->n)));
	if (stet_row(&rows))
		stet_put_str(j, NULL, stet_col_str(&rows, 0));
	return stet_rows_end(&rows);
}

/* Writes the last documents of the page, after which the next page begins. */
static enum stet_status
put_anchors(struct stet_json *j, const struct find *f)
{
	const bool apart = stet_derived_apart(f->call);
	const size_t most = apart ? ANCHORS / 2 : ANCHORS; /* ids are longer than numbers */

	stet_array(j, NULL);
	for (size_t i = f->taken; i > 0 && f->taken - i < most; i--) {
		if (apart) {
			STET_TRY(put_entry(j, f, &f->page[i - 1]));
			continue;
		}
		stet_put_int(j, NULL, f->page[i - 1].shard);
		stet_put_int(j, NULL, f->page[i - 1].n);
	}
	stet_close(j);
	return STET_OK;
}

enum stet_status
cursor_text(const struct find *f, bool next_window, const char **out)
{
	struct stet_json *j = stet_json_new(f->call);

	stet_array(j, NULL);
	stet_put_bool(j, NULL, f->some);
	stet_put_real(j, NULL, next_window ? -1 : f->page[f->taken - 1].score);
	stet_put_bool(j, NULL, f->later);
	if (next_window) {
		stet_array(j, NULL);
		stet_close(j);
	} else
		STET_TRY(put_anchors(j, f));
	for (size_t i = 0; i < f->count; i++) {
		const struct stream *s = &f->stream[i];

		if (!s->active || (!f->later && !s->more))
			continue;
		stet_array(j, NULL);
		stet_put_int(j, NULL, s->index.id);
		stet_put_str(j, NULL, s->locale);
		stet_put_int(j, NULL, s->start.shard);
		stet_put_int(j, NULL, s->start.n);
		stet_put_int(j, NULL, next_window ? OPEN : s->more ? s->end.shard : 0);
		stet_put_int(j, NULL, s->more ? s->end.n : 0);
		stet_close(j);
	}
	stet_close(j);
	*out = stet_json_text(j, NULL);
	return STET_OK;
}

char *
cursor_close(struct stet_call *call, const char *listing, const char *text, const char *corrected)
{
	return stet_cursor_make(call, listing, stet_json_own(call, json_string(text)),
	    corrected != NULL ? stet_printf(call, "%c%s", CORRECTED, corrected) : "search");
}

static struct stream *
find_stream(struct find *f, int64_t index, const char *locale)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->stream[i].index.id == index && strcmp(f->stream[i].locale, locale) == 0)
			return &f->stream[i];
	return NULL;
}

static bool
is_document(json_int_t n)
{
	return n >= 0 && n <= SHARD_DOCS + 1;
}

/* Returns false if the index of the stream does not exist any more, or a number is outside the
 * range that cursor_text writes. */
static bool
read_stream(struct find *f, json_t *v)
{
	json_int_t index, shard, n, end_shard, end_n;
	const char *locale;
	struct stream *s;

	if (json_unpack(v, "[I, s, I, I, I, I]", &index, &locale, &shard, &n, &end_shard, &end_n) !=
	    0)
		return false;
	s = find_stream(f, index, locale);
	if (s == NULL || shard < 0 || end_shard < OPEN || !is_document(n) || !is_document(end_n))
		return false;
	s->start = (struct position){ shard, n };
	s->end = (struct position){ end_shard, end_n };
	s->active = true;
	s->bounded = end_shard != OPEN;
	s->more = end_shard > 0;
	return true;
}

/* Finds the document of an item, if it is still in an index. */
static enum stet_status
find_anchor(struct find *f, const char *entry)
{
	struct stet_rows rows;

	STET_TRY(stet_derived_query(f->call, &rows,
	    "SELECT d.shard, d.n FROM search_index AS x JOIN search_doc AS d ON d.index_id = x.id"
	    " WHERE x.state = 'serving' AND d.entry = ?1",
	    STET_ARGS(entry)));
	if (stet_row(&rows))
		f->anchor[f->anchors++] =
		    (struct position){ stet_col_int(&rows, 0), stet_col_int(&rows, 1) };
	return stet_rows_end(&rows);
}

static enum stet_status
find_anchors(struct find *f, const json_t *v, bool *good)
{
	*good = json_is_array(v) && json_array_size(v) <= ANCHORS;
	for (size_t i = 0; *good && i < json_array_size(v); i++) {
		const char *entry = json_string_value(json_array_get(v, i));

		*good = entry != NULL;
		if (*good)
			STET_TRY(find_anchor(f, entry));
	}
	return STET_OK;
}

static bool
read_anchors(struct find *f, const json_t *v)
{
	size_t n = json_array_size(v) / 2;

	if (!json_is_array(v) || n > ANCHORS)
		return false;
	for (size_t i = 0; i < n; i++)
		f->anchor[i] = (struct position){ json_integer_value(json_array_get(v, 2 * i)),
			json_integer_value(json_array_get(v, 2 * i + 1)) };
	f->anchors = n;
	return true;
}

enum stet_status
cursor_read(
    struct find *f, const char *listing, const char *cursor, json_t **out, const char **corrected)
{
	const char *id;
	const json_t *key;
	json_t *v;

	STET_TRY(stet_cursor_read(f->call, cursor, listing, &key, &id));
	v = json_is_string(key) ? json_loads(json_string_value(key), 0, NULL) : NULL;
	stet_json_own(f->call, v);
	if (!json_is_boolean(json_array_get(v, 0)))
		return stet_fail(f->call, STET_INVALID_CURSOR, "cursor", "Invalid cursor");
	f->some = json_is_true(json_array_get(v, 0));
	*out = v;
	*corrected = id[0] == CORRECTED ? id + 1 : NULL;
	return STET_OK;
}

enum stet_status
cursor_open(struct find *f, const json_t *read)
{
	const json_t *score = json_array_get(read, 1), *later = json_array_get(read, 2);
	const json_t *anchors = json_array_get(read, 3);
	bool good = json_is_number(score) && json_is_boolean(later);

	if (good && stet_derived_apart(f->call))
		STET_TRY(find_anchors(f, anchors, &good));
	else if (good)
		good = read_anchors(f, anchors);
	if (!good)
		return stet_fail(f->call, STET_INVALID_CURSOR, "cursor", "Invalid cursor");
	f->score = json_number_value(score);
	f->later = json_is_true(later);
	for (size_t i = 0; f->later && i < f->count; i++)
		f->stream[i].active = false;
	for (size_t i = 4; i < json_array_size(read); i++)
		if (!read_stream(f, json_array_get(read, i)))
			return stet_fail(f->call, STET_INVALID_CURSOR, "cursor",
			    "The cursor belongs to the index of another daemon, or to one that was"
			    " built anew since: search again from the start");
	return STET_OK;
}
