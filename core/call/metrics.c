/*
 * metrics.c - counters and histograms, and their output for Prometheus.
 *
 * Each counter has STRIPES copies on cache lines of their own, so that threads do not fight for one
 * line. Requests are counted per site and op in a hash table that only grows; an op remembers its
 * entry, so the lock is taken once per op and generation. METERS_MAX bounds the table.
 */
#include "call/metrics.h"
#include "base/arena.h"
#include "base/buf.h"
#include "call/call.h"
#include "call/site.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define STRIPES 8 /* more threads share stripes */
#define LINE 64 /* bytes of a cache line */
#define BOUNDS 15
#define STATUSES 8 /* distinct statuses of an op on a site; the others count as one */
#define METERS_MAX 20000 /* ops on sites; further ones are counted together */
#define BUCKETS 1024
#define LABELLED_MAX 4096

/* ---- stripes ---- */

/* The stripe of this thread. */
static unsigned
stripe(void)
{
	static atomic_uint last;
	static _Thread_local unsigned mine;

	if (mine == 0)
		mine = 1 + atomic_fetch_add(&last, 1) % STRIPES;
	return mine - 1;
}

static void
bump(_Atomic uint64_t *at, uint64_t n)
{
	atomic_fetch_add_explicit(at, n, memory_order_relaxed);
}

static uint64_t
value(const _Atomic uint64_t *at)
{
	return atomic_load_explicit(at, memory_order_relaxed);
}

/* ---- plain counters ---- */

static const struct {
	const char *name, *help;
} counters[METRICS] = {
	[METRIC_ACCEPTED] = { "stet_connections_accepted_total", "Connections accepted." },
	[METRIC_REFUSED_ADDRESS] = { "stet_connections_refused_total",
	    "Connections answered 503 at once because their address had enough." },
	[METRIC_REFUSED_FULL] = { "stet_connections_refused_full_total",
	    "Connections answered 503 at once because there were too many in all, none of them idle." },
	[METRIC_PAUSES] = { "stet_accept_pauses_total",
	    "Times that accepting paused, for want of room or of descriptors." },
	[METRIC_ANSWERS_REFUSED] = { "stet_answers_refused_total",
	    "Requests answered 503 because too many answers waited for their clients." },
	[METRIC_SLOW_READERS] = { "stet_slow_readers_total",
	    "Connections closed because they took their answer too slowly." },
	[METRIC_ABORTED] = { "stet_http_requests_aborted_total",
	    "Requests whose client went away before the answer." },
	[METRIC_REPLAYS] = { "stet_writer_replays_total",
	    "Batches of writes that were rolled back and run again one by one." },
	[METRIC_CACHE_HITS] = { "stet_answer_cache_hits_total",
	    "Reads answered from the answer cache." },
	[METRIC_CACHE_MISSES] = { "stet_answer_cache_misses_total",
	    "Reads that the answer cache might have had, and had not." },
	[METRIC_CACHE_UNMODIFIED] = { "stet_answer_cache_not_modified_total",
	    "Of the hits, those answered 304." },
	[METRIC_FILE_READS] = { "stet_file_reads_total",
	    "Times that a part of a file was not in memory, and read from the disk by the slow lane." },
	[METRIC_KEPT_HITS] = { "stet_file_cache_hits_total",
	    "Files of a bucket that were opened in file-cache." },
	[METRIC_KEPT_MISSES] = { "stet_file_cache_misses_total",
	    "Files of a bucket that had to be fetched." },
	[METRIC_BUCKET_SENT] = { "stet_bucket_sent_bytes_total",
	    "Bytes of files that were sent to a bucket, each attempt." },
	[METRIC_BUCKET_RECEIVED] = { "stet_bucket_received_bytes_total",
	    "Bytes of files that came from a bucket." },
};

static struct {
	_Alignas(LINE) _Atomic uint64_t count[METRICS];
} counted[STRIPES];

void
metrics_add(enum metric m, uint64_t n)
{
	bump(&counted[stripe()].count[m], n);
}

/* ---- histograms ---- */

/* Upper bounds of buckets in the unit observed, and the factor to the unit shown. */
struct scale {
	unsigned count;
	double unit;
	uint64_t bound[BOUNDS - 1];
};
static const struct scale seconds = { 14, 1e-6,
	{ 100, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000, 500000, 1000000, 2500000,
	    10000000 } };
