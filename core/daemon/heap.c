/*
 * heap.c - how the C library gives memory back to the system.
 *
 * The allocator of the C library stays. jemalloc and mimalloc (Debian 12, LD_PRELOAD, one worker)
 * answered up to 7 % more requests for items and creates, as many for lists, and jemalloc took 10 %
 * more memory: most of what a call needs comes from its arena. The two thresholds set here matter
 * more. With the library's own ones, a list of 50 items of 300 KB in all took 157, 158 or 504 us of
 * processor time, depending on where blocks lay; with these 157. Resident memory stayed equal.
 */
#include "daemon/heap.h"
#include "call/unsent.h"
#include "net/bodyroom.h"

#include <malloc.h>

#define END_KEPT (2 << 20) /* bytes for each thread */
#define LEFT_LEAST (16 << 20) /* bytes; malloc blocks for some ms while they go back */
#define BLOCK_MAX (1 << 20) /* larger blocks go back as soon as they are free */

/* Answers of some hundred KB come and go with each request. The C library would give the end of the
 * heap back each time, and the page faults of getting it again cost up to twice as much as the
 * answer. */
void
heap_keep(void)
{
	(void)mallopt(M_TRIM_THRESHOLD, END_KEPT);
	(void)mallopt(M_MMAP_THRESHOLD, BLOCK_MAX);
}

void
heap_tidy(void)
{
	static bool again; /* trim again later: the last blocks may be freed after the first time */
	bool fell = unsent_fell() + bodyroom_fell() >= LEFT_LEAST;

	if (fell || again)
		(void)malloc_trim(0);
	again = fell;
}
