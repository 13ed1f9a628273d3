/* questions.t - real questions about 1,400 articles, with the answers of experts
 * (t/module/lib/judged.h). */
#include "judged.h"

#define WANTED 0.42

static void
questions_find_what_experts_would_answer(void **state)
{
	double half[2] = { 0, 0 };
	struct harness *h = *state;
	json_t *question, *questions = judged_begin(h);
	size_t n;

	if (questions == NULL) {
		print_message("# skipped: no articles and questions in STET_SHARED_DATA\n");
		return;
	}
	json_array_foreach(questions, n, question) half[n % 2] += judged_gain(h, question);
	print_message("# %zu questions: nDCG@10 %.4f (%.4f of the even ones, %.4f of the odd)\n", n,
	    (half[0] + half[1]) / (double)n, half[0] / (double)((n + 1) / 2),
	    half[1] / (double)(n / 2));
	assert_true((half[0] + half[1]) / (double)n >= WANTED);
	json_decref(questions);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(questions_find_what_experts_would_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
