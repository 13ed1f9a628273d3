/* storecheck.c - compares the files that modules keep with the rows that name them, for `stet
 * verify`, and removes files that no row names. */
#include "files/storecheck.h"
#include "base/clock.h"
#include "call/site.h"
#include "files/filedriver.h"
#include "files/filesum.h"
#include <stet/file.h>

#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define GRACE_S 3600 /* a file without a row is removed after this time; an upload takes less */
#define SWEEP_MS (6 * 3600000LL)
#define TOLD_MOST 100 /* problems, or notes, listed for a module */

/* ---- rows ---- */

static void
column_of(struct stet_call *call, uint32_t i, struct stet_file_column *out)
{
	stet_table_row(&call->owner->m.files, i, out, sizeof(*out));
}

enum stet_status
storecheck_named(struct stet_call *call, const char *key, bool *found)
{
	const struct stet_table *columns = &call->owner->m.files;
	struct stet_file_column c;

	*found = false;
	for (uint32_t i = 0; i < columns->count && !*found; i++) {
		struct stet_sql *sql = stet_sql_new(call);
		struct stet_rows rows;

		column_of(call, i, &c);
		stet_sql_add(sql, "SELECT 1 FROM ");
		stet_sql_ident(sql, "", c.table);
		stet_sql_add(sql, " WHERE ");
		stet_sql_ident(sql, "", c.key);
		stet_sql_add(sql, " = ");
		stet_sql_bind(sql, stet_val_str(key));
		stet_sql_add(sql, " LIMIT 1");
		STET_TRY(stet_sql_query(sql, &rows));
		*found = stet_row(&rows);
		STET_TRY(stet_rows_end(&rows));
	}
	return STET_OK;
}

/* ---- files ---- */

struct walk {
	const struct stet_file_driver *driver;
	void (*stray)(struct stet_call *, struct walk *, const struct stet_file_place *);
	json_t *notes;
	int64_t count;
};

static enum stet_status
look_at(struct stet_call *call, const struct stet_file_place *place, int64_t put_at, void *arg)
{
	struct walk *w = arg;
	bool known;

	if (time(NULL) - put_at < GRACE_S)
		return STET_OK;
	STET_TRY(storecheck_named(call, place->key, &known));
	if (!known)
		w->stray(call, w, place);
	return STET_OK;
}

static enum stet_status
walk(struct stet_call *call, struct walk *w)
{
	const struct conf_site conf = site_conf(call->site);

	return w->driver->each(call, conf_public(&conf), call->owner->m.name, look_at, w);
}

/* ---- leftovers ---- */

static void
sweep_stray(struct stet_call *call, struct walk *w, const struct stet_file_place *place)
{
	(void)call;
	if (filedriver_remove(w->driver, place, true))
		w->count++;
}

enum stet_status
storecheck_sweep(struct stet_call *call, const struct stet_file_driver *driver, int64_t *gone)
{
	const struct conf_site conf = site_conf(call->site);
	struct walk w = { .driver = driver, .stray = sweep_stray };

	if (driver->tidy != NULL)
		STET_TRY(driver->tidy(
		    call, conf_public(&conf), call->owner->m.name, time(NULL) - GRACE_S));
	STET_TRY(walk(call, &w));
	*gone = w.count;
	if (w.count > 0)
		stet_log(call, STET_INFO, "%lld files that nothing names are removed",
		    (long long)w.count);
	return STET_OK;
}

enum stet_status
stet_file_sweep(struct stet_call *call, int64_t *gone)
{
	return storecheck_sweep(call, filedriver_of(call->site), gone);
}

static int64_t
sweep_due(struct stet_call *call)
{
	int64_t last = call->site->swept[call->owner->index];

	return last != 0 ? last + SWEEP_MS : clock_now();
}

static enum stet_status
sweep_run(struct stet_call *call)
{
	int64_t gone;

	call->site->swept[call->owner->index] = clock_now();
	return stet_file_sweep(call, &gone);
}

const struct stet_job storecheck_job = { "sweep of files", sweep_due, sweep_run };

/* ---- problems ---- */

static void
tell(json_t *list, const char *words)
{
	if (json_array_size(list) < TOLD_MOST)
		json_array_append_new(list, json_string(words));
	else if (json_array_size(list) == TOLD_MOST)
		json_array_append_new(list, json_string("and more of them"));
}

/* Returns the problem of an open file, or NULL. */
static const char *
fault_of(struct stet_call *call, const struct stet_file_row *row, int fd)
{
	char is[STET_SHA256_SIZE];
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return "is no file";
	if (row->size != NULL && st.st_size != *row->size)
		return stet_printf(call, "has %lld bytes, and should have %lld",
		    (long long)st.st_size, (long long)*row->size);
	if (row->sha256 != NULL && !filesum(fd, is))
		return "cannot be read";
	if (row->sha256 != NULL && strcmp(row->sha256, is) != 0)
		return "is not what it was when it was kept";
	return NULL;
}

const char *
stet_file_check_sized(struct stet_call *call, const struct stet_file_row *row, size_t size)
{
	struct stet_file_row r;
	const char *fault;
	enum stet_status status;
	int fd;

	stet_extend(&r, sizeof(r), row, size);
	status = stet_file_open_of(call, r.module, r.key, &fd);
	if (status == STET_OK) {
		fault = fault_of(call, &r, fd);
		close(fd);
	} else {
		fault = status == STET_NOT_FOUND ? "is missing" : "cannot be reached";
		stet_error_clear(call);
	}
	return fault != NULL ? stet_printf(call, "file %s of %s %s", r.key, r.module, fault) : NULL;
}

static enum stet_status
compare(struct stet_call *call, const struct stet_file_row *row, void *arg)
{
	const char *problem = stet_file_check(call, row);

	if (problem != NULL)
		tell(arg, problem);
	return STET_OK;
}

static void
note_stray(struct stet_call *call, struct walk *w, const struct stet_file_place *place)
{
	tell(w->notes, stet_printf(call, "file %s of %s is named by nothing, and will be removed",
			   place->key, place->module));
}

enum stet_status
storecheck_verify(struct stet_call *call, json_t *problems, json_t *notes)
{
	struct walk w = {
		.driver = filedriver_of(call->site), .stray = note_stray, .notes = notes
	};
	struct stet_file_column c;

	for (uint32_t i = 0; i < call->owner->m.files.count; i++) {
		column_of(call, i, &c);
		STET_TRY(stet_file_each(call, call->owner->m.name, &c, compare, problems));
	}
	return walk(call, &w);
}
