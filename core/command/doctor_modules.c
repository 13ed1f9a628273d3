/*
 * doctor_modules.c - runs the checks that modules bring (<stet/check.h>). They run in a child
 * process, which opens the site without changing it and writes each finding as a line of JSON to a
 * pipe. If a check crashes or takes too long, a new child continues with the next check.
 */
#include "base/buf.h"
#include "base/clock.h"
#include "base/words.h"
#include "call/call.h"
#include "call/error.h"
#include "call/json.h"
#include "command/doctor.h"
#include "db/reader.h"
#include "db/rows.h"
#include "site/site.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPENING_SECONDS 60 /* time limit for opening the site */
#define TEXT_MAX 4000 /* bytes of a text */
#define NO_MORE SIZE_MAX

/* ---- the child ---- */

/* What a child has to do. */
struct pass {
	size_t first; /* the number of the first check to run; those before it have run */
	int fd; /* write end of the pipe */
	const json_t *asked; /* doctor->asked */
};
/* Writes the findings to the pipe. */
struct teller {
	struct call_findings findings; /* first: stet_finding knows only this */
	int fd;
	const char *check;
};

static void
put_line(int fd, json_t *line)
{
	char *text = json_text(line);
	struct buf b = { 0 };
	size_t at = 0;
	ssize_t n;

	buf_printf(&b, "%s\n", text);
	while (at < b.len && (n = write(fd, b.data + at, b.len - at)) != 0) {
		if (n > 0)
			at += (size_t)n;
		else if (errno != EINTR)
			_exit(EXIT_FAILURE); /* the parent has closed the pipe */
	}
	buf_free(&b);
	free(text);
	json_decref(line);
}

/* Returns a text of a check for JSON: cut if too long, replaced if it is not UTF-8. */
static json_t *
text_of(const char *text)
{
	json_t *json = json_stringn(text, strnlen(text, TEXT_MAX));

	return json != NULL ? json : json_string("(it is no text)");
}

static void
tell(struct call_findings *findings, enum stet_grade grade, const char *advice, const char *text)
{
	const struct teller *t = (const struct teller *)(void *)findings;

	put_line(
	    t->fd, json_pack("{s:s, s:i, s:o, s:o?}", "check", t->check, "grade", (int)grade,
		       "text", text_of(text), "advice", advice != NULL ? text_of(advice) : NULL));
}

static void
run_check(
    struct site *site, const struct loaded *owner, const struct stet_check *check, struct teller *t)
{
	const struct op program = { .row = { .name = "check", .lane = STET_SLOW },
		.owner = owner,
		.name = (char *)(uintptr_t)check->name };
	struct stet_call *call = command_begin(site);
	struct buf why = { 0 };

	call->op = &program;
	call->owner = owner;
	call->lane = STET_SLOW;
	call->findings = &t->findings;
	if (check->run(call) != STET_OK) {
		error_add(&why, call);
		tell(&t->findings, STET_TROUBLE, NULL, why.data);
		buf_free(&why);
	}
	rows_end_call(call);
	call_free(call);
}

/* Announces a check and runs it, unless it looks at the machine and another site's module has. */
static void
run_row(struct site *site, const struct loaded *owner, const struct stet_check *row, size_t number,
    const struct pass *pass)
{
	struct teller t = { .findings = { .take = tell }, .fd = pass->fd };
	char *name = owner->bundled ? words_format("%s", row->name)
				    : words_format("%s/%s", owner->m.name, row->name);

	t.check = name;
	if (!row->machine || json_object_get(pass->asked, name) == NULL) {
		put_line(pass->fd,
		    json_pack("{s:I, s:s, s:i, s:b}", "begin", (json_int_t)number, "check", name,
			"seconds", row->seconds > 0 ? (int)row->seconds : STET_CHECK_SECONDS,
			"machine", (int)row->machine));
		run_check(site, owner, row, &t);
	}
	free(name);
}

/* Runs the checks of one module. `number` counts all checks. */
static void
run_module(struct site *site, const struct loaded *owner, size_t *number, const struct pass *pass)
{
	for (uint32_t i = 0; i < owner->m.checks.count; i++, (*number)++) {
		struct stet_check row;

		if (*number < pass->first)
			continue;
		stet_table_row(&owner->m.checks, i, &row, sizeof(row));
		run_row(site, owner, &row, *number, pass);
	}
}

/* Reports modules that are left out; once for a site, before the first check. */
static void
tell_left_out(const struct generation *gen, int fd)
{
	struct teller t = { .fd = fd, .check = "modules" };

	for (size_t i = 0; i < MODULES_MAX; i++)
		if (gen->refusal[i] != NULL)
			tell(&t.findings, STET_WARNING,
			    "Disable it, or do what it asks for: the site is served without it.",
			    gen->refusal[i]);
}

static void
run_modules(struct site *site, const struct pass *pass)
{
	struct generation *gen = site_generation(site);
	size_t number = 0;

	if (pass->first == 0)
		tell_left_out(gen, pass->fd);
	for (size_t i = 0; i < gen->module_count; i++)
		run_module(site, gen->module[i], &number, pass);
	generation_put(gen);
}

static void
say_unopened(int fd, const char *why)
{
	struct teller t = { .fd = fd, .check = "modules" };
	char *text = words_format("their checks were left out: %s", why);

	tell(&t.findings, STET_NOTE, NULL, text);
	free(text);
}

