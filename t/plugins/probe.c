/* probe - a module for tests of the daemon: each op is one way of receiving or sending bytes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/file.h>
#include <stet/module.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct stet_member counted[] = { { "count", STET_INTEGER, STET_REQUIRED }, { 0 } };
static const struct stet_member text_in[] = { { "text", STET_STRING }, { 0 } };
static const struct stet_member size_in[] = { { "size", STET_INTEGER, STET_REQUIRED,
						  STET_RANGE(0, 1e9) },
	{ "fail", STET_INTEGER, 0, "stop with an error after so many bytes", STET_RANGE(0, 1e9) },
	{ "started", STET_STRING, 0, "a file to make when the handler begins" },
	{ "ended", STET_STRING, 0, "a file to make when it is over" }, { 0 } };
static const struct stet_member wait_in[] = { { "started", STET_STRING, STET_QUERY,
						  "a file to make when the handler begins" },
	{ "wait", STET_STRING, STET_QUERY | STET_REQUIRED, "a FIFO to read to its end" },
	{ "ended", STET_STRING, STET_QUERY, "a file to make when it is over" }, { 0 } };

static const struct stet_member file_in[] = { { "path", STET_STRING, STET_REQUIRED },
	{ "type", STET_STRING }, { "name", STET_STRING }, { "show", STET_INTEGER, .fallback = "0" },
	{ "tag", STET_STRING }, { "cache", STET_STRING },
	{ "modified", STET_INTEGER, .fallback = "0" }, { 0 } };

static const struct stet_member count_in[] = { { "since", STET_INTEGER, .fallback = "0" },
	{ "until", STET_INTEGER, 0, "milliseconds since the epoch" },
	{ "fill", STET_INTEGER, 0, "so many bytes with each value", STET_RANGE(1, 1e7) },
	{ "fail", STET_INTEGER, 0, "fail at 5" },
	{ "started", STET_STRING, 0, "a file to make when the handler runs" }, { 0 } };
static const struct stet_member waited[] = { { "count", STET_INTEGER, STET_REQUIRED },
	{ "runs", STET_INTEGER, STET_REQUIRED, "of the handler, for this answer" },
	{ "who", STET_STRING, STET_NULLABLE }, { 0 } };

static void
mark(const char *path)
{
	int fd = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd != -1)
		close(fd);
}

static enum stet_status
echo(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *text = stet_arg(call, "text");

	stet_object(out, NULL);
	stet_put_str(out, "text", text);
	stet_put_int(out, "length", text == NULL ? -1 : (int64_t)strlen(text));
	stet_close(out);
	return STET_OK;
}

/* Returns a reply of so many bytes, as a JSON string. */
static enum stet_status
big(struct stet_call *call)
{
	size_t size = (size_t)stet_arg_int(call, "size");
	char *text = stet_alloc(call, size + 1);

	memset(text, 'x', size);
	stet_put_str(stet_reply(call), NULL, text);
	return STET_OK;
}

/* Streams bytes that encode their position, so that tests detect lost or repeated pieces. */
static enum stet_status
stream(struct stet_call *call)
{
	int64_t size = stet_arg_int(call, "size"), at = 0;
	int64_t stop = stet_has(call, "fail") ? stet_arg_int(call, "fail") : INT64_MAX;
	enum stet_status status = STET_OK;
	char piece[1000];

	mark(stet_arg(call, "started"));
	stet_header(call, "X-Probe", "stream");
	stet_reply_type(call, "application/octet-stream");
	while (at < size && status == STET_OK) {
		size_t n = 0;

		for (; n < sizeof(piece) && at < size; n++, at++)
			piece[n] = (char)('a' + at % 23);
		status = stet_write(call, piece, n);
		if (status == STET_OK && at >= stop)
			status = stet_fault(call, "stopped, as it was told");
	}
	mark(stet_arg(call, "ended"));
	return status;
}