static const struct scale jobs = { 10, 1, { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 } };
static const struct scale lateness = { 9, 1e-6,
	{ 10000, 100000, 500000, 1000000, 5000000, 15000000, 60000000, 300000000, 3600000000U } };

struct span {
	struct {
		_Alignas(LINE) _Atomic uint64_t count[BOUNDS]; /* the last bucket has no bound */
		_Atomic uint64_t sum;
	} stripe[STRIPES];
};

static struct span observed[HISTOGRAMS];
static const struct {
	const char *name, *help;
	const struct scale *scale;
} histograms[HISTOGRAMS] = {
	[HISTOGRAM_BATCH] = { "stet_writer_batch_jobs", "Writes committed together.", &jobs },
	[HISTOGRAM_COMMIT] = { "stet_writer_batch_seconds",
	    "From the beginning of a batch of writes to the end of its commit.", &seconds },
	[HISTOGRAM_LATENESS] = { "stet_job_lateness_seconds",
	    "How long after it was due a job ran.", &lateness },
};

static void
span_add(struct span *span, const struct scale *scale, uint64_t v)
{
	unsigned i = 0, s = stripe();

	while (i < scale->count && v > scale->bound[i])
		i++;
	bump(&span->stripe[s].count[i], 1);
	bump(&span->stripe[s].sum, v);
}

void
metrics_observe(enum histogram h, uint64_t v)
{
	span_add(&observed[h], histograms[h].scale, v);
}

/* ---- requests ---- */

/* The times of an op, on all sites together. */
struct op_span {
	struct op_span *next;
	char *op;
	struct span span;
};

/* The number of responses of an op on a site, by status. */
struct meter {
	struct meter *next;
	char *site, *op;
	struct op_span *times;
	uint64_t hash;
	_Atomic uint16_t status[STATUSES]; /* the status that each slot counts; 0: free; the last
					      slot counts all others */
	struct {
		_Alignas(LINE) _Atomic uint64_t count[STATUSES];
	} stripe[STRIPES];
};

static struct {
	pthread_mutex_t lock; /* guards the lists; entries are never removed */
	struct meter *bucket[BUCKETS];
	struct op_span *times;
	size_t meters;
	_Atomic uint64_t bytes;
} requests = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *
lines(size_t size)
{
	void *p = aligned_alloc(LINE, (size + LINE - 1) / LINE * LINE);

	if (p == NULL)
		stet_out_of_memory();
	return memset(p, 0, size);
}

static struct op_span *
times_of(const char *op)
{
	struct op_span *t = requests.times;

	while (t != NULL && strcmp(t->op, op) != 0)
		t = t->next;
	if (t != NULL)
		return t;
	t = lines(sizeof(*t));
	t->op = xstrdup(op);
	t->next = requests.times;
	return requests.times = t;
}

static struct meter *
find(const char *site, const char *op)
{
	uint64_t hash = XXH3_64bits_withSeed(op, strlen(op), XXH3_64bits(site, strlen(site)));
	struct meter **at = &requests.bucket[hash % BUCKETS], *m = *at;

	while (
	    m != NULL && (m->hash != hash || strcmp(m->site, site) != 0 || strcmp(m->op, op) != 0))
		m = m->next;
	if (m != NULL)
		return m;
	if (requests.meters >= METERS_MAX && strcmp(site, "other") != 0)
		return find("other", "other");
	m = lines(sizeof(*m));
	m->site = xstrdup(site);
	m->op = xstrdup(op);
	m->hash = hash;
	m->times = times_of(op);
	m->next = *at;
	requests.meters++;
	return *at = m;
}

static struct meter *
lookup(const char *site, const char *op)
{
	struct meter *m;

	pthread_mutex_lock(&requests.lock);
	m = find(site, op);
	pthread_mutex_unlock(&requests.lock);
	return m;
}

