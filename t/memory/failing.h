/*
 * failing.h - shared memory of a test and the library that lets allocations fail (failing.c): a
 * file that both have mapped, named by STET_FAILING.
 */
#ifndef T_MEMORY_FAILING_H
#define T_MEMORY_FAILING_H

#include <stdatomic.h>
#include <stdint.h>

struct failing {
	atomic_uint_fast64_t count; /* number of allocations since the test set it to 0 */
	atomic_uint_fast64_t fails_at; /* number of the allocation that fails, from 1 on; 0: none */
	atomic_uint_fast64_t onward; /* not 0: all later allocations fail as well */
	atomic_uint_fast64_t failed; /* number of allocations that have failed */
	atomic_uint_fast64_t confused; /* not 0: one of them was in libconfuse */
};

#endif
