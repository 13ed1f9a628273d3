/* body.c - the memory limit for all request bodies together. */
/* cmocka.h needs these headers before it. */
/* clang-format off */
#include "call/call.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "net/body.h"
#include "net/bodyroom.h"
#include <string.h>

#define KIB 1024

static const struct op op;
static char text[64 * KIB];

/* Begins a call whose body will have this many bytes. */
static struct body *
begin(uint64_t length)
{
	struct stet_call *call = call_new();
	struct body *b;

	call->op = &op;
	call->head = stet_alloc(call, sizeof(*call->head));
	call->head->has_length = true;
	call->head->length = length;
	b = body_open(call);
	assert_non_null(b);
	return b;
}

/* Feeds bytes to the body. Returns false if they are refused. */
static bool
feed(struct body *b, size_t len)
{
	while (len > 0) {
		size_t size = len < sizeof(text) ? len : sizeof(text);
		long used = body_feed(b, text, size);

		if (used == -1)
			return false;
		assert_int_equal(used, size);
		len -= size;
	}
	return true;
}

static void
bodies_share_a_limit(void **state)
{
	struct body *first, *second;

	(void)state;
	bodyroom_limit(1024 * KIB);
	first = begin(900 * KIB);
	second = begin(900 * KIB);
	/* Announced bytes take no memory, only received ones do. */
	assert_true(feed(first, 600 * KIB));
	assert_false(feed(second, 100 * KIB));
	assert_int_equal(second->call->error.status, STET_UNAVAILABLE);
	assert_non_null(second->call->error.text);
	/* A body that has its memory already can continue. */
	assert_true(feed(first, 300 * KIB));
	assert_true(first->done && body_end(first));
	call_free(second->call);
	second = begin(900 * KIB);
	assert_false(feed(second, 100 * KIB));
	call_free(second->call);
	/* When a call ends, its memory is returned. */
	call_free(first->call);
	second = begin(900 * KIB);
	assert_true(feed(second, 900 * KIB));
	call_free(second->call);
}

static void
nothing_is_lost_by_refusals(void **state)
{
	struct body *b;

	(void)state;
	bodyroom_limit(128 * KIB);
	for (int i = 0; i < 100; i++) {
		b = begin(300 * KIB);
		assert_false(feed(b, 300 * KIB));
		call_free(b->call);
	}
	b = begin(100 * KIB);
	assert_true(feed(b, 100 * KIB));
	call_free(b->call);
}

static void
a_smaller_limit_holds_for_what_comes(void **state)
{
	struct body *b;

	(void)state;
	bodyroom_limit(1024 * KIB);
	b = begin(900 * KIB);
	assert_true(feed(b, 500 * KIB));
	bodyroom_limit(64 * KIB);
	assert_false(feed(b, 400 * KIB));
	call_free(b->call);
	b = begin(60 * KIB);
	assert_true(feed(b, 60 * KIB));
	call_free(b->call);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_share_a_limit),
		cmocka_unit_test(nothing_is_lost_by_refusals),
		cmocka_unit_test(a_smaller_limit_holds_for_what_comes),
	};

	memset(text, ' ', sizeof(text));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
