/* store.h - for tests of the database: a site in a temporary directory. */
#ifndef T_UNIT_STORE_H
#define T_UNIT_STORE_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include "db/db.h"
#include "db/part.h"
#include "db/reader.h"
#include "db/rows.h"
#include "db/stmt.h"
#include "db/writer.h"
#include "site/migrate.h"
#include "site/site.h"
#include "work/outbox.h"
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A site opened without sites.c: it has only the modules that a test puts into gen. */
struct store {
	char dir[64], path[256], log[128];
	struct site site;
	struct generation gen;
};

__attribute__((unused)) static void
store_open(struct store *s)
{
	static uint64_t last;

	s->site.id = ++last + 1000;
	s->site.conf.name = (char *)(uintptr_t) "test";
	s->site.db_place = s->path;
	s->site.shared = strncmp(s->path, "postgresql:", 11) == 0;
	s->site.db_file = strncmp(s->path, "postgresql:", 11) == 0 ? NULL : s->path;
	pthread_mutex_init(&s->site.lock, NULL);
	s->gen.site = &s->site;
	s->gen.number = 1;
	atomic_init(&s->gen.refs, 1);
	s->site.current = &s->gen;
	s->site.writer = writer_open(&s->site, false);
	assert_non_null(s->site.writer);
}

__attribute__((unused)) static struct store *
store_new(void)
{
	struct store *s = xcalloc(1, sizeof(*s));

	db_global_init();
	snprintf(s->dir, sizeof(s->dir), "%s", "/tmp/stet-store-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	snprintf(s->path, sizeof(s->path), "%s/stet.db", s->dir);
	snprintf(s->log, sizeof(s->log), "%s/log", s->dir);
	assert_int_equal(log_open(s->log, STET_DEBUG), 0);
	store_open(s);
	return s;
}

__attribute__((unused)) static void
store_close(struct store *s)
{
	reader_close(&s->site);
	writer_close(s->site.writer);
	pthread_mutex_destroy(&s->site.lock);
	assert_int_equal(atomic_load(&s->gen.refs), 1);
	free(s->site.copy);
	memset(&s->site, 0, sizeof(s->site));
}

__attribute__((unused)) static int
store_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

__attribute__((unused)) static void
store_free(struct store *s)
{
	if (s->site.writer != NULL)
		store_close(s);
	(void)nftw(s->dir, store_remove, 8, FTW_DEPTH | FTW_PHYS);
	free(s);
}

/* Returns a call in the READ lane. */
__attribute__((unused)) static struct stet_call *
store_call(struct store *s)
{
	static const struct op reads = { .row = { .lane = STET_READ } };
	struct stet_call *call = call_new();

	call_enter(call, &s->site);
	call->op = &reads;
	return call;
}

__attribute__((unused)) static void
store_end(struct stet_call *call)
{
	rows_end_call(call);
	call_free(call);
}

typedef enum stet_status store_fn(struct stet_call *, struct stet_tx *, void *);

/* Runs fn in a transaction of its own, in this thread. */
__attribute__((unused)) static enum stet_status
store_write(struct store *s, store_fn *fn, void *arg)
{
	struct stet_call *call = call_new();
	struct write_job job = { .call = call, .run = fn, .arg = arg };
	enum stet_status status;

	call_enter(call, &s->site);
	call->principal = (struct stet_principal){ .id = "", .role = 50, .via = STET_VIA_SYSTEM };
	call->has_principal = true;
	status = writer_run(s->site.writer, &job);
	call_free(call);
	return status;
}

__attribute__((unused)) static enum stet_status
store_script(struct stet_call *call, struct stet_tx *tx, void *sql)
{
	char *why = NULL;
	enum stet_status status = db_script(db_part(call)->db, sql, &why);

	(void)tx;
	if (status != STET_OK)
		print_error("%s: %s\n", (const char *)sql, why);
	free(why);
	return status;
}

__attribute__((unused)) static void
store_sql(struct store *s, const char *sql)
{
	assert_int_equal(store_write(s, store_script, (void *)(uintptr_t)sql), STET_OK);
}

/* Returns the first column of the only row, read by a call of its own. */
__attribute__((unused)) static int64_t
store_int(struct store *s, const char *sql)
{
	struct stet_call *call = store_call(s);
	struct stet_rows rows;
	int64_t i;

	assert_int_equal(stet_one(call, &rows, STET_NOT_FOUND, sql, STET_NO_ARGS), STET_OK);
	i = stet_col_int(&rows, 0);
	store_end(call);
	return i;
}

/* Returns true if the log file contains this text. */
__attribute__((unused)) static bool
store_logged(struct store *s, const char *text)
{
	static char all[1 << 20];
	int fd = open(s->log, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, all, sizeof(all) - 1);

	close(fd);
	all[n > 0 ? n : 0] = '\0';
	return strstr(all, text) != NULL;
}

#endif