static enum stet_status
file(struct stet_call *call)
{
	const struct stet_file_answer answer = { .type = stet_arg(call, "type"),
		.name = stet_arg(call, "name"),
		.show = (enum stet_file_show)stet_arg_int(call, "show"),
		.tag = stet_arg(call, "tag"),
		.cache = stet_arg(call, "cache"),
		.modified = stet_arg_int(call, "modified") };
	int fd = open(stet_arg(call, "path"), O_RDONLY | O_CLOEXEC);

	if (fd == -1)
		return stet_fail(call, STET_NOT_FOUND, NULL, "There is no such file");
	return stet_reply_file(call, fd, &answer);
}

/* Returns the size of a part's file, and a sum of its bytes. */
static enum stet_status
put_file(struct stet_call *call, struct stet_json *out, const char *path)
{
	char block[4096];
	uint32_t sum = 2166136261U;
	int64_t size = 0;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd == -1)
		return stet_fault(call, "%s: %s", path, strerror(errno));
	while ((n = read(fd, block, sizeof(block))) > 0) {
		size += n;
		for (ssize_t i = 0; i < n; i++)
			sum = (sum ^ (unsigned char)block[i]) * 16777619U;
	}
	close(fd);
	stet_put_int(out, "fileSize", size);
	stet_put_int(out, "sum", sum);
	stet_put_str(out, "path", path);
	return STET_OK;
}

static enum stet_status
parts(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const struct stet_part *const *part;
	size_t count = stet_parts(call, &part);

	stet_array(out, NULL);
	for (size_t i = 0; i < count; i++) {
		stet_object(out, NULL);
		stet_put_str(out, "name", part[i]->name);
		stet_put_str(out, "filename", part[i]->filename);
		stet_put_str(out, "type", part[i]->type);
		stet_put_str(out, "value", part[i]->value);
		stet_put_int(out, "size", (int64_t)part[i]->size);
		if (part[i]->path != NULL)
			STET_TRY(put_file(call, out, part[i]->path));
		stet_close(out);
	}
	stet_close(out);
	return STET_OK;
}

/* Counts as costly if the argument text is given. */
static enum stet_status
dear(struct stet_call *call)
{
	if (stet_arg(call, "text") != NULL)
		STET_TRY(stet_costly(call));
	return echo(call);
}

/* Blocks until the test has opened the FIFO `wait` for writing and closed it again. */
static enum stet_status
slow(struct stet_call *call)
{
	char byte;
	int fd;

	mark(stet_arg(call, "started"));
	fd = open(stet_arg(call, "wait"), O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return stet_fault(call, "%s: %s", stet_arg(call, "wait"), strerror(errno));
	while (read(fd, &byte, 1) > 0)
		continue;
	close(fd);
	mark(stet_arg(call, "ended"));
	stet_put_str(stet_reply(call), NULL, "done");
	return STET_OK;
}

/* Like slow(), for an op that begins in the read lane. */
static enum stet_status
slower(struct stet_call *call)
{
	STET_TRY(stet_slow_lane(call));
	return slow(call);
}

static json_t *
strings(struct stet_call *call)
{
	json_t *args = stet_json_own(call, json_object());

	json_object_set_new(args, "started", json_string(stet_arg(call, "started")));
	json_object_set_new(args, "wait", json_string(stet_arg(call, "wait")));
	return args;
}

/* Like slow(), run inside another op. */
static enum stet_status
outer(struct stet_call *call)
{
	const char *out;
	size_t len;

	STET_TRY(stet_invoke(call, "probe_slower", strings(call), &out, &len));
	stet_put_raw(stet_reply(call), NULL, out, len);
	return STET_OK;
}

static enum stet_status
fault(struct stet_call *call)
{
	return stet_fault(call, "the secret reason");
}

static enum stet_status
tagged(struct stet_call *call)
{
	stet_etag(call, "version-7");
	stet_header(call, "Cache-Control", "no-cache");
	stet_put_str(stet_reply(call), NULL, "seven");
	return STET_OK;
}

static enum stet_status
count_get(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT count FROM probe_counter WHERE id = 1", STET_NO_ARGS));
	stet_put_row(stet_reply(call), &rows, counted);
	return stet_rows_end(&rows);
}

/* Returns a large reply that is the same until something changes. */
static enum stet_status
big_kept(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT count FROM probe_counter WHERE id = 1", STET_NO_ARGS));
	STET_TRY(stet_rows_end(&rows));
	return big(call);
}

/* Takes more time if there are more rows. */
static enum stet_status
rows_count(struct stet_call *call)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)"
	    " SELECT COUNT(*) AS count FROM n",
	    STET_ARGS(stet_arg_int(call, "size"))));
	stet_put_row(stet_reply(call), &rows, counted);
	return stet_rows_end(&rows);
}

