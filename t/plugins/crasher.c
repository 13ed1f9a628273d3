/* crasher - a plugin that takes the daemon down where the environment variable STET_CRASH says: in
 * its constructor, a migration, a read, a hook and so on. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* clang-format off */
#include <stet/content.h>
#include <stet/module.h>
/* clang-format on */

static bool
is_asked(const char *where)
{
	const char *asked = getenv("STET_CRASH");

	return asked != NULL && strcmp(asked, where) == 0;
}

static void __attribute__((noinline)) fault(void)
{
	volatile int *volatile nowhere = NULL;

	*nowhere = 1;
}

static void
fault_if(const char *where)
{
	if (is_asked(where))
		fault();
}

__attribute__((constructor)) static void
construct(void)
{
	fault_if("constructor");
}

/* ---- reads ---- */

static int __attribute__((noinline)) descend(volatile char *above, int depth)
{
	volatile char here[4096];

	here[0] = *above;
	return depth < 0 ? 0 : descend(here, depth + 1) + here[0];
}

static void *
own_thread(void *arg)
{
	fault();
	return arg;
}

static void
crash_in_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, own_thread, NULL) == 0)
		(void)pthread_join(thread, NULL);
}

/* malloc aborts, with its lock held. */
static void
break_heap(void)
{
	char *volatile block = malloc(64);
	char *volatile inside = block + 8; /* volatile hides this from the compiler */

	free(inside);
}

static enum stet_status
boom(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	char top = 0;

	fault_if("read");
	if (is_asked("stack"))
		(void)descend(&top, 0);
	if (is_asked("malloc"))
		break_heap();
	if (is_asked("thread"))
		crash_in_thread();
	if (is_asked("exit"))
		_exit(7);
	if (is_asked("kill"))
		(void)raise(SIGKILL);
	if (is_asked("issue"))
		stet_issue(call, "survived", "is not certain");
	stet_object(out, NULL);
	stet_put_bool(out, "survived", true);
	if (!is_asked("open"))
		stet_close(out);
	return STET_OK;
}

static enum stet_status
nothing(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)call;
	(void)tx;
	(void)arg;
	return STET_OK;
}

/* ---- hooks ---- */

static enum stet_status
before_save(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	volatile enum stet_status status = STET_OK; /* keeps our frame in the backtrace */

	(void)tx;
	(void)entry;
	fault_if("save");
	while (is_asked("hang"))
		(void)pause();
	/* A call of the write lane must not enter it again: the core asserts that. */
	if (is_asked("assert"))
		status = stet_write_lane(call, nothing, NULL);
	return status;
}

static enum stet_status
after_save(struct stet_call *call, const json_t *payload)
{
	(void)payload;
	fault_if("notify");
	stet_log(call, STET_WARN, "crasher has heard");
	return STET_OK;
}

static enum stet_status
migrate(struct stet_call *call, struct stet_tx *tx)
{
	(void)tx;
	fault_if("migration");
	if (is_asked("refusal"))
		return stet_fail(call, STET_CONFLICT, NULL, "not on this site");
	return STET_OK;
}

/* ---- tables ---- */

static const struct stet_member out[] = {
	{ "survived", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};
static const struct stet_op ops[] = {
	{ "boom", "Boom", .route = "GET /boom", .lane = STET_READ, .flags = STET_PUBLIC, .out = out,
	    .run = boom },
};
static const struct stet_hook hooks[] = {
	STET_ON(entry_before_save, 0, before_save),
	STET_ON(entry_after_save, 0, after_save),
};
static const struct stet_migration migrations[] = {
	{ 1, "a table", "CREATE TABLE crasher_note (id INTEGER PRIMARY KEY)", NULL },
#ifdef NEWER
	{ 2, "a step into nothing", NULL, migrate },
#endif
};

static const struct stet_admin_page pages[] = { { "tale", "Tale", "tale.html" } };

STET_MODULE(crasher) = {
	STET_MODULE_HEAD(crasher),
	.version = "1.0.0",
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.admin_pages = STET_TABLE(pages),
};
#ifndef NEWER
enum stet_status (*const unused)(struct stet_call *, struct stet_tx *) = migrate;
#endif
