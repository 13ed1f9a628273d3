/*
 * plan.c - plans how streams are searched: which words have to match, how rare each is, and the
 * FTS5 expression for each index.
 *
 * The rarity of a word is estimated from a sample: its newest matches in a shard of each of some
 * streams. Where not all words have to match, the rarest words find the items, as many words as
 * keep the number of candidates bounded; commoner words only add to scores, and are ignored in
 * large indexes.
 */
#include "find.h"
#include "ranking.h"
#include <stdlib.h>
#include <string.h>

#define SAMPLED_STREAMS 4
#define SAMPLE 256 /* matches that are counted in one shard */
#define CANDIDATES 1200 /* items that the rare words are expected to find */
#define COUNTED_DOCS (4 * SHARD_DOCS) /* in larger indexes, common words are ignored */
#define PREFIX_SHARE 0.002 /* in a partial search, commoner words match only themselves */

const bool *
plan_columns(struct stet_call *call, const struct stream *s, bool titles)
{
	const struct stet_field *title = title_of(s->collection);
	bool *out = stet_alloc(call, s->index.columns * sizeof(*out));

	for (size_t i = 0; i < s->index.columns; i++) {
		const struct stet_field *f = index_field(s->collection, &s->index, i);

		out[i] = f != NULL && (titles ? f == title : f->searchable);
	}
	return out;
}

const char *
plan_filter(struct stet_call *call, const struct stream *s, bool titles, const char *match)
{
	const bool *searched = plan_columns(call, s, titles);
	char *out = stet_printf(call, "{");
	size_t n = 0;

	for (size_t i = 0; i < s->index.columns; i++) {
		if (!searched[i])
			continue;
		out = stet_printf(call, "%s%sc%zu", out, n > 0 ? " " : "", i);
		n++;
	}
	if (n == 0)
		return NULL;
	return n == s->index.columns ? match : stet_printf(call, "%s} : (%s)", out, match);
}

const char *
plan_term(const struct find *f, const struct stream *s, const struct query_term *t, bool prefix)
{
	struct query_text x = { .text = stet_alloc(f->call, QUERY_SIZE(t->len)) };

	query_one(t, prefix, &x);
	return plan_filter(f->call, s, f->titles, x.text);
}

static const double *
weights(struct stet_call *call, const struct stream *s)
{
	const struct index *x = &s->index;
	double *out = stet_alloc(call, x->columns * sizeof(*out));

	for (size_t i = 0; i < x->columns; i++) {
		const struct stet_field *f = index_field(s->collection, x, i);
		const json_t *w = f != NULL ? json_object_get(x->weights, f->slug) : NULL;

		out[i] = json_is_number(w)                           ? json_number_value(w)
			 : f != NULL && f == title_of(s->collection) ? ranking.title
								     : 1;
	}
	return out;
}

/* ---- rarity ---- */

/* The larger of the two newest shards: the newest one may have just begun. */
static const struct shard *
sample_shard(const struct stream *s)
{
	return s->count > 1 && s->shard[1].docs > s->shard[0].docs ? &s->shard[1] : &s->shard[0];
}

/* Estimates how many documents of a sample have this term (*out), and how many it has in all (*of).
 */
static enum stet_status
sample(
    struct find *f, const struct query_term *t, bool trigram, bool prefix, double *out, double *of)
{
	struct query_text x = { .text = stet_alloc(f->call, QUERY_SIZE(t->len)) };
	double found = 0, docs = 0;
	size_t taken = 0;

	query_one(t, prefix, &x);
	for (size_t i = 0; i < f->count && taken < SAMPLED_STREAMS; i++) {
		const struct stream *s = &f->stream[i];
		const char *match = plan_filter(f->call, s, f->titles, x.text);
		const struct shard *shard = sample_shard(s);
		double some;

		if (s->trigram != trigram || match == NULL)
			continue;
		STET_TRY(learned_share(f->call, shard->id, match, SAMPLE, shard->docs, &some));
		found += some * (double)shard->docs;
		docs += (double)shard->docs;
		taken++;
	}
	*out = found;
	*of = docs;
	return STET_OK;
}

/* Counts a word that the sample lacks as half a match. */
static double
share_of(double found, double docs)
{
	return docs > 0 ? (found > 0 ? found : 0.5) / docs : 1;
}

enum stet_status
plan_share(struct find *f, const struct query_term *t, bool trigram, bool prefix, double *share)
{
	double found, docs;

	STET_TRY(sample(f, t, trigram, prefix, &found, &docs));
	*share = share_of(found, docs);
	return STET_OK;
}

static enum stet_status
measure(struct find *f, struct plan *p, bool trigram)
{
	double found, docs;

	for (size_t i = 0; i < p->query.count; i++) {
		const struct query_term *t = &p->query.term[i];

		p->share[i] = 1;
		if (t->exclude)
			continue;
		/* With one word the order does not depend on its rarity. */
		if (p->query.words + p->query.phrases == 1)
			p->share[i] = 0.01;
		else {
			STET_TRY(sample(f, t, trigram, false, &found, &docs));
			p->share[i] = share_of(found, docs);
			p->seen[i] = found > 0;
		}
	}
	return STET_OK;
}

