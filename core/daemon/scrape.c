/* scrape.c - gauges of the process, its sites, queues and jobs; and whether the daemon is ready. */
#include "config.h"

#include "backup/keeper.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/words.h"
#include "call/metrics.h"
#include "call/site.h"
#include "call/unsent.h"
#include "daemon/scrape.h"
#include "daemon/stuck.h"
#include "db/db.h"
#include "db/dbstate.h"
#include "db/dbstats.h"
#include "db/writer.h"
#include "files/filecache.h"
#include "module/series.h"
#include "net/peers.h"
#include "op/answer.h"
#include "op/readpool.h"
#include "op/slow.h"
#include "site/migrate.h"
#include "site/sites.h"
#include "work/jobs.h"
#include "work/lease.h"
#include "work/outbox.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define ROOM_MIN ((uint64_t)16 << 20) /* free bytes below which a disk counts as full */
#define FULL_MS 30000 /* how long a disk counts as full after a failed write */

static void
gauge(struct buf *b, const char *name, const char *help, double number)
{
	metrics_head(b, name, "gauge", help);
	metrics_line(b, name, NULL, NULL, NULL, NULL, number);
}

static int64_t began; /* clock_now */

void
scrape_begin(void)
{
	began = clock_now();
}

/* ---- the process ---- */

static unsigned
descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	if (dir == NULL)
		return 0;
	while (readdir(dir) != NULL)
		n++;
	closedir(dir);
	return n > 3 ? n - 3 : 0; /* ".", ".." and the directory's own */
}

static void
memory(struct buf *b)
{
	unsigned long long size = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "re");
	long page = sysconf(_SC_PAGESIZE);

	if (file == NULL)
		return;
	if (fscanf(file, "%llu %llu", &size, &resident) == 2) {
		gauge(b, "process_resident_memory_bytes", "Memory in use.",
		    (double)resident * (double)page);
		gauge(b, "process_virtual_memory_bytes", "Address space in use.",
		    (double)size * (double)page);
	}
	(void)fclose(file);
}

static double
seconds_of(struct timeval tv)
{
	return (double)tv.tv_sec + (double)tv.tv_usec / 1e6;
}

static void
process(struct buf *b)
{
	static const char cpu[] = "process_cpu_seconds_total", build[] = "stet_build_info";
	struct rlimit files;
	struct rusage used;

	metrics_head(b, build, "gauge", "The version; always 1.");
	metrics_line(b, build, "version", PACKAGE_VERSION, NULL, NULL, 1);
	if (getrusage(RUSAGE_SELF, &used) == 0) {
		metrics_head(b, cpu, "counter", "Processor time used.");
		metrics_line(b, cpu, NULL, NULL, NULL, NULL,
		    seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
	}
	memory(b);
	gauge(b, "process_open_fds", "Open file descriptors.", descriptors());
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur != RLIM_INFINITY)
		gauge(b, "process_max_fds", "Limit of open file descriptors.",
		    (double)files.rlim_cur);
	gauge(b, "process_start_time_seconds", "When the process started, since the epoch.",
	    (double)began / 1000);
}

/* ---- sites ---- */

/* What is read of a site while the list of sites is locked, so only what is quick. */
struct facts {
	char *name;
	char *trouble; /* why the site is not ready; NULL: it is */
	bool open, writable;
	struct writer_stats writer;
	uint64_t kept_files; /* bytes */
	uint64_t database, log, outbox, waiting, generation;
	bool shared; /* other daemons may use its database */
	struct {
		uint64_t up, daemons, leases, lag;
		uint64_t n[DBSTATS]; /* dbstats.h */
	} engine; /* if so */
	bool kept; /* the site has scheduled backups */
	struct keeper_stats backups; /* if so */
};

struct census {
	bool ready; /* asks whether sites can serve, which may take as long as their databases do */
	struct facts *at;
	size_t count;
	struct series_all series; /* metrics of modules */
};