static enum stet_status
count_up(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);

	stet_metric_add(call, "counts_total", 1);
	stet_metric_set(call, "level", -5);
	STET_TRY(stet_exec(
	    call, tx, "UPDATE probe_counter SET count = count + 1 WHERE id = 1", STET_NO_ARGS));
	return count_get(call);
}

/* Counts, and then fails: the count must be rolled back. */
static enum stet_status
count_refuse(struct stet_call *call)
{
	STET_TRY(count_up(call));
	return stet_fail(call, stet_code(call, "PROBE_REJECTED"), NULL, "counted in vain");
}

static enum stet_status
count_fault(struct stet_call *call)
{
	STET_TRY(count_up(call));
	return stet_fault(call, "the secret reason");
}

/* A protocol of its own: the body is a verb, "count" writes, "stop" writes and fails. */
static enum stet_lane
choose(struct stet_call *call)
{
	size_t len;
	const char *verb = stet_body(call, &len);

	return verb != NULL && strcmp(verb, "look") != 0 ? STET_WRITE : STET_READ;
}

static enum stet_status
speak(struct stet_call *call)
{
	size_t len;
	const char *verb = stet_body(call, &len), *text;

	if (verb == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "verb", "is missing");
	if (stet_writing(call))
		STET_TRY(stet_exec(call, stet_write_tx(call),
		    "UPDATE probe_counter SET count = count + 1 WHERE id = 1", STET_NO_ARGS));
	if (strcmp(verb, "stop") == 0)
		return stet_fail(call, STET_CONFLICT, NULL, "stopped");
	if (strcmp(verb, "fault") == 0)
		return stet_fault(call, "the secret");
	stet_reply_type(call, "text/plain");
	if (strcmp(verb, "quiet") == 0) {
		stet_reply_status(call, 202);
		return STET_OK;
	}
	text = stet_printf(call, "%s %zu", verb, len);
	return stet_write(call, text, strlen(text));
}

static void
refuse(struct stet_call *call)
{
	struct stet_json *error = stet_json_new(call);
	enum stet_status status = stet_error_status(call);
	const char *text;
	size_t len;

	stet_header(call, "X-Probe", stet_status_name(status));
	if (status == STET_UNAUTHORIZED)
		return;
	stet_object(error, NULL);
	stet_put_error(call, error);
	stet_close(error);
	text = stet_json_text(error, &len);
	stet_reply_status(call, 406);
	stet_reply_type(call, "text/plain");
	if (stet_write(call, text, len) != STET_OK)
		stet_log(call, STET_ERROR, "the refusal was not written");
}

/* Returns the counter as soon as it is above `since`, or when the time `until` is reached. */
static enum stet_status
count_wait(struct stet_call *call)
{
	int *runs = stet_wait_memory(call, sizeof(*runs));
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	int64_t count;

	mark(stet_arg(call, "started"));
	++*runs;
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT count FROM probe_counter WHERE id = 1", STET_NO_ARGS));
	count = stet_col_int(&rows, 0);
	stet_object(out, NULL);
	stet_put_int(out, "count", count);
	if (count <= stet_arg_int(call, "since") && stet_wait(call, stet_arg_int(call, "until")))
		return STET_OK;
	stet_put_int(out, "runs", *runs);
	stet_put_str(out, "who", stet_principal(call) != NULL ? stet_principal(call)->email : NULL);
	stet_close(out);
	return STET_OK;
}