static _Noreturn void
child(const struct conf_site *conf, const struct pass *pass, pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct site *site;
	char *why = NULL;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || null < 0)
		_exit(EXIT_FAILURE);
	/* Problems are reported as findings only; output of modules is discarded. */
	(void)dup2(null, STDIN_FILENO);
	(void)dup2(null, STDOUT_FILENO);
	(void)dup2(null, STDERR_FILENO);
	site = site_look(conf, &why);
	if (site == NULL || site->broken != NULL)
		say_unopened(pass->fd, site != NULL ? site->broken : why);
	else
		run_modules(site, pass);
	put_line(pass->fd, json_pack("{s:b}", "end", true));
	_exit(EXIT_SUCCESS);
}

/* ---- the parent ---- */

/* The state of the child. */
struct exam {
	struct doctor *d;
	const struct conf_site *site;
	struct buf in;
	int64_t deadline; /* clock_monotonic */
	size_t number; /* number of the running check */
	char *check; /* its name; NULL: the site is being opened */
	int seconds;
	bool ended; /* the child has reported its end */
};

static void
take_line(struct exam *e, const char *text, size_t len)
{
	json_t *line = json_loadb(text, len, 0, NULL);
	const char *check = "modules", *said = NULL;
	const json_t *advice = json_object_get(line, "advice");
	json_int_t number = 0;
	int grade = 0, machine = 0;

	if (json_unpack(line, "{s:I, s:s, s:i, s:b}", "begin", &number, "check", &check, "seconds",
		&e->seconds, "machine", &machine) == 0) {
		if (machine)
			json_object_set_new(e->d->asked, check, json_true());
		e->d->site = machine ? NULL : e->site;
		free(e->check);
		e->check = words_format("%s", check);
		e->number = (size_t)number;
		e->deadline = clock_monotonic() + (int64_t)e->seconds * 1000;
	} else if (json_unpack(line, "{s:s, s:i, s:s}", "check", &check, "grade", &grade, "text",
		       &said) == 0)
		doctor_say(e->d, check,
		    grade >= STET_FINE && grade <= STET_TROUBLE ? (enum stet_grade)grade
								: STET_TROUBLE,
		    json_string_value(advice), "%s", said);
	else if (json_is_true(json_object_get(line, "end")))
		e->ended = true;
	json_decref(line);
}

static void
take_lines(struct exam *e)
{
	const char *end;

	while (e->in.len > 0 && (end = memchr(e->in.data, '\n', e->in.len)) != NULL) {
		size_t len = (size_t)(end - e->in.data);

		take_line(e, e->in.data, len);
		memmove(e->in.data, end + 1, e->in.len - len - 1);
		e->in.len -= len + 1;
	}
}

/* Reads until the child has ended or closed the pipe. Returns false if its time is over. */
static bool
listen_to(struct exam *e, int fd)
{
	char part[4096];

	while (!e->ended) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = e->deadline - clock_monotonic();
		int ready = left > 0 ? poll(&p, 1, (int)left) : 0;
		ssize_t n;

		if (ready == 0)
			return false;
		if (ready < 0 || (n = read(fd, part, sizeof(part))) < 0) {
			if (errno == EINTR)
				continue;
			return true;
		}
		if (n == 0)
			return true;
		buf_add(&e->in, part, (size_t)n);
		take_lines(e);
	}
	return true;
}

static void
say_lost(const struct exam *e, bool late, int status)
{
	const char *advice = "The other checks were run all the same. If a plugin's check does so"
			     " again, tell who makes it.";
	const char *check = e->check != NULL ? e->check : "modules";
	const char *what = e->check != NULL ? "the check" : "opening the site";

	if (late)
		doctor_say(e->d, check, STET_TROUBLE, advice, "%s did not end within %d seconds",
		    what, e->seconds);
	else if (WIFSIGNALED(status))
		doctor_say(e->d, check, STET_TROUBLE, advice, "%s crashed: %s", what,
		    strsignal(WTERMSIG(status)));
	else
		doctor_say(e->d, check, STET_TROUBLE, advice, "%s ended the process with status %d",
		    what, WEXITSTATUS(status));
}

/* Runs the checks from number `first` in a child. Returns the number of the check to continue
 * with. */
static size_t
examine(struct doctor *d, size_t first)
{
	struct exam e = { .d = d, .site = d->site, .seconds = OPENING_SECONDS };
	pid_t parent = getpid(), pid;
	int fds[2], status = 0;
	bool late;

	e.deadline = clock_monotonic() + OPENING_SECONDS * 1000;
	if (pipe2(fds, O_CLOEXEC) != 0 || (pid = fork()) < 0) {
		doctor_say(d, "modules", STET_TROUBLE, NULL, "they cannot be checked: %s",
		    strerror(errno));
		return NO_MORE;
	}
	if (pid == 0)
		child(d->site, &(struct pass){ first, fds[1], d->asked }, parent);
	close(fds[1]);
	late = !listen_to(&e, fds[0]);
	if (late)
		(void)kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	close(fds[0]);
	if (!e.ended)
		say_lost(&e, late, status);
	d->site = e.site;
	first = e.ended || e.check == NULL ? NO_MORE : e.number + 1;
	buf_free(&e.in);
	free(e.check);
	return first;
}

void
doctor_modules(struct doctor *d)
{
	size_t next = 0;

	fflush(NULL);
	while (next != NO_MORE)
		next = examine(d, next);
}