/* ---- which words find items ---- */

/* Returns the rarest word that does not find items yet; query.count if all words do. */
static size_t
rarest(const struct plan *p)
{
	size_t best = p->query.count;

	for (size_t i = 0; i < p->query.count; i++)
		if (!p->query.term[i].exclude && !p->query.term[i].phrase &&
		    p->use[i] != QUERY_FINDS &&
		    (best == p->query.count || p->share[i] < p->share[best]))
			best = i;
	return best;
}

static void
choose_uses(struct plan *p, double docs)
{
	double candidates = 0;
	bool any = false;

	for (size_t i = 0; i < p->query.count; i++)
		p->use[i] = docs > COUNTED_DOCS ? QUERY_IGNORED : QUERY_COUNTS;
	for (;;) {
		size_t best = rarest(p);

		if (best == p->query.count)
			return;
		candidates += p->share[best] * docs;
		if (any && candidates > CANDIDATES)
			return;
		p->use[best] = QUERY_FINDS;
		any = true;
	}
}

double
plan_docs(const struct find *f, bool trigram)
{
	double docs = 0;

	for (size_t i = 0; i < f->count; i++)
		for (size_t k = 0; f->stream[i].trigram == trigram && k < f->stream[i].count; k++)
			docs += (double)f->stream[i].shard[k].docs;
	return docs;
}

static void
write_text(struct find *f, struct plan *p)
{
	bool prefix[QUERY_WORDS_MAX];

	p->text.text = stet_alloc(f->call, QUERY_SIZE(f->q_len));
	for (size_t i = 0; i < p->query.count; i++)
		prefix[i] = p->query.term[i].prefix && !p->query.term[i].broad &&
			    p->share[i] < PREFIX_SHARE;
	if (f->some)
		query_some(&p->query, p->use, prefix, &p->text);
	else
		query_all(&p->query, &p->text);
}

static void
write_ask(struct find *f, const struct plan *p, struct stream *s)
{
	struct rank *r = stet_alloc(f->call, sizeof(*r));

	*r = (struct rank){ .text = &p->text,
		.terms = p->query.count,
		.weight = weights(f->call, s),
		.columns = s->index.columns,
		.whole = f->some };
	for (size_t i = 0; i < r->terms; i++)
		if (!p->query.term[i].exclude && !(f->some && p->use[i] == QUERY_IGNORED))
			r->rarity[i] = rank_rarity(p->share[i]);
	s->ask = (struct ask){ .rank = r, .trigram = s->trigram };
	if (p->text.len > 0)
		s->ask.match = plan_filter(f->call, s, f->titles, p->text.text);
	s->rare = NULL;
	if (p->rare < p->query.count) {
		const struct query_term *t = &p->query.term[p->rare];

		s->rare = plan_term(f, s, t, t->prefix);
	}
}

static size_t
rare_word(const struct find *f, const struct plan *p)
{
	size_t i = 0;

	if (f->some || p->query.count < 2)
		return p->query.count;
	while (i < p->query.count &&
	       (p->seen[i] || p->query.term[i].exclude || p->query.term[i].phrase))
		i++;
	return i;
}

void
plan_ask(struct find *f)
{
	f->cost = 1;
	for (int trigram = 0; trigram < 2; trigram++) {
		struct plan *p = &f->plan[trigram];

		write_text(f, p);
		p->rare = rare_word(f, p);
		for (size_t i = 0; !f->some && i < p->query.count; i++)
			f->cost += p->query.term[i].broad ? BROAD_WORK : 0;
	}
	for (size_t i = 0; i < f->count; i++)
		write_ask(f, &f->plan[f->stream[i].trigram], &f->stream[i]);
}

bool
plan_widen(struct find *f)
{
	bool any = false;

	for (int trigram = 0; trigram < 2; trigram++) {
		struct plan *p = &f->plan[trigram];
		size_t i = rarest(p);

		if (i == p->query.count)
			continue;
		p->use[i] = QUERY_FINDS;
		any = true;
	}
	if (any)
		plan_ask(f);
	return any;
}

enum stet_status
plan_make(struct find *f, const char *q)
{
	f->words = 0;
	f->q_len = strlen(q);
	for (int trigram = 0; trigram < 2; trigram++) {
		struct plan *p = &f->plan[trigram];
		double docs = plan_docs(f, trigram != 0);

		*p = (struct plan){ 0 };
		if (docs == 0)
			continue;
		query_parse(q, f->q_len, trigram != 0, &p->query);
		STET_TRY(measure(f, p, trigram != 0));
		choose_uses(p, docs);
		f->words = p->query.words > f->words ? p->query.words : f->words;
	}
	plan_ask(f);
	return STET_OK;
}

bool
plan_is_question(const struct find *f)
{
	return !f->titles && f->words >= QUESTION;
}
