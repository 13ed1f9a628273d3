/* looper - a module whose handlers do not return: C code and SQL, in each lane, a hook and a job.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <stet/module.h>
#include <string.h>

#define ENDLESS "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

static atomic_bool enough; /* never */
static atomic_bool job_due;

static enum stet_status
loop(struct stet_call *call)
{
	(void)call;
	while (!atomic_load(&enough))
		continue;
	return STET_OK;
}

static enum stet_status
read_sql(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(
	    stet_one(call, &rows, STET_NOT_FOUND, ENDLESS " SELECT count(*) FROM n", STET_NO_ARGS));
	return stet_rows_end(&rows);
}

static enum stet_status
write_sql(struct stet_call *call)
{
	STET_TRY(stet_exec(
	    call, stet_write_tx(call), "INSERT INTO looper_note (id) VALUES (NULL)", STET_NO_ARGS));
	return stet_exec(call, stet_write_tx(call),
	    ENDLESS " UPDATE looper_note SET id = (SELECT count(*) FROM n)", STET_NO_ARGS);
}

static enum stet_status
note(struct stet_call *call)
{
	return stet_exec(
	    call, stet_write_tx(call), "INSERT INTO looper_note (id) VALUES (NULL)", STET_NO_ARGS);
}

static enum stet_status
count(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_one(
	    call, &rows, STET_NOT_FOUND, "SELECT count(*) FROM looper_note", STET_NO_ARGS));
	stet_put_int(stet_reply(call), NULL, stet_col_int(&rows, 0));
	return stet_rows_end(&rows);
}

static enum stet_status
start_job(struct stet_call *call)
{
	atomic_store(&job_due, true);
	stet_job_wake(call, "turn");
	return STET_OK;
}

static atomic_bool write_due;

static enum stet_status
loop_in_tx(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)tx;
	(void)arg;
	return loop(call);
}

static enum stet_status
turn(struct stet_call *call)
{
	return atomic_load(&write_due) ? stet_write_lane(call, loop_in_tx, NULL) : loop(call);
}

static enum stet_status
start_write(struct stet_call *call)
{
	atomic_store(&write_due, true);
	return start_job(call);
}

static int64_t
due(struct stet_call *call)
{
	(void)call;
	return atomic_load(&job_due) ? 0 : -1;
}

static enum stet_status
after_write(struct stet_call *call, struct stet_tx *tx, const struct stet_written *written)
{
	(void)tx;
	return strcmp(written->name, "looper_hook") == 0 ? loop(call) : STET_OK;
}

/* For manual runs with the module content enabled: loops in the save of an item. */
static enum stet_status
before_save(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	(void)tx;
	(void)entry;
	return getenv("STET_LOOPER_SAVE") != NULL ? loop(call) : STET_OK;
}

#define WRITES STET_PUBLIC | STET_BODY_OPTIONAL
static const struct stet_op ops[] = {
	{ "looper_read", "A read", .route = "GET /loop/read", .flags = STET_PUBLIC,
	    .lane = STET_READ, .run = loop },
	{ "looper_write", "A write", .route = "POST /loop/write", .flags = WRITES,
	    .lane = STET_WRITE, .run = loop },
	{ "looper_hook", "A write with a hook", .route = "POST /loop/hook", .flags = WRITES,
	    .lane = STET_WRITE, .run = note },
	{ "looper_slow", "Slow", .route = "POST /loop/slow", .flags = WRITES, .lane = STET_SLOW,
	    .run = loop },
	{ "looper_job", "A job", .route = "POST /loop/job", .flags = WRITES, .lane = STET_WRITE,
	    .run = start_job },
	{ "looper_job_write", "A job that writes", .route = "POST /loop/job/write", .flags = WRITES,
	    .lane = STET_WRITE, .run = start_write },
	{ "looper_read_sql", "SQL that reads", .route = "GET /loop/sql", .flags = STET_PUBLIC,
	    .lane = STET_READ, .run = read_sql },
	{ "looper_write_sql", "SQL that writes", .route = "POST /loop/sql", .flags = WRITES,
	    .lane = STET_WRITE, .run = write_sql },
	{ "looper_note", "A good write", .route = "POST /loop/note", .flags = WRITES,
	    .lane = STET_WRITE, .run = note },
	{ "looper_count", "Notes", .route = "GET /loop/note", .flags = STET_PUBLIC,
	    .lane = STET_READ, .run = count },
};

static const struct stet_job jobs[] = { { "turn", due, turn } };

static const struct stet_hook hooks[] = {
	STET_ON(op_written, 0, after_write),
	STET_ON(entry_before_save, 0, before_save),
};

static const struct stet_migration migrations[] = {
	{ 1, "notes", "CREATE TABLE looper_note (id INTEGER PRIMARY KEY)", NULL },
};

STET_MODULE(looper) = {
	STET_MODULE_HEAD(looper),
	.version = "1.0",
	.summary = "Handlers that do not return",
	.ops = STET_TABLE(ops),
	.jobs = STET_TABLE(jobs),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
};