/* Streams each new value of the counter as a line, then a last line. */
static enum stet_status
count_stream(struct stet_call *call)
{
	int64_t *last = stet_wait_memory(call, sizeof(*last)), count;
	struct stet_rows rows;
	const char *line;

	stet_reply_type(call, "text/plain");
	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT count FROM probe_counter WHERE id = 1", STET_NO_ARGS));
	count = stet_col_int(&rows, 0);
	if (count > *last) {
		line = stet_printf(call, "%lld\n", (long long)count);
		*last = count;
		STET_TRY(stet_write(call, line, strlen(line)));
	}
	if (stet_has(call, "fill") && count > 1) {
		size_t size = (size_t)stet_arg_int(call, "fill");
		char *fill = stet_alloc(call, size);

		memset(fill, 'x', size);
		STET_TRY(stet_write(call, fill, size));
	}
	if (count >= 5 && stet_has(call, "fail"))
		return stet_fault(call, "stopped, as it was told");
	if (stet_wait(call, stet_arg_int(call, "until")))
		return STET_OK;
	return stet_write(call, "end\n", 4);
}

static const struct stet_op ops[] = {
	{ "probe_speak", "Speak", .route = "POST /speak", .flags = STET_PUBLIC | STET_RAW,
	    .lane = STET_SLOW, .run = speak, .choose = choose, .refuse = refuse },
	{ "probe_speak_known", "Speak to somebody known", .route = "POST /speak/known",
	    .flags = STET_ANY_SCOPE | STET_RAW, .lane = STET_SLOW, .run = speak, .choose = choose,
	    .refuse = refuse },
	{ "probe_echo", "Echo", .route = "GET /echo", .flags = STET_PUBLIC, .lane = STET_READ,
	    .in = text_in, .run = echo },
	{ "probe_post", "Echo a body", .route = "POST /echo",
	    .flags = STET_PUBLIC | STET_BODY_OPTIONAL, .lane = STET_READ, .in = text_in,
	    .run = echo },
	{ "probe_small", "Echo a small body", .route = "POST /small", .flags = STET_PUBLIC,
	    .lane = STET_READ, .in = text_in, .run = echo, .body_max = 1000 },
	{ "probe_private", "Echo to somebody known", .route = "POST /private", .lane = STET_READ,
	    .in = text_in, .run = echo },
	{ "probe_big", "A large reply", .route = "GET /big", .flags = STET_PUBLIC,
	    .lane = STET_READ, .in = size_in, .run = big },
	{ "probe_big_kept", "A large reply that may be kept", .route = "GET /big/kept",
	    .flags = STET_PUBLIC, .lane = STET_READ, .in = size_in, .cached = true,
	    .run = big_kept },
	{ "probe_stream", "A streamed reply", .route = "GET /stream",
	    .flags = STET_PUBLIC | STET_STREAM, .lane = STET_SLOW, .in = size_in, .run = stream },
	{ "probe_file", "A file", .route = "GET /file", .flags = STET_PUBLIC | STET_FILE,
	    .lane = STET_READ, .in = file_in, .run = file },
	{ "probe_file_slow", "A file, of the slow lane", .route = "GET /file/slow",
	    .flags = STET_PUBLIC | STET_FILE, .lane = STET_SLOW, .in = file_in, .run = file },
	{ "probe_upload", "A spooled body", .route = "POST /upload",
	    .flags = STET_PUBLIC | STET_SPOOL, .lane = STET_READ, .run = parts,
	    .body_max = 64 * 1024 * 1024 },
	{ "probe_form", "A form", .route = "POST /form", .flags = STET_PUBLIC | STET_MULTIPART,
	    .lane = STET_SLOW, .run = parts, .body_max = 64 * 1024 * 1024 },
	{ "probe_block", "An op that holds its worker up", .route = "GET /block",
	    .flags = STET_PUBLIC, .lane = STET_READ, .in = wait_in, .run = slow },
	{ "probe_dear", "An op that is costly for some arguments", .route = "GET /dear",
	    .flags = STET_PUBLIC, .lane = STET_READ, .in = text_in, .run = dear },
	{ "probe_slow", "A slow op", .route = "GET /slow", .flags = STET_PUBLIC, .lane = STET_SLOW,
	    .in = wait_in, .run = slow },
	{ "probe_slower", "An op that finds out that it is slow", .route = "GET /slower",
	    .flags = STET_PUBLIC, .lane = STET_READ, .in = wait_in, .run = slower },
	{ "probe_outer", "An op with one inside that finds out that it is slow",
	    .route = "GET /outer", .flags = STET_PUBLIC | STET_RERUN, .lane = STET_READ,
	    .in = wait_in, .run = outer },
	{ "probe_slow_write", "A slow write", .route = "POST /slow",
	    .flags = STET_PUBLIC | STET_BODY_OPTIONAL, .lane = STET_WRITE, .in = wait_in,
	    .run = slow },
	{ "probe_fault", "A fault", .route = "GET /fault", .flags = STET_PUBLIC, .lane = STET_READ,
	    .run = fault, .fault = "PROBE_ERROR" },
	{ "probe_tagged", "A tagged reply", .route = "GET /tagged", .flags = STET_PUBLIC,
	    .lane = STET_READ, .run = tagged },
	{ "probe_count", "The counter", .route = "GET /count", .flags = STET_PUBLIC,
	    .lane = STET_READ, .out = counted, .run = count_get },
	{ "probe_rows", "So many rows", .route = "GET /rows", .flags = STET_PUBLIC,
	    .lane = STET_READ, .in = size_in, .out = counted, .run = rows_count },
	{ "probe_count_up", "Count up", .route = "POST /count",
	    .flags = STET_PUBLIC | STET_CREATED | STET_BODY_OPTIONAL, .lane = STET_WRITE,
	    .in = text_in, .out = counted, .run = count_up },
	{ "probe_count_wait", "Wait for the counter", .route = "GET /count/wait",
	    .flags = STET_PUBLIC, .lane = STET_READ, .in = count_in, .out = waited,
	    .run = count_wait },
	{ "probe_count_stream", "The counter as it counts", .route = "GET /count/stream",
	    .flags = STET_PUBLIC | STET_STREAM, .lane = STET_READ, .in = count_in,
	    .run = count_stream },
	{ "probe_count_refuse", "Count, and refuse", .route = "POST /count/refuse",
	    .flags = STET_PUBLIC | STET_BODY_OPTIONAL, .lane = STET_WRITE, .run = count_refuse },
	{ "probe_count_fault", "Count, and fail", .route = "POST /count/fault",
	    .flags = STET_PUBLIC | STET_BODY_OPTIONAL, .lane = STET_WRITE, .run = count_fault },
	{ "probe_write_file", "Write what is sent as a file", .route = "POST /count/file",
	    .flags = STET_PUBLIC | STET_SPOOL, .lane = STET_WRITE, .run = count_up },
};

