/* heap.c - how the C library gives memory back to the system (adr/0067). */
#include "daemon/heap.h"
#include "call/unsent.h"
#include "net/bodyroom.h"

#include <malloc.h>

#define END_KEPT (2 << 20) /* bytes for each thread */
#define LEFT_LEAST (16 << 20) /* bytes; who allocates waits some ms while they go back */
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
	static bool again; /* what is freed last of all may come after the first time */
	bool fell = unsent_fell() + bodyroom_fell() >= LEFT_LEAST;

	if (fell || again)
		(void)malloc_trim(0);
	again = fell;
}
