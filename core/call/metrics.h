/*
 * metrics.h - what the daemon counts of itself. Counting takes no lock and waits for nobody: a
 * thread adds to a stripe of its own, and who reads adds them up. All lives as long as the process.
 */
#ifndef CORE_METRICS_H
#define CORE_METRICS_H

#include <stddef.h>
#include <stdint.h>

struct buf;
struct stet_call;

/* Names and texts are in metrics.c. */
enum metric {
	METRIC_ACCEPTED,
	METRIC_REFUSED_ADDRESS, /* connections beyond those of an address */
	METRIC_REFUSED_FULL, /* connections beyond those of the daemon */
	METRIC_PAUSES,
	METRIC_ANSWERS_REFUSED, /* calls, for want of memory for their answers */
	METRIC_SLOW_READERS, /* connections that were closed since they took an answer too slowly */
	METRIC_ABORTED,
	METRIC_REPLAYS,
	METRIC_CACHE_HITS,
	METRIC_CACHE_MISSES,
	METRIC_CACHE_UNMODIFIED,
	METRIC_FILE_READS,
	METRICS
};
void metrics_add(enum metric, uint64_t n);

enum histogram {
	HISTOGRAM_BATCH, /* jobs */
	HISTOGRAM_COMMIT, /* microseconds from a batch's begin to its commit's end */
	HISTOGRAM_LATENESS, /* microseconds that a job runs after it was due */
	HISTOGRAMS
};
void metrics_observe(enum histogram, uint64_t value);

/* Counters of what is rare, with two labels; with a lock. */
enum metric_family {
	FAMILY_SLOW_HOOKS, /* module, hook */
	FAMILY_SLOW_STATEMENTS, /* module, op */
	FAMILY_LIMITED, /* address or account, what */
	FAMILY_JOB_RUNS, /* module, job */
	FAMILY_JOB_FAILURES,
	FAMILY_MAILS, /* module, outcome */
	FAMILIES
};
void metrics_label(enum metric_family, const char *, const char *);

/* A request was answered. */
void metrics_request(const struct stet_call *, int status, uint64_t bytes, int64_t us);

/* All of it, in Prometheus' text format. */
void metrics_write(struct buf *);

/* ---- the text format (0.0.4), for scrape.c too ---- */

void metrics_head(struct buf *, const char *name, const char *type, const char *help);
/* name{label="value",...} with up to two labels; a label that is NULL is left out. */
void metrics_line(struct buf *, const char *name, const char *label, const char *value,
    const char *label2, const char *value2, double number);
/* A value of a label, escaped. */
void metrics_escape(struct buf *, const char *);

#endif