static uint64_t
size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* Returns the problem in words, or NULL. */
static char *
disk_trouble(struct site *site)
{
	int64_t at = writer_full_at(site->writer);
	struct statvfs fs;

	if (at != 0 && clock_monotonic() - at < FULL_MS)
		return words_format("its storage is full");
	if (statvfs(site->conf.data, &fs) != 0)
		return words_format("its directory cannot be looked at");
	if ((uint64_t)fs.f_bavail * fs.f_frsize < ROOM_MIN)
		return words_format("its disk is full");
	return NULL;
}

/* Asks again a database that could not be reached: clients are elsewhere until this succeeds. One
 * that is elsewhere may also have been changed by a newer version. */
static char *
database_trouble(struct site *site)
{
	char *why = NULL;

	if (atomic_load(&site->db_lost))
		atomic_store(&site->db_lost, !dbstate_now(site).known);
	if (site->db_file == NULL && !atomic_load(&site->db_lost))
		why = migrate_newer(site);
	if (why == NULL && atomic_load(&site->db_lost))
		why = words_format("its database cannot be reached");
	return why;
}

static void
judge(struct site *site, struct facts *f)
{
	if (f->trouble == NULL)
		f->trouble = disk_trouble(site);
	if (f->trouble == NULL)
		f->trouble = database_trouble(site);
}

static void
visit_engine(struct site *site, struct facts *f)
{
	const struct db_stats *stats = dbstats_of(site->db_place, false);

	if (stats == NULL)
		return;
	f->shared = true;
	f->engine.up = !atomic_load(&site->db_lost);
	f->engine.daemons = atomic_load(&site->daemons);
	f->engine.leases = lease_count(site);
	f->engine.lag = (uint64_t)atomic_load(&site->lag);
	for (size_t i = 0; i < DBSTATS; i++)
		f->engine.n[i] = atomic_load(&stats->n[i]);
}

static void
visit(struct site *site, void *arg)
{
	struct census *all = arg;
	struct facts *f;

	all->at = xrealloc(all->at, (all->count + 1) * sizeof(*f));
	f = &all->at[all->count++];
	*f = (struct facts){ .name = xstrdup(site_name(site)) };
	pthread_mutex_lock(&site->lock);
	f->open = site->current != NULL;
	f->writable = f->open && site->broken == NULL;
	if (!f->open)
		f->trouble = words_format("cannot be opened%s%s", site->failure != NULL ? ": " : "",
		    site->failure != NULL ? site->failure : "");
	else if (!f->writable)
		f->trouble = words_format("does not accept writes: %s", site->broken);
	f->generation = f->open ? site->current->number : 0;
	pthread_mutex_unlock(&site->lock);
	if (all->ready) {
		judge(site, f);
		return;
	}
	series_collect(site, &all->series);
	if (!f->open)
		return;
	writer_stats(site->writer, &f->writer);
	f->database = site->db_file != NULL ? size_of(site->db_file) : 0;
	f->log = db_log_size(site->db_place);
	f->outbox = outbox_depth(site);
	f->kept_files = filecache_bytes(&site->conf);
	f->waiting = atomic_load(&site->waiting);
	visit_engine(site, f);
	f->kept = keeper_stats(site, &f->backups);
}

static struct census
census(bool ready)
{
	struct census all = { .ready = ready };

	sites_each(visit, &all);
	return all;
}

static void
census_free(struct census *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->at[i].name);
		free(all->at[i].trouble);
	}
	free(all->at);
	series_drop(&all->series);
}

