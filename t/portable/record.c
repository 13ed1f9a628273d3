/*
 * record.c - writes down every statement that a process has SQLite run: a library for LD_PRELOAD.
 * It wraps sqlite3_open_v2 and sets a trace on each connection, so it sees every statement, whether
 * prepared, run by sqlite3_exec, or in the script of a migration.
 *
 * STET_RECORD names a directory; each process appends to a file of its own there. A line is the
 * path of the database, "w" or "r" (opened for reading only), and the statement on one line, parted
 * by tabs. What changes tables or transactions is written each time, all else once a database.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define SEEN_SLOTS (1u << 20)

typedef int open_fn(const char *, sqlite3 **, int, const char *);
typedef int trace_fn(sqlite3 *, unsigned, int (*)(unsigned, void *, void *, void *), void *);
typedef const char *text_fn(sqlite3_stmt *);
typedef sqlite3 *handle_fn(sqlite3_stmt *);
typedef const char *filename_fn(sqlite3 *, const char *);
typedef int readonly_fn(sqlite3 *, const char *);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t seen[SEEN_SLOTS];
static FILE *out;
static text_fn *text_of;
static handle_fn *handle_of;
static filename_fn *filename_of;
static readonly_fn *readonly_of;
static pid_t
    writer; /* process id of the writer of `out`; a child process opens a file of its own */

static void *
real(const char *name)
{
	void *fn = dlsym(RTLD_NEXT, name);

	if (fn == NULL) {
		fprintf(stderr, "record: no %s\n", name);
		abort();
	}
	return fn;
}

static uint64_t
hash(uint64_t h, const char *text)
{
	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return h;
}

/* Returns true if this statement of this database was not recorded before. */
static int
is_new(const char *path, const char *sql)
{
	uint64_t h = hash(hash(UINT64_C(14695981039346656037), path), sql) | 1;
	uint32_t i = (uint32_t)(h >> 32) % SEEN_SLOTS;

	for (uint32_t n = 0; n < SEEN_SLOTS; n++, i = (i + 1) % SEEN_SLOTS) {
		if (seen[i] == h)
			return 0;
		if (seen[i] == 0) {
			seen[i] = h;
			return 1;
		}
	}
	return 1;
}

/* Returns true if the statement begins with one of these words. */
static int
begins(const char *sql, const char *const *word)
{
	for (; *word != NULL; word++)
		if (strncasecmp(sql, *word, strlen(*word)) == 0)
			return 1;
	return 0;
}

static void
put(const char *path, int readonly, const char *sql)
{
	char name[4096];

	if (writer != getpid()) {
		snprintf(name, sizeof(name), "%s/%ld", getenv("STET_RECORD"), (long)getpid());
		if ((out = fopen(name, "ae")) == NULL) {
			perror(name);
			abort();
		}
		writer = getpid();
	}
	fprintf(out, "%s\t%s\t", path, readonly ? "r" : "w");
	for (; *sql != '\0'; sql++)
		putc(isspace((unsigned char)*sql) ? ' ' : *sql, out);
	putc('\n', out);
	fflush(out);
}

static int
traced(unsigned type, void *arg, void *statement, void *text)
{
	static const char *const always[] = { "CREATE", "ALTER", "DROP", "BEGIN", "COMMIT", "END",
		"ROLLBACK", "SAVEPOINT", "RELEASE", "/* test */", NULL };
	/* Statements of SQLite's own maintenance, which no other database would run, are left
	 * out. */
	static const char *const never[] = { "--", "PRAGMA", "VACUUM", "ATTACH", "DETACH",
		"ANALYZE", "REINDEX", "EXPLAIN", NULL };
	const char *sql = text_of(statement), *path;
	sqlite3 *db = handle_of(statement);

	(void)type;
	(void)arg;
	(void)text;
	if (sql == NULL || begins(sql, never))
		return 0;
	path = filename_of(db, "main");
	if (path == NULL || *path == '\0')
		return 0;
	pthread_mutex_lock(&lock);
	if (begins(sql, always) || is_new(path, sql))
		put(path, readonly_of(db, "main"), sql);
	pthread_mutex_unlock(&lock);
	return 0;
}

__attribute__((visibility("default"))) int
sqlite3_open_v2(const char *path, sqlite3 **db, int flags, const char *vfs)
{
	int rc = ((open_fn *)real("sqlite3_open_v2"))(path, db, flags, vfs);

	pthread_mutex_lock(&lock);
	text_of = real("sqlite3_sql");
	handle_of = real("sqlite3_db_handle");
	filename_of = real("sqlite3_db_filename");
	readonly_of = real("sqlite3_db_readonly");
	pthread_mutex_unlock(&lock);
	if (rc == SQLITE_OK && getenv("STET_RECORD") != NULL)
		((trace_fn *)real("sqlite3_trace_v2"))(*db, SQLITE_TRACE_STMT, traced, NULL);
	return rc;
}
