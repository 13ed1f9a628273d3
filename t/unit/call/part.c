/* part.t - parts of a call that rooms register. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "call/part.h"
#include "call/call.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct small {
	char c;
};
struct large {
	long double first; /* needs the largest alignment */
	char text[1000];
	void *owned;
};

static int ends;

static void end_large(struct stet_call *);

static struct call_part small = { .size = sizeof(struct small) };
static struct call_part large = { .size = sizeof(struct large), .end = end_large };

__attribute__((constructor)) static void
add_parts(void)
{
	call_part_add(&small);
	call_part_add(&large);
}

static void
end_large(struct stet_call *call)
{
	struct large *l = call_part(call, &large);

	ends++;
	free(l->owned);
	l->owned = NULL;
}

static bool
is_zero(const void *p, size_t len)
{
	const char *c = p;

	while (len > 0 && *c == 0)
		c++, len--;
	return len == 0;
}

static void
parts_lie_behind_the_call_and_apart(void **state)
{
	struct stet_call *call = call_new();
	char *s = call_part(call, &small), *l = call_part(call, &large);

	(void)state;
	assert_true(s >= (char *)(call + 1));
	assert_true(l >= s + sizeof(struct small) || s >= l + sizeof(struct large));
	assert_true(l + sizeof(struct large) <= (char *)call + call_parts_size());
	assert_int_equal((uintptr_t)l % _Alignof(struct large), 0);
	assert_ptr_equal(call_of_part(s, &small), call);
	assert_ptr_equal(call_of_part(l, &large), call);
	call_free(call);
}

/* A freed call is used again by the next one of its thread. */
static void
each_call_begins_with_zeros(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		struct stet_call *call = call_new();
		void *s = call_part(call, &small), *l = call_part(call, &large);

		assert_true(is_zero(s, sizeof(struct small)));
		assert_true(is_zero(l, sizeof(struct large)));
		memset(s, 1, sizeof(struct small));
		memset(l, 1, offsetof(struct large, owned));
		call_free(call);
	}
}

static void
a_part_is_ended_once_with_its_call(void **state)
{
	struct stet_call *call = call_new();
	struct large *l = call_part(call, &large);
	int before = ends;

	(void)state;
	l->owned = strdup("freed by end_large");
	call_rewind(call);
	assert_int_equal(ends, before);
	call_free(call);
	assert_int_equal(ends, before + 1);
}

/* The block of a call that exists has no room for another part. */
static void
no_part_is_added_after_the_first_call(void **state)
{
	static struct call_part late = { .size = 1 };
	int status;
	pid_t pid;

	(void)state;
	call_free(call_new());
	pid = fork();
	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		call_part_add(&late);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_lie_behind_the_call_and_apart),
		cmocka_unit_test(each_call_begins_with_zeros),
		cmocka_unit_test(a_part_is_ended_once_with_its_call),
		cmocka_unit_test(no_part_is_added_after_the_first_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
