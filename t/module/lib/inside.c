/* inside.c - functions inside calls of their own. */
#include "inside.h"
#include "call/call.h"
#include "db/db.h"
#include "db/rows.h"
#include "db/writer.h"
#include "op/part.h"
#include "site/site.h"
#include <stdio.h>

int
inside_begin(void **state)
{
	*state = harness_open(NULL);
	harness_clock(*state, "2026-06-01T12:00:00.000Z");
	return 0;
}

int
inside_end(void **state)
{
	harness_close(*state, false);
	return 0;
}

struct errand {
	inside_fn *fn;
	void *arg;
};

static enum stet_status
run(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct errand *e = arg;

	(void)tx;
	return e->fn(call, e->arg);
}

enum stet_status
inside_read(struct harness *h, inside_fn *fn, void *arg)
{
	struct stet_call *call = call_new();
	enum stet_status status;

	call_enter(call, harness_site(h));
	status = fn(call, arg);
	rows_end_call(call);
	call_free(call);
	return status;
}

enum stet_status
inside_write(struct harness *h, inside_fn *fn, void *arg)
{
	struct stet_call *call = call_new();
	struct errand e = { fn, arg };
	enum stet_status status;

	call_enter(call, harness_site(h));
	op_part(call)->job = (struct write_job){ .call = call, .run = run, .arg = &e };
	status = writer_run(call->site->writer, &op_part(call)->job);
	if (status != STET_OK && call->error.text != NULL)
		print_message("# %s\n", call->error.text);
	call_free(call);
	return status;
}

struct statement {
	const char *sql, *arg;
};

/* Marks the SQL as a test's, so that `make portable` (t/portable) does not try it on PostgreSQL. */
static const char *
marked(struct stet_call *call, const char *sql)
{
	return stet_printf(call, "/* test */ %s", sql);
}

static enum stet_status
execute(struct stet_call *call, void *arg)
{
	const struct statement *s = arg;
	const char *sql = marked(call, s->sql);

	if (s->arg == NULL)
		return stet_exec(call, stet_write_tx(call), sql, STET_NO_ARGS);
	return stet_exec(call, stet_write_tx(call), sql, STET_ARGS(s->arg));
}

void
inside_sql(struct harness *h, const char *sql, const char *arg)
{
	struct statement s = { sql, arg };

	assert_int_equal(inside_write(h, execute, &s), STET_OK);
}

static char answer[65536];

static enum stet_status
ask(struct stet_call *call, void *arg)
{
	struct stet_rows rows;

	answer[0] = '\0';
	STET_TRY(stet_query(call, &rows, marked(call, arg), STET_NO_ARGS));
	if (stet_row(&rows) && !stet_col_null(&rows, 0))
		snprintf(answer, sizeof(answer), "%s", stet_col_str(&rows, 0));
	return stet_rows_end(&rows);
}

const char *
inside_ask(struct harness *h, const char *sql)
{
	assert_int_equal(inside_read(h, ask, (void *)(uintptr_t)sql), STET_OK);
	return answer;
}

void
inside_item(struct harness *h, const char *collection, const char *id)
{
	char sql[512];

	snprintf(sql, sizeof(sql),
	    "INSERT INTO c_%s (id, slug, status, created_at, updated_at, published_at, version, "
	    "locale, translation_group) VALUES (?1, ?1, 'published', '2026-01-01T00:00:00.000Z', "
	    "'2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 1, 'en', ?1)",
	    collection);
	inside_sql(h, sql, id);
}

struct toggle {
	const char *module;
	bool enable;
};

static enum stet_status
toggle(struct stet_call *call, void *arg)
{
	const struct toggle *t = arg;

	return stet_module_enable(call, stet_write_tx(call), t->module, t->enable);
}

void
inside_enable(struct harness *h, const char *module, bool enable)
{
	struct toggle t = { module, enable };

	assert_int_equal(inside_write(h, toggle, &t), STET_OK);
}

void
inside_job(struct harness *h, struct stet_call **call, struct stet_job *row)
{
	inside_job_of(h, "content", call, row);
}

struct stet_call *
inside_call(struct harness *h, const char *module)
{
	struct generation *gen = site_generation(harness_site(h));
	struct stet_call *call = call_own(harness_site(h), gen);

	for (size_t i = 0; i < gen->module_count; i++)
		if (strcmp(gen->module[i]->m.name, module) == 0)
			call->owner = gen->module[i];
	generation_put(gen);
	assert_non_null(call->owner);
	return call;
}

/* Prepares the n-th job of a module. Returns false if the module has fewer. */
static bool
nth_job(struct harness *h, const char *module, uint32_t n, struct stet_call **call,
    struct stet_job *row)
{
	const struct stet_table *jobs;

	*call = inside_call(h, module);
	(*call)->lane = STET_SLOW;
	jobs = &(*call)->owner->m.jobs;
	if (n < jobs->count)
		stet_table_row(jobs, n, row, sizeof(*row));
	return n < jobs->count;
}

void
inside_job_of(struct harness *h, const char *module, struct stet_call **call, struct stet_job *row)
{
	assert_true(nth_job(h, module, 0, call, row));
}

static bool
is_due(struct stet_call *call, const struct stet_job *job)
{
	int64_t at = job->due(call);

	return at >= 0 && at <= stet_now(call);
}

bool
inside_work(struct harness *h, const char *module)
{
	bool due = false, more = true;

	for (uint32_t n = 0; more && !due; n++) {
		struct stet_call *call;
		struct stet_job job;

		more = nth_job(h, module, n, &call, &job);
		due = more && is_due(call, &job);
		if (due)
			assert_int_equal(job.run(call), STET_OK);
		rows_end_call(call);
		call_free(call);
	}
	return due;
}

void
inside_sweep(struct harness *h)
{
	inside_run_job(h, "content");
}

void
inside_run_job(struct harness *h, const char *module)
{
	struct stet_call *call;
	struct stet_job job;

	inside_job_of(h, module, &call, &job);
	assert_int_equal(job.run(call), STET_OK);
	rows_end_call(call);
	call_free(call);
}

void
inside_user(struct harness *h, const struct harness_user *user)
{
	char sql[256];

	(void)snprintf(sql, sizeof(sql),
	    "INSERT INTO users (id, email, name, role, email_verified, disabled, created_at,"
	    " updated_at) VALUES (?1, 'u%d@example.org', 'U', %d, 1, 0, '2026', '2026')",
	    user->role, user->role);
	inside_sql(h, sql, user->id);
}
