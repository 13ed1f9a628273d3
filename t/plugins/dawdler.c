/* dawdler - a module with slow reads. Most return how many reads were answered before. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stet/module.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DEAR_US 5000 /* for a reader thread */

static atomic_long order;

static void
be_busy(long us)
{
	struct timespec begun, now;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begun.tv_sec) * 1000000 + (now.tv_nsec - begun.tv_nsec) / 1000 < us);
}

static enum stet_status
dawdle(struct stet_call *call, long us)
{
	be_busy(us);
	stet_put_int(stet_reply(call), NULL, atomic_fetch_add(&order, 1));
	return STET_OK;
}

static enum stet_status
take_long(struct stet_call *call)
{
	return dawdle(call, 100000);
}

static enum stet_status
take_no_time(struct stet_call *call)
{
	return dawdle(call, 0);
}

static enum stet_status
take_short(struct stet_call *call)
{
	return dawdle(call, 50);
}

/* Takes as long as the body says. choose_either declares that the body determines how long the read
 * takes. */
static enum stet_status
take_either(struct stet_call *call)
{
	size_t len;

	return strstr(stet_body(call, &len), "long") != NULL ? take_long(call) : take_short(call);
}

static enum stet_lane
choose_either(struct stet_call *call)
{
	size_t len;
	const char *body = stet_body(call, &len);

	stet_alike(call, "either", body, len);
	return STET_READ;
}

/* Waits until another process has opened and closed the pipe; "": does not wait. */
static enum stet_status
take_held(struct stet_call *call)
{
	const char *pipe = stet_arg(call, "pipe");
	char c;
	int fd;

	if (*pipe != '\0') {
		if ((fd = open(pipe, O_RDONLY | O_CLOEXEC)) == -1)
			return stet_fault(call, "cannot open the pipe");
		while (read(fd, &c, 1) > 0)
			continue;
		close(fd);
	}
	return dawdle(call, DEAR_US);
}

/* Counts in a single statement. */
static enum stet_status
take_count(struct stet_call *call)
{
	const struct stet_val to[] = { stet_val_int(stet_arg_int(call, "to")) };
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)"
	    " SELECT count(*) FROM n",
	    to, 1));
	stet_put_int(stet_reply(call), NULL, stet_col_int(&rows, 0));
	return STET_OK;
}

/* Returns the number of notes, which stays the same within a snapshot. */
static enum stet_status
notes(struct stet_call *call, int64_t *out)
{
	static const char key;
	struct stet_rows rows;
	void **slot;

	STET_TRY(
	    stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM dawdler_note", STET_NO_ARGS));
	slot = stet_snapshot_slot(call, &key);
	if (slot != NULL && *slot == NULL) {
		*slot = stet_snapshot_alloc(call, sizeof(*out));
		*out = stet_col_int(&rows, 0);
		memcpy(*slot, out, sizeof(*out));
	}
	*out = slot != NULL ? *(int64_t *)*slot : stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
take_notes(struct stet_call *call)
{
	int64_t count;

	STET_TRY(notes(call, &count));
	be_busy(DEAR_US);
	stet_put_int(stet_reply(call), NULL, count);
	return STET_OK;
}

static enum stet_status
add_note(struct stet_call *call)
{
	return stet_exec(call, stet_write_tx(call),
	    "INSERT INTO dawdler_note (text) VALUES ('note')", STET_NO_ARGS);
}

/* Streams a line for each number of notes that it sees, up to one, and then ends. */
static enum stet_status
follow_notes(struct stet_call *call)
{
	int64_t *seen = stet_wait_memory(call, sizeof(*seen)), count;
	const char *line;

	stet_reply_type(call, "text/plain");
	STET_TRY(notes(call, &count));
	be_busy(DEAR_US);
	if (count > *seen) {
		line = stet_printf(call, "%lld\n", (long long)count);
		*seen = count;
		STET_TRY(stet_write(call, line, strlen(line)));
	}
	if (count < stet_arg_int(call, "to") && stet_wait(call, stet_now(call) + 600000))
		return STET_OK;
	return stet_write(call, "end\n", 4);
}

/* Moves to the slow lane for the second half. */
static enum stet_status
leave(struct stet_call *call)
{
	be_busy(DEAR_US);
	STET_TRY(stet_slow_lane(call));
	stet_put_int(stet_reply(call), NULL, atomic_fetch_add(&order, 1));
	return STET_OK;
}

static const struct stet_member pipe_in[] = {
	{ .name = "pipe", .type = STET_STRING, .flags = STET_REQUIRED },
	{ 0 },
};
static const struct stet_member to_in[] = {
	{ .name = "to", .type = STET_INTEGER, .flags = STET_REQUIRED },
	{ 0 },
};

#define READ .flags = STET_PUBLIC, .lane = STET_READ

static const struct stet_op ops[] = {
	{ "dawdler_either", "One or the other", .route = "POST /dawdle/either",
	    .flags = STET_PUBLIC | STET_RAW, .lane = STET_READ, .run = take_either,
	    .choose = choose_either },
	{ "dawdler_long", "A long read", .route = "GET /dawdle/long", READ, .run = take_long },
	{ "dawdler_quick", "One that takes no time", .route = "GET /dawdle/quick", READ,
	    .run = take_no_time },
	{ "dawdler_short", "A short one", .route = "GET /dawdle/short", READ, .run = take_short },
	{ "dawdler_held", "One that is held up", .route = "GET /dawdle/held", READ, .in = pipe_in,
	    .run = take_held },
	{ "dawdler_count", "One long statement", .route = "GET /dawdle/count", READ, .in = to_in,
	    .run = take_count },
	{ "dawdler_leave", "One that leaves", .route = "GET /dawdle/leave", READ, .run = leave },
	{ "dawdler_notes", "How many notes", .route = "GET /dawdle/notes", READ, .run = take_notes,
	    .cached = true },
	{ "dawdler_follow", "Follow the notes", .route = "GET /dawdle/follow",
	    .flags = STET_PUBLIC | STET_STREAM, .lane = STET_READ, .in = to_in,
	    .run = follow_notes },
	{ "dawdler_add", "Add a note", .route = "POST /dawdle/notes", .flags = STET_PUBLIC,
	    .lane = STET_WRITE, .run = add_note },
};

static const struct stet_migration migrations[] = {
	{ 1, "notes", "CREATE TABLE dawdler_note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
	    NULL },
};

STET_MODULE(dawdler) = {
	STET_MODULE_HEAD(dawdler),
	.version = "1.0",
	.summary = "Reads that take their time",
	.ops = STET_TABLE(ops),
	.migrations = STET_TABLE(migrations),
};
