/*
 * questions.c - do the constants of the ranking hold for questions by which they were not chosen?
 * A part of `make bench-search`.
 *
 * The questions (t/module/lib/judged.h) are divided into folds. For each fold, the constants are
 * chosen that are the best for the questions of all other folds, and measured on its own. The mean
 * of these figures, beside that of the constants built in, says what choosing is worth. Each choice
 * is measured once with every question; dividing and choosing is arithmetic.
 *
 * It runs with a search module whose constants are a variable (t/bench/varied/ranking.c), in
 * $STET_BUILD. The last line is "heldout=" and the mean.
 */
#include "../../modules/search/ranking.h"
#include "judged.h"
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#define FOLDS 5
#define DIVISIONS 100 /* divisions into folds, at random; the first one is printed */
#define CHOICES_MAX 64
#define QUESTIONS_MAX 256

struct choice {
	struct ranking ranking;
	double gain[QUESTIONS_MAX];
};
struct trial {
	json_t *questions;
	size_t count; /* questions */
	struct choice choice[CHOICES_MAX]; /* the first choice is what is built in */
	size_t choices;
	size_t fold[QUESTIONS_MAX]; /* the fold of each question */
};
struct figure {
	double mean, error; /* the standard error of the mean */
};

static struct trial trial;

static const double saturations[] = { 0.9, 1.2, 2 }, lengths[] = { 0.5, 0.75 },
		    titles[] = { 3, 10 };
static const size_t bests[] = { 5, 10 }, useds[] = { 20, 40 };

/* ---- measuring ---- */

/* Points to the constants of the search module that the site runs. */
static struct ranking *
constants(void)
{
	void *module =
	    dlopen(harness_path("STET_BUILD", "modules/.libs/search.so"), RTLD_NOW | RTLD_NOLOAD);
	struct ranking *out = module != NULL ? dlsym(module, "ranking") : NULL;

	if (out == NULL) {
		(void)fprintf(
		    stderr, "questions: no constants to set in STET_BUILD: %s\n", dlerror());
		exit(1);
	}
	return out;
}

static void
measure(struct harness *h, const struct ranking *ranking_tried, double *gain)
{
	const json_t *question;
	size_t i;

	*constants() = *ranking_tried;
	json_array_foreach(trial.questions, i, question) gain[i] = judged_gain(h, question);
}

static bool
is_built_in(const struct ranking *r)
{
	return r->saturation == ranking.saturation && r->length == ranking.length &&
	       r->title == ranking.title && r->best == ranking.best && r->used == ranking.used;
}

static void
add_choice(struct harness *h, const struct ranking *r)
{
	struct choice *c = &trial.choice[trial.choices++];

	assert_true(trial.choices <= CHOICES_MAX);
	c->ranking = *r;
	measure(h, r, c->gain);
}

/* Measures all choices in which these two constants differ from the built-in values, combined with
 * all values of the others. */
static void
add_feedback(struct harness *h, struct ranking r)
{
	for (size_t best = 0; best < COUNT(bests); best++)
		for (size_t used = 0; used < COUNT(useds); used++) {
			r.best = bests[best];
			r.used = useds[used];
			if (!is_built_in(&r))
				add_choice(h, &r);
		}
}

static void
add_choices(struct harness *h)
{
	struct ranking r = ranking;

	add_choice(h, &r);
	for (size_t k1 = 0; k1 < COUNT(saturations); k1++)
		for (size_t b = 0; b < COUNT(lengths); b++)
			for (size_t title = 0; title < COUNT(titles); title++) {
				r.saturation = saturations[k1];
				r.length = lengths[b];
				r.title = titles[title];
				add_feedback(h, r);
			}
}

/* ---- choosing ---- */

/* Returns the mean gain over the questions of a fold, or over all other questions. */
static double
mean_of(const double *gain, size_t fold, bool inside)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < trial.count; i++)
		if ((trial.fold[i] == fold) == inside) {
			sum += gain[i];
			n++;
		}
	return sum / (double)n;
}

static const struct choice *
chosen_without(size_t fold)
{
	const struct choice *best = trial.choice;

	for (size_t i = 1; i < trial.choices; i++)
		if (mean_of(trial.choice[i].gain, fold, false) > mean_of(best->gain, fold, false))
			best = &trial.choice[i];
	return best;
}

/* Returns a number below n, from a sequence that is the same in each run. */
static size_t
random_below(size_t n)
{
	static uint32_t seed = 1958;

	seed = seed * 1103515245U + 12345U;
	return (seed >> 16) % n;
}

