/* heap.h - how the C library gives memory back to the system. */
#ifndef CORE_HEAP_H
#define CORE_HEAP_H

/* Has each thread keep the free end of its heap, up to a bound. Before threads are started. */
void heap_keep(void);

#endif
