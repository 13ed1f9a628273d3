/* find.h - a running search: what find.c, place.c and shown.c share. */
#ifndef SEARCH_FIND_H
#define SEARCH_FIND_H

#include "query.h"
#include "rank.h"
#include "search.h"

#define BROAD_WORK 8 /* the cost of a word of two letters, in words */
#define QUESTION 4 /* words from which on not all have to match */
#define ANCHORS 8
#define CORRECTED_MAX 240 /* bytes of a corrected query */

/* A position in a stream. Numbers of shards increase, and numbers of documents in a shard. */
struct position {
	int64_t shard, n;
};

struct stream {
	const struct stet_collection *collection;
	const char *locale;
	struct index index;
	bool trigram;
	struct ask ask; /* its match is NULL: nothing in this stream can match */
	const char *rare; /* an expression for the rare word of the plan; NULL: there is none */
	struct shard *shard; /* newest first */
	size_t count;
	struct position start; /* where the window begins (exclusive) */
	struct position end; /* the last position in the window, after the scan */
	bool active; /* the window includes this stream */
	bool bounded; /* the end is known from the cursor */
	bool more; /* there may be matches after the end */
};

/* How the words are searched: one plan for indexes of words, one for indexes of trigrams. */
struct plan {
	struct query query;
	double share[QUERY_WORDS_MAX]; /* share of the items that have the term; estimated */
	bool seen[QUERY_WORDS_MAX]; /* the sample has the term */
	size_t rare; /* a word that the sample lacks; query.count: none, or `some` is set */
	enum query_use use[QUERY_WORDS_MAX];
	struct query_text text;
};

struct find {
	struct stet_call *call;
	const char *status, *locale;
	bool titles;
	bool shown; /* snippets are made */
	bool some; /* not all words have to match */
	size_t words; /* words of the query */
	size_t q_len;
	struct plan plan[2]; /* indexed by `trigram` */
	struct stream *stream;
	size_t count, room;
	size_t quota; /* matches of a stream in a window; 0: as many as can be ranked */
	int64_t cost, work;
	bool later; /* not the first window: it has only streams that continue */
	struct hits hits;
	/* The last documents that the client has seen, latest first. There are several, since one
	 * may be deleted before the next page is read. */
	struct position anchor[ANCHORS];
	size_t anchors;
	double score; /* the score of anchor[0] when the client saw it */
	struct position without; /* a document to leave out of the results; shard 0: none */
	struct hit *page;
	size_t taken;
};

/* ---- hits.c ---- */

struct position hit_position(const struct hit *);
/* For qsort: by score, best first; hits of equal score newest first. */
int hit_order(const void *, const void *);

/* ---- plan.c: how streams are searched ---- */

/* Parses and measures the words, and sets the asks of all streams. */
enum stet_status plan_make(struct find *, const char *q);
/* Sets the asks again, after a change of `some`. */
void plan_ask(struct find *);
/* For a search of items with some of the words: lets the next commoner word find items, too, and
 * sets the asks again. Returns false if all words do already. */
bool plan_widen(struct find *);
/* Estimates from a sample the share of the items that have this term. */
enum stet_status plan_share(
    struct find *, const struct query_term *, bool trigram, bool prefix, double *share);

/* Returns true if the query has so many words that not all have to match. */
bool plan_is_question(const struct find *);
/* Restricts an expression to the columns of the stream that are searched; NULL if none is. */
const char *plan_filter(struct stet_call *, const struct stream *, bool titles, const char *match);

/* Returns the expression for one term in the searched columns of the stream; NULL if none is. */
const char *plan_term(
    const struct find *, const struct stream *, const struct query_term *, bool prefix);

/* Returns for each column of the stream whether it is searched. */
const bool *plan_columns(struct stet_call *, const struct stream *, bool titles);

/* Returns the number of documents in all streams of this kind. */
double plan_docs(const struct find *, bool trigram);

/* ---- spell.c ---- */

/* After a search of q: returns in *out the query in which words that no item has are replaced by
 * similarly spelled words of the index; NULL if there are none. */
enum stet_status spell_correct(struct find *, const char *q, const char **out);

/* ---- typical.c ---- */

/* The item for which similar items are searched. */
struct like {
	const struct stet_collection *collection;
	struct index index;
	int64_t shard, n;
	const char **text; /* by column of the index */
};

/* Sets q: the words that are typical of the item. The streams must be open. */
enum stet_status typical_ask(struct find *, struct finding *);

/* ---- feedback.c ---- */

/* Ranks the best hits again, by the words that they share with the very best. */
enum stet_status feedback_rank(struct find *);

/* ---- place.c: cursors ---- */

const char *cursor_listing(struct stet_call *, const struct finding *);
/* Returns the cursor after the page; with `next_window`, the cursor of the next window. */
enum stet_status cursor_text(const struct find *, bool next_window, const char **out);
/* `corrected` is NULL, or has at most CORRECTED_MAX bytes. */
char *cursor_close(
    struct stet_call *, const char *listing, const char *text, const char *corrected);
/* Reads the mode and the words of the search that made the cursor; *corrected is NULL if the
 * client's words were searched. */
enum stet_status cursor_read(
    struct find *, const char *listing, const char *cursor, json_t **out, const char **corrected);
/* Sets the windows of the streams. */
enum stet_status cursor_open(struct find *, const json_t *read);

/* ---- shown.c: the items of a page ---- */

enum stet_status shown_fill(struct find *, struct finding *);

#endif
