/* heap.h - how the C library gives memory back to the system. */
#ifndef CORE_HEAP_H
#define CORE_HEAP_H

/* Has each thread keep the free end of its heap, up to a bound. Before threads are started. */
void heap_keep(void);
/* Gives back what is free between blocks in use, if answers and bodies have left much. Now and
 * then, by one thread. */
void heap_tidy(void);

#endif
