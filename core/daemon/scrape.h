/* scrape.h - the daemon's current state for monitoring: metrics and readiness. */
#ifndef CORE_SCRAPE_H
#define CORE_SCRAPE_H

#include <stdbool.h>

struct buf;

void scrape_begin(void); /* to be called when the process starts */
/* Appends all metrics in Prometheus' text format. */
void scrape_write(struct buf *);
/* Returns true if every site is open and writable and has free disk space. Otherwise appends a
 * line for each problem. */
bool scrape_ready(struct buf *);

#endif