#define FACT(member) offsetof(struct facts, member)
static const struct {
	const char *name, *type, *help;
	size_t offset; /* offset of a uint64_t, or of an int64_t that is not negative */
	unsigned parts; /* how many make one of the sample's unit; 0: one */
} of_sites[] = {
	{ "stet_writer_queue_depth", "gauge", "Writes that wait for the site's writer.",
	    FACT(writer.depth) },
	{ "stet_writer_batches_total", "counter", "Transactions of the site's writer.",
	    FACT(writer.batches) },
	{ "stet_writer_jobs_total", "counter", "Writes that the site's writer ran.",
	    FACT(writer.jobs) },
	{ "stet_database_bytes", "gauge", "Size of the site's database.", FACT(database) },
	{ "stet_wal_bytes", "gauge", "Size of the site's write-ahead log.", FACT(log) },
	{ "stet_outbox_depth", "gauge",
	    "Events that waited for delivery after the last round; counted up to 10000.",
	    FACT(outbox) },
	{ "stet_waiting_calls", "gauge", "Long polls and streams that wait for a commit.",
	    FACT(waiting) },
	{ "stet_file_cache_bytes", "gauge", "Files of a bucket that are kept here.",
	    FACT(kept_files) },
	{ "stet_site_generation", "gauge", "Times that the site was compiled since it was opened.",
	    FACT(generation) },
	{ "stet_database_up", "gauge", "Could the database be reached the last time?",
	    FACT(engine.up) },
	{ "stet_daemons", "gauge", "Daemons that serve the site.", FACT(engine.daemons) },
	{ "stet_leases_held", "gauge", "Work that this daemon alone does now.",
	    FACT(engine.leases) },
	{ "stet_index_lag", "gauge",
	    "Changes of the site that the search index of this daemon does not show yet.",
	    FACT(engine.lag) },
	{ "stet_database_connections", "gauge", "Connections to the database.",
	    FACT(engine.n[DBSTAT_CONNECTIONS]) },
	{ "stet_database_connections_reading", "gauge", "Of these, in a transaction that reads.",
	    FACT(engine.n[DBSTAT_READING]) },
	{ "stet_database_connections_writing", "gauge", "Of these, in a transaction that writes.",
	    FACT(engine.n[DBSTAT_WRITING]) },
	{ "stet_database_round_trips_total", "counter",
	    "Times that a thread waited for the database.", FACT(engine.n[DBSTAT_ROUND_TRIPS]) },
	{ "stet_database_reconnects_total", "counter", "Connections that were made again.",
	    FACT(engine.n[DBSTAT_RECONNECTS]) },
	{ "stet_database_stale_retries_total", "counter",
	    "Reads that ran again since tables had changed.", FACT(engine.n[DBSTAT_STALE]) },
	{ "stet_database_states_total", "counter", "Questions for the state of the database.",
	    FACT(engine.n[DBSTAT_STATES]) },
	{ "stet_database_state_seconds_total", "counter", "How long they took.",
	    FACT(engine.n[DBSTAT_STATE_US]), 1000000 },
	{ "stet_database_commits_total", "counter", "Commits of writes.",
	    FACT(engine.n[DBSTAT_COMMITS]) },
	{ "stet_database_commit_seconds_total", "counter", "How long they took.",
	    FACT(engine.n[DBSTAT_COMMIT_US]), 1000000 },
	{ "stet_database_locks_total", "counter", "Times that a writer asked for the site's lock.",
	    FACT(engine.n[DBSTAT_LOCKS]) },
	{ "stet_database_lock_wait_seconds_total", "counter",
	    "How long it waited for it, behind writers of other daemons.",
	    FACT(engine.n[DBSTAT_LOCK_US]), 1000000 },
	{ "stet_backup_last_success_timestamp_seconds", "gauge",
	    "When the last good scheduled backup began, since the epoch; 0: none was made yet.",
	    FACT(backups.made), 1000 },
	{ "stet_backup_last_duration_seconds", "gauge", "How long that took.", FACT(backups.took),
	    1000 },
	{ "stet_backup_last_size_bytes", "gauge", "How large it is.", FACT(backups.bytes) },
	{ "stet_backup_failures_total", "counter", "Scheduled backups that failed.",
	    FACT(backups.failures) },
	{ "stet_backup_failing", "gauge", "Did the last one fail?", FACT(backups.failing) },
	{ "stet_backup_next_timestamp_seconds", "gauge",
	    "When the next scheduled backup is due, since the epoch.", FACT(backups.due), 1000 },
};

