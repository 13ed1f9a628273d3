/* fair.c - the queue that serves its keys in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fair.h"

#define ALIKE (FAIR_LINES * 3) /* has the same slot of the table as key 0 */

static struct fair_item item[9];
static struct fair queue;

static void
push(uint64_t key, int n)
{
	fair_push(&queue, key, &item[n]);
}

static int
pop(void)
{
	struct fair_item *got = fair_pop(&queue);

	return got != NULL ? (int)(got - item) : -1;
}

static void
each_key_has_its_turn(void **state)
{
	(void)state;
	assert_int_equal(pop(), -1);
	for (int i = 0; i < 4; i++)
		push(0, i);
	push(ALIKE, 4);
	push(7, 5);
	push(7, 6);
	assert_int_equal(pop(), 0);
	assert_int_equal(pop(), 4);
	assert_int_equal(pop(), 5);
	/* A key that is pushed again goes behind the waiting ones. */
	push(ALIKE, 7);
	assert_int_equal(pop(), 1);
	assert_int_equal(pop(), 6);
	assert_int_equal(pop(), 7);
	assert_int_equal(pop(), 2);
	assert_int_equal(pop(), 3);
	assert_int_equal(pop(), -1);
	push(7, 8);
	assert_int_equal(pop(), 8);
	assert_int_equal(pop(), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_key_has_its_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
