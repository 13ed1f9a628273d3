/*
 * metrics.h - the daemon's counters and histograms. Counting takes no lock: a thread adds to its
 * own stripe, and a reader sums the stripes. All of it lives as long as the process. Any thread may
 * call these functions.
 */
#ifndef CORE_METRICS_H
#define CORE_METRICS_H

#include <stddef.h>
#include <stdint.h>

struct buf;
struct stet_call;

/* The names and help texts are in metrics.c. */
enum metric {
	METRIC_ACCEPTED,
	METRIC_REFUSED_ADDRESS, /* connections over the limit of their address */
	METRIC_REFUSED_FULL, /* connections over the limit of the daemon */
	METRIC_PAUSES,
	METRIC_ANSWERS_REFUSED, /* calls that failed since memory for responses was full */
	METRIC_SLOW_READERS, /* connections closed because the client read too slowly */
	METRIC_ABORTED,
	METRIC_REPLAYS,
	METRIC_CACHE_HITS,
	METRIC_CACHE_MISSES,
	METRIC_CACHE_UNMODIFIED,
	METRIC_FILE_READS,
	METRIC_KEPT_HITS, /* files of a bucket */
	METRIC_KEPT_MISSES,
	METRIC_BUCKET_SENT, /* bytes of bodies */
	METRIC_BUCKET_RECEIVED,
	METRICS
};
void metrics_add(enum metric, uint64_t n);

enum histogram {
	HISTOGRAM_BATCH, /* jobs in a batch */
	HISTOGRAM_COMMIT, /* microseconds from a batch's BEGIN to the end of its COMMIT */
	HISTOGRAM_LATENESS, /* microseconds between the time a job was due and its start */
	HISTOGRAMS
};
void metrics_observe(enum histogram, uint64_t value);

/* Counters of rare events, with two labels. Adding takes a lock. */
enum metric_family {
	FAMILY_SLOW_HOOKS, /* module, hook */
	FAMILY_SLOW_STATEMENTS, /* module, op */
	FAMILY_LIMITED, /* address or account, what */
	FAMILY_JOB_RUNS, /* module, job */
	FAMILY_JOB_FAILURES,
	FAMILY_MAILS, /* module, outcome */
	FAMILY_BUCKET, /* method, outcome */
	FAMILIES
};
void metrics_label(enum metric_family, const char *, const char *);

/* Counts a request whose response was sent. */
void metrics_request(const struct stet_call *, int status, uint64_t bytes, int64_t us);

/* Writes everything in Prometheus' text format. */
void metrics_write(struct buf *);

/* ---- helpers of the text format (0.0.4), also for scrape.c ---- */

void metrics_head(struct buf *, const char *name, const char *type, const char *help);
/* Writes name{label="value",...} with up to two labels; a NULL label is omitted. */
void metrics_line(struct buf *, const char *name, const char *label, const char *value,
    const char *label2, const char *value2, double number);
/* Writes the value of a label, escaped. */
void metrics_escape(struct buf *, const char *);

#endif