/* Returns the counter of the call's op, which the op remembers. */
static struct meter *
meter_of(const struct stet_call *call)
{
	struct meter **kept, *m;

	if (call->site == NULL)
		return lookup("none", "none");
	if (call->op == NULL)
		return lookup(site_name(call->site), "none");
	kept = &((struct op *)(uintptr_t)call->op)->meter;
	m = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
	if (m == NULL) {
		m = lookup(site_name(call->site), call->op->name);
		__atomic_store_n(kept, m, __ATOMIC_RELEASE);
	}
	return m;
}

static unsigned
status_at(struct meter *m, uint16_t status)
{
	for (unsigned i = 0; i < STATUSES - 1; i++) {
		uint16_t is = atomic_load_explicit(&m->status[i], memory_order_relaxed);

		if (is == status ||
		    (is == 0 && (atomic_compare_exchange_strong(&m->status[i], &is, status) ||
				    is == status)))
			return i;
	}
	return STATUSES - 1;
}

void
metrics_request(const struct stet_call *call, int status, uint64_t bytes, int64_t us)
{
	struct meter *m = meter_of(call);

	bump(&m->stripe[stripe()].count[status_at(m, (uint16_t)status)], 1);
	span_add(&m->times->span, &seconds, us > 0 ? (uint64_t)us : 0);
	bump(&requests.bytes, bytes);
}

/* ---- rare events ---- */

static const struct {
	const char *name, *label, *label2, *help;
} families[FAMILIES] = {
	[FAMILY_SLOW_HOOKS] = { "stet_hook_slow_total", "module", "hook",
	    "Hooks that took longer than 50 milliseconds." },
	[FAMILY_SLOW_STATEMENTS] = { "stet_sql_slow_total", "module", "op",
	    "Statements that took longer than slow-statement." },
	[FAMILY_LIMITED] = { "stet_rate_limited_total", "by", "what",
	    "Requests that were refused because too many came." },
	[FAMILY_JOB_RUNS] = { "stet_job_runs_total", "module", "job", "Runs of timed work." },
	[FAMILY_JOB_FAILURES] = { "stet_job_failures_total", "module", "job",
	    "Runs of timed work that failed." },
	[FAMILY_MAILS] = { "stet_mail_attempts_total", "module", "outcome",
	    "Attempts to send a mail: sent, dropped, deferred or dead." },
	[FAMILY_BUCKET] = { "stet_bucket_requests_total", "method", "outcome",
	    "Requests to a bucket, each attempt: good, missing, refused, down (no answer, or 500 and"
	    " above) or local (the disk here)." },
};

struct labelled {
	struct labelled *next;
	char *first, *second;
	uint64_t count;
};

static struct {
	pthread_mutex_t lock;
	struct labelled *first[FAMILIES];
	size_t count;
} rare = { .lock = PTHREAD_MUTEX_INITIALIZER };

void
metrics_label(enum metric_family f, const char *first, const char *second)
{
	struct labelled *l;

	pthread_mutex_lock(&rare.lock);
	for (l = rare.first[f]; l != NULL; l = l->next)
		if (strcmp(l->first, first) == 0 && strcmp(l->second, second) == 0)
			break;
	if (l == NULL && rare.count < LABELLED_MAX) {
		l = xcalloc(1, sizeof(*l));
		l->first = xstrdup(first);
		l->second = xstrdup(second);
		l->next = rare.first[f];
		rare.first[f] = l;
		rare.count++;
	}
	if (l != NULL)
		l->count++;
	pthread_mutex_unlock(&rare.lock);
}

/* ---- the text format ---- */

void
metrics_head(struct buf *b, const char *name, const char *type, const char *help)
{
	buf_printf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void
metrics_escape(struct buf *b, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '\n') {
			buf_str(b, "\\n");
			continue;
		}
		if (*text == '\\' || *text == '"')
			buf_char(b, '\\');
		buf_char(b, *text);
	}
}

static void
put_label(struct buf *b, bool *first, const char *label, const char *text)
{
	if (label == NULL)
		return;
	buf_printf(b, "%c%s=\"", *first ? '{' : ',', label);
	metrics_escape(b, text);
	buf_char(b, '"');
	*first = false;
}

void
metrics_line(struct buf *b, const char *name, const char *label, const char *text,
    const char *label2, const char *text2, double number)
{
	bool first = true;

	buf_str(b, name);
	put_label(b, &first, label, text);
	put_label(b, &first, label2, text2);
	buf_printf(b, "%s %.16g\n", first ? "" : "}", number);
}