/* Divides the questions into folds of the same size, at random. */
static void
divide(void)
{
	for (size_t i = 0; i < trial.count; i++)
		trial.fold[i] = i % FOLDS;
	for (size_t i = trial.count; i-- > 1;) {
		size_t k = random_below(i + 1), was = trial.fold[i];

		trial.fold[i] = trial.fold[k];
		trial.fold[k] = was;
	}
}

/* Returns the mean over all questions, each measured with the constants that were chosen without
 * its fold. */
static double
held_out(void)
{
	double sum = 0;

	for (size_t fold = 0; fold < FOLDS; fold++) {
		const struct choice *c = chosen_without(fold);

		for (size_t i = 0; i < trial.count; i++)
			sum += trial.fold[i] == fold ? c->gain[i] : 0;
	}
	return sum / (double)trial.count;
}

/* ---- telling ---- */

/* Returns the mean of a figure over all questions, or of its difference from another figure. */
static struct figure
figure_of(const double *gain, const double *less)
{
	struct figure out = { 0 };
	double squares = 0, n = (double)trial.count;

	for (size_t i = 0; i < trial.count; i++)
		out.mean += (gain[i] - (less != NULL ? less[i] : 0)) / n;
	for (size_t i = 0; i < trial.count; i++) {
		double d = gain[i] - (less != NULL ? less[i] : 0) - out.mean;

		squares += d * d;
	}
	out.error = sqrt(squares / (n - 1) / n);
	return out;
}

static void
tell_choices(void)
{
	const struct figure built_in = figure_of(trial.choice->gain, NULL);
	double least = 1, most = 0;

	for (size_t i = 0; i < trial.choices; i++) {
		double mean = figure_of(trial.choice[i].gain, NULL).mean;

		least = fmin(least, mean);
		most = fmax(most, mean);
	}
	printf("%zu questions: nDCG@10 %.4f with the constants built in, standard error %.4f\n"
	       "%zu choices of constants: from %.4f to %.4f\n",
	    trial.count, built_in.mean, built_in.error, trial.choices, least, most);
}

static void
tell_folds(void)
{
	double here[FOLDS], mean = 0, squares = 0;

	for (size_t fold = 0; fold < FOLDS; fold++) {
		const struct choice *c = chosen_without(fold);
		const struct ranking *r = &c->ranking;

		here[fold] = mean_of(c->gain, fold, true);
		mean += here[fold] / FOLDS;
		printf(
		    "fold %zu    built in %.4f, chosen by the other folds %.4f: k1 %g, b %g, title %g, "
		    "%zu words of %zu hits\n",
		    fold + 1, mean_of(trial.choice->gain, fold, true), here[fold], r->saturation,
		    r->length, r->title, r->used, r->best);
	}
	for (size_t fold = 0; fold < FOLDS; fold++)
		squares += (here[fold] - mean) * (here[fold] - mean);
	printf("all folds    chosen by the other folds %.4f, standard deviation %.4f\n", mean,
	    sqrt(squares / (FOLDS - 1)));
}

/* Measures the ranking without each of its parts, to show what the part is worth. */
static void
tell_without(struct harness *h, const char *what, struct ranking r)
{
	double gain[QUESTIONS_MAX];
	struct figure f;

	measure(h, &r, gain);
	f = figure_of(gain, trial.choice->gain);
	printf("without %s    %.4f, a difference of %+.4f, standard error %.4f\n", what,
	    figure_of(gain, NULL).mean, f.mean, f.error);
}

static void
tell_parts(struct harness *h)
{
	struct ranking r = ranking;

	r.best = 0;
	tell_without(h, "feedback", r);
	r = ranking;
	r.length = 0;
	tell_without(h, "the length of fields", r);
	r = ranking;
	r.title = 1;
	tell_without(h, "the weight of the title", r);
	r = ranking;
	r.beginning = 0;
	tell_without(h, "beginnings of words", r);
}

int
main(void)
{
	double mean = 0, least = 1, most = 0;
	void *h;

	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	searched_begin(&h);
	trial.questions = judged_begin(h);
	trial.count = json_array_size(trial.questions);
	assert_in_range(trial.count, FOLDS, QUESTIONS_MAX);
	add_choices(h);
	tell_choices();
	for (size_t i = 0; i < DIVISIONS; i++) {
		double held;

		divide();
		if (i == 0)
			tell_folds();
		held = held_out();
		mean += held / DIVISIONS;
		least = fmin(least, held);
		most = fmax(most, held);
	}
	printf("%d divisions into folds    chosen by the other folds %.4f, from %.4f to %.4f\n",
	    DIVISIONS, mean, least, most);
	tell_parts(h);
	posts_end(&h);
	json_decref(trial.questions);
	printf("heldout=%.4f\n", mean);
	return 0;
}