/* A test can delay this migration: it reads the FIFO named by STET_PROBE_MIGRATION to its end. If
 * the FIFO had any byte, the migration then runs SQL that does not end. */
static enum stet_status
counter_there(struct stet_call *call, struct stet_tx *tx)
{
	const char *path = getenv("STET_PROBE_MIGRATION");
	bool for_ever = false;
	char byte;
	int fd;

	if (path == NULL)
		return STET_OK;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return stet_fault(call, "%s: %s", path, strerror(errno));
	while (read(fd, &byte, 1) > 0)
		for_ever = true;
	close(fd);
	if (!for_ever)
		return STET_OK;
	return stet_exec(call, tx,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT 1 FROM n)"
	    " UPDATE probe_counter SET count = (SELECT sum(i) FROM n)",
	    STET_NO_ARGS);
}

static const struct stet_migration migrations[] = {
	{ 1, "counter",
	    "CREATE TABLE probe_counter (id INTEGER NOT NULL PRIMARY KEY, count INTEGER NOT NULL);"
	    "INSERT INTO probe_counter (id, count) VALUES (1, 0);",
	    counter_there },
};

static const struct stet_status_def statuses[] = {
	{ "PROBE_REJECTED", 422, "The probe rejects it" },
	{ "PROBE_ERROR", 500, "The probe failed" },
};

static const struct stet_metric metrics[] = {
	{ "counts_total", "Times that it counted." },
	{ "level", "How it is.", .gauge = true },
	{ "unused", "Of what nobody tells.", .gauge = true },
};

STET_MODULE(probe) = {
	STET_MODULE_HEAD(probe),
	.version = "1.0",
	.summary = "Tests of the daemon",
	.ops = STET_TABLE(ops),
	.statuses = STET_TABLE(statuses),
	.migrations = STET_TABLE(migrations),
	.metrics = STET_TABLE(metrics),
};
