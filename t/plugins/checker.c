/*
 * checker - a plugin with checks for `stet doctor`: good ones, and ones that crash, hang or exit.
 * The checks after a bad one show that `stet doctor` continues.
 */
#include <signal.h>
#include <stdio.h>
#include <stet/module.h>
#include <unistd.h>

static enum stet_status
look(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_one(
	    call, &rows, STET_NOT_FOUND, "SELECT count(*) FROM checker_row", STET_NO_ARGS));
	stet_finding(call, STET_FINE, NULL, "%lld rows", (long long)stet_col_int(&rows, 0));
	return stet_rows_end(&rows);
}

static enum stet_status
crash(struct stet_call *call)
{
	stet_finding(call, STET_NOTE, NULL, "so far, so good");
	(void)signal(SIGSEGV, SIG_DFL);
	(void)raise(SIGSEGV);
	return STET_OK;
}

static enum stet_status
hang(struct stet_call *call)
{
	(void)call;
	while (pause() != 0)
		continue;
	return STET_OK;
}

static enum stet_status
leave(struct stet_call *call)
{
	(void)call;
	_exit(7);
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	return stet_exec(call, tx, "INSERT INTO checker_row (id) VALUES (1)", STET_NO_ARGS);
}

static enum stet_status
store(struct stet_call *call)
{
	return stet_write_lane(call, insert, NULL);
}

static enum stet_status
chatter(struct stet_call *call)
{
	puts("a word on standard output");
	fputs("and one on standard error\n", stderr);
	fflush(stdout);
	for (int i = 0; i < 3 * STET_FINDINGS_MAX; i++)
		stet_finding(call, STET_NOTE, "Breathe \033[5m.", "line\n%d", i);
	return STET_OK;
}

static enum stet_status
fault(struct stet_call *call)
{
	return stet_fail(call, STET_UNAVAILABLE, NULL, "the other machine is gone");
}

static enum stet_status
warn(struct stet_call *call)
{
	stet_finding(call, STET_WARNING, "Pour some in.", "the tank is %d %% full", 3);
	return STET_OK;
}

static enum stet_status
roof(struct stet_call *call)
{
	stet_finding(call, STET_NOTE, NULL, "it rains in");
	(void)signal(SIGSEGV, SIG_DFL);
	(void)raise(SIGSEGV);
	return STET_OK;
}

static const struct stet_check checks[] = {
	{ "roof", roof, .machine = true },
	{ "rows", look },
	{ "crash", crash },
	{ "hang", hang, .seconds = 1 },
	{ "leave", leave },
	{ "store", store },
	{ "chatter", chatter },
	{ "fault", fault },
	{ "tank", warn },
};
static const struct stet_migration migrations[] = {
	{ 1, "rows", "CREATE TABLE checker_row (id INTEGER PRIMARY KEY)", NULL },
};

STET_MODULE(checker) = {
	STET_MODULE_HEAD(checker),
	.version = "1.0",
	.summary = "Checks, and what should be none",
	.license = "MIT",
	.migrations = STET_TABLE(migrations),
	.checks = STET_TABLE(checks),
};
