/* series.h - the metrics of modules: a number for each metric of each module on each site. */
#ifndef CORE_MODULE_SERIES_H
#define CORE_MODULE_SERIES_H

struct buf;
struct site;

/* The collected metrics of some sites; zero it first. Collecting takes no lock except the
 * caller's. */
struct series_all {
	struct series_one *at;
	unsigned count;
};
void series_collect(struct site *, struct series_all *);
/* Writes all in Prometheus' text format. */
void series_write(struct buf *, struct series_all *);
void series_drop(struct series_all *);
/* Frees the numbers of a site. */
void series_free(struct site *);

#endif
