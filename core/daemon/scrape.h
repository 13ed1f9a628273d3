/* scrape.h - the daemon as it is now, for who watches it. */
#ifndef CORE_SCRAPE_H
#define CORE_SCRAPE_H

#include <stdbool.h>

struct buf;

void scrape_begin(void); /* the process starts */
/* All metrics, in Prometheus' text format. */
void scrape_write(struct buf *);
/* Is every site open and writable, with room on its disk? What is not, a line for each. */
bool scrape_ready(struct buf *);

#endif