/* Appends one sample of a site, unless the site lacks what it measures. */
static void
fact(struct buf *b, size_t row, const struct facts *f)
{
	size_t offset = of_sites[row].offset;
	uint64_t number;

	if (!f->open || (offset >= FACT(backups) && !f->kept))
		return;
	if (offset >= FACT(engine) && offset < FACT(kept) && !f->shared)
		return;
	memcpy(&number, (const char *)f + offset, sizeof(number));
	metrics_line(b, of_sites[row].name, "site", f->name, NULL, NULL,
	    (double)number / (of_sites[row].parts > 0 ? of_sites[row].parts : 1));
}

static void
sites(struct buf *b)
{
	static const char up[] = "stet_site_up", writable[] = "stet_site_writable";
	struct census all = census(false);

	metrics_head(b, up, "gauge", "Is the site open?");
	for (size_t i = 0; i < all.count; i++)
		metrics_line(b, up, "site", all.at[i].name, NULL, NULL, all.at[i].open);
	metrics_head(b, writable, "gauge", "Does the site take writes?");
	for (size_t i = 0; i < all.count; i++)
		metrics_line(b, writable, "site", all.at[i].name, NULL, NULL, all.at[i].writable);
	for (size_t k = 0; k < sizeof(of_sites) / sizeof(of_sites[0]); k++) {
		metrics_head(b, of_sites[k].name, of_sites[k].type, of_sites[k].help);
		for (size_t i = 0; i < all.count; i++)
			fact(b, k, &all.at[i]);
	}
	series_write(b, &all.series);
	census_free(&all);
}

bool
scrape_ready(struct buf *b)
{
	struct census all = census(true);
	bool ready = all.count > 0;

	if (!ready)
		buf_str(b, "no site is open yet\n");
	for (size_t i = 0; i < all.count; i++) {
		if (all.at[i].trouble == NULL)
			continue;
		ready = false;
		buf_printf(b, "site %s: %s\n", all.at[i].name, all.at[i].trouble);
	}
	census_free(&all);
	return ready;
}

/* ---- queues ---- */

static void
queues(struct buf *b)
{
	struct slow_stats slow;
	struct readpool_stats read;
	struct jobs_stats jobs = { 0 };
	uint64_t unsent, unsent_most;
	unsigned now, most;

	peers_count(&now, &most);
	gauge(b, "stet_connections", "Open connections of clients.", now);
	gauge(b, "stet_connections_max", "How many there may be.", most);
	slow_stats(&slow);
	gauge(
	    b, "stet_answer_cache_bytes", "Answers that the workers keep.", (double)answers_held());
	unsent_stats(&unsent, &unsent_most);
	gauge(b, "stet_unsent_bytes", "Memory of answers that their clients have not taken yet.",
	    (double)unsent);
	gauge(b, "stet_unsent_bytes_max", "How much there may be.", (double)unsent_most);
	gauge(b, "stet_slow_queue_depth", "Work that waits for a slow thread.", slow.depth);
	gauge(b, "stet_slow_queue_max", "How much may wait.", slow.max);
	gauge(b, "stet_slow_threads", "Slow threads.", slow.threads);
	gauge(b, "stet_slow_threads_busy", "Slow threads at work.", slow.busy);
	readpool_stats(&read);
	gauge(b, "stet_read_queue_depth", "Long reads that wait for a reader thread.", read.depth);
	gauge(b, "stet_read_queue_max", "How many may wait.", read.max);
	gauge(b, "stet_read_threads", "Reader threads.", read.threads);
	gauge(b, "stet_read_threads_busy", "Reader threads at work.", read.busy);
	sites_each(jobs_count, &jobs);
	gauge(b, "stet_jobs", "Timed work of all modules on all sites.", jobs.count);
	gauge(b, "stet_jobs_active", "Of that, at work or about to be.", jobs.active);
	gauge(b, "stet_jobs_unasked", "Of that, not asked yet when it is due.", jobs.unasked);
	gauge(b, "stet_job_overdue_seconds", "By how much the latest job is overdue now.",
	    (double)jobs.overdue / 1000);
}

void
scrape_write(struct buf *b)
{
	process(b);
	queues(b);
	stuck_scrape(b);
	sites(b);
	metrics_write(b);
}