static void
write_span(struct buf *b, const char *name, const struct scale *scale, const struct span *span,
    const char *label, const char *text)
{
	char bucket[96], le[32];
	uint64_t count = 0, sum = 0;

	(void)snprintf(bucket, sizeof(bucket), "%s_bucket", name);
	for (unsigned i = 0; i <= scale->count; i++) {
		for (unsigned s = 0; s < STRIPES; s++)
			count += value(&span->stripe[s].count[i]);
		if (i < scale->count)
			(void)snprintf(
			    le, sizeof(le), "%.12g", (double)scale->bound[i] * scale->unit);
		metrics_line(
		    b, bucket, label, text, "le", i < scale->count ? le : "+Inf", (double)count);
	}
	for (unsigned s = 0; s < STRIPES; s++)
		sum += value(&span->stripe[s].sum);
	(void)snprintf(bucket, sizeof(bucket), "%s_sum", name);
	metrics_line(b, bucket, label, text, NULL, NULL, (double)sum * scale->unit);
	(void)snprintf(bucket, sizeof(bucket), "%s_count", name);
	metrics_line(b, bucket, label, text, NULL, NULL, (double)count);
}

static void
write_meter(struct buf *b, const struct meter *m)
{
	for (unsigned i = 0; i < STATUSES; i++) {
		unsigned status = atomic_load_explicit(&m->status[i], memory_order_relaxed);
		uint64_t count = 0;

		for (unsigned s = 0; s < STRIPES; s++)
			count += value(&m->stripe[s].count[i]);
		if (count == 0)
			continue;
		buf_str(b, "stet_http_requests_total{site=\"");
		metrics_escape(b, m->site);
		buf_str(b, "\",op=\"");
		metrics_escape(b, m->op);
		buf_printf(b, "\",status=\"%u\"} %llu\n", status, (unsigned long long)count);
	}
}

static void
write_requests(struct buf *b)
{
	static const char name[] = "stet_http_request_duration_seconds";

	pthread_mutex_lock(&requests.lock);
	metrics_head(b, "stet_http_requests_total", "counter",
	    "Requests answered, by site, operation and status.");
	for (size_t i = 0; i < BUCKETS; i++)
		for (const struct meter *m = requests.bucket[i]; m != NULL; m = m->next)
			write_meter(b, m);
	metrics_head(b, name, "histogram",
	    "From the first byte of a request's head to its answer, on all sites. Long polls"
	    " count with their waiting.");
	for (const struct op_span *t = requests.times; t != NULL; t = t->next)
		write_span(b, name, &seconds, &t->span, "op", t->op);
	pthread_mutex_unlock(&requests.lock);
	metrics_head(
	    b, "stet_http_response_body_bytes_total", "counter", "Bytes of answers' bodies.");
	metrics_line(b, "stet_http_response_body_bytes_total", NULL, NULL, NULL, NULL,
	    (double)value(&requests.bytes));
}

static void
write_rare(struct buf *b)
{
	pthread_mutex_lock(&rare.lock);
	for (int f = 0; f < FAMILIES; f++) {
		metrics_head(b, families[f].name, "counter", families[f].help);
		for (const struct labelled *l = rare.first[f]; l != NULL; l = l->next)
			metrics_line(b, families[f].name, families[f].label, l->first,
			    families[f].label2, l->second, (double)l->count);
	}
	pthread_mutex_unlock(&rare.lock);
}

void
metrics_write(struct buf *b)
{
	write_requests(b);
	for (int m = 0; m < METRICS; m++) {
		uint64_t count = 0;

		for (unsigned s = 0; s < STRIPES; s++)
			count += value(&counted[s].count[m]);
		metrics_head(b, counters[m].name, "counter", counters[m].help);
		metrics_line(b, counters[m].name, NULL, NULL, NULL, NULL, (double)count);
	}
	for (int h = 0; h < HISTOGRAMS; h++) {
		metrics_head(b, histograms[h].name, "histogram", histograms[h].help);
		write_span(b, histograms[h].name, histograms[h].scale, &observed[h], NULL, NULL);
	}
	write_rare(b);
}
