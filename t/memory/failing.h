/*
 * failing.h - what a test says to the library that lets allocations fail (failing.c), and hears
 * from it: in a file that both have mapped, which STET_FAILING names.
 */
#ifndef T_MEMORY_FAILING_H
#define T_MEMORY_FAILING_H

#include <stdatomic.h>
#include <stdint.h>

struct failing {
	atomic_uint_fast64_t count; /* allocations since the test set it to 0 */
	atomic_uint_fast64_t fails_at; /* the one that fails, from 1 on; 0: none */
	atomic_uint_fast64_t onward; /* not 0: all after it fail as well */
	atomic_uint_fast64_t failed; /* how many have failed */
	atomic_uint_fast64_t confused; /* one of them was in libconfuse */
};

#endif
