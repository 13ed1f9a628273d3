/* remote.c - a daemon with the bundled modules, the command on its site, clients with a token. */
#include "remote.h"
#include "engine.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX 16

/* ---- the command ---- */

static void
run_command(const struct daemon *d, int out, int err, const char *const *words)
{
	const char *argv[WORDS_MAX + 6], *build = getenv("STET_BUILD");
	char program[4096], modules[4096], conf[4096];
	int n = 0;

	(void)snprintf(program, sizeof(program), "%s/.libs/stet", build);
	(void)snprintf(modules, sizeof(modules), "%s/%s", build, daemon_modules);
	(void)snprintf(conf, sizeof(conf), "%s/stet.conf", d->dir);
	(void)setenv("STET_MODULE_PATH", engine_modules(modules), 1);
	(void)setenv("STET_PLUGIN_PATH", d->dir, 1);
	argv[n++] = program;
	argv[n++] = "--config";
	argv[n++] = conf;
	argv[n++] = "--site";
	argv[n++] = "main";
	for (int i = 0; words[i] != NULL && i < WORDS_MAX; i++)
		argv[n++] = words[i];
	argv[n] = NULL;
	(void)dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
	(void)dup2(out, STDOUT_FILENO);
	(void)dup2(err, STDERR_FILENO);
	(void)execv(program, (char **)(uintptr_t)argv);
	_exit(127);
}

/* Returns the content of a file without a name, without its last line break. */
static char *
take(FILE *file)
{
	long size = ftell(file);
	char *text;

	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	assert_true(size >= 0);
	text = calloc(1, (size_t)size + 1);
	assert_non_null(text);
	rewind(file);
	assert_int_equal(fread(text, 1, (size_t)size, file), size);
	if (size > 0 && text[size - 1] == '\n')
		text[size - 1] = '\0';
	fclose(file);
	return text;
}

pid_t
command_start(struct daemon *d, int out, int err, const char *const *words)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		run_command(d, out, err, words);
	return pid;
}

void
command_run(struct daemon *d, struct command *c, const char *const *words)
{
	FILE *out = tmpfile(), *err = tmpfile();
	int status;
	pid_t pid;

	assert_true(out != NULL && err != NULL);
	pid = command_start(d, fileno(out), fileno(err), words);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	c->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	c->out = take(out);
	c->err = take(err);
}

void
command_free(struct command *c)
{
	free(c->out);
	free(c->err);
	memset(c, 0, sizeof(*c));
}

char *
command_words(struct daemon *d, const char *const *words)
{
	struct command c;

	command_run(d, &c, words);
	if (c.status != 0)
		fail_msg("stet %s: exit %d, %s\n%s", words[0], c.status, c.out, c.err);
	free(c.err);
	return c.out;
}

struct daemon *
remote_new(const char *conf, const char *site)
{
	struct daemon *d;

	daemon_modules = "modules/.libs";
	d = daemon_new(conf, site);
	free(COMMAND(d, "init"));
	return d;
}

char *
remote_token(struct daemon *d, const char *role, const char *scopes)
{
	char email[64];

	(void)snprintf(email, sizeof(email), "%s@example.org", role);
	free(COMMAND(d, "user", "add", email, "--name", role, "--role", role));
	return COMMAND(d, "token", "add", email, "--name", "test", "--scope", scopes);
}

void
remote_plugin(struct daemon *d, const char *from, const char *name, mode_t mode)
{
	char path[4096], block[65536];
	int in, out;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "%s/%s", getenv("STET_BUILD"), from);
	in = open(path, O_RDONLY | O_CLOEXEC);
	out = open(daemon_path(d, name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(in >= 0 && out >= 0);
	while ((n = read(in, block, sizeof(block))) > 0)
		assert_int_equal(write(out, block, (size_t)n), n);
	assert_int_equal(n, 0);
	assert_int_equal(fchmod(out, mode), 0);
	close(in);
	close(out);
}

void
remote_time_stands(struct daemon *d)
{
	FILE *file = fopen(daemon_path(d, "clock"), "we");

	assert_non_null(file);
	fputs("1000", file);
	assert_int_equal(fclose(file), 0);
	setenv("STET_CLOCK", daemon_path(d, "clock"), 1);
}

void
remote_time_goes_on(void)
{
	unsetenv("STET_CLOCK");
}

/* ---- requests ---- */

void
remote_open(struct remote *r, const struct daemon *d, const char *token)
{
	r->daemon = d;
	r->token[0] = r->more[0] = '\0';
	if (token != NULL)
		(void)snprintf(r->token, sizeof(r->token), "Authorization: Bearer %s\r\n", token);
	client_open(&r->client, d, false);
}

void
remote_close(struct remote *r)
{
	client_close(&r->client);
}

static void
say(struct remote *r, const char *method, const char *body, const char *path)
{
	client_say(&r->client,
	    "%s " API
	    "%s HTTP/1.1\r\nHost: x\r\n%s%sX-CMS-Request: 1\r\n%sContent-Length: %zu\r\n\r\n%s",
	    method, path, r->token, r->more,
	    body != NULL ? "Content-Type: application/json\r\n" : "",
	    body != NULL ? strlen(body) : 0, body != NULL ? body : "");
	r->bare = strcmp(method, "HEAD") == 0;
}

void
remote_say(struct remote *r, const char *method, const char *body, const char *path, ...)
{
	char *text;
	va_list ap;

	va_start(ap, path);
	assert_true(vasprintf(&text, path, ap) >= 0);
	va_end(ap);
	say(r, method, body, text);
	free(text);
}

void
remote_hear(struct remote *r, struct answer *a)
{
	const char *closes;

	client_answer(&r->client, a, r->bare);
	closes = answer_header(a, "Connection");
	if (closes != NULL && strcmp(closes, "close") == 0) {
		client_close(&r->client);
		client_open(&r->client, r->daemon, false);
	}
}

void
remote_ask(
    struct remote *r, struct answer *a, const char *method, const char *body, const char *path, ...)
{
	char *text;
	va_list ap;

	va_start(ap, path);
	assert_true(vasprintf(&text, path, ap) >= 0);
	va_end(ap);
	say(r, method, body, text);
	remote_hear(r, a);
	free(text);
}

json_t *
remote_must(
    struct remote *r, int status, const char *method, const char *body, const char *path, ...)
{
	struct answer a;
	json_t *data;
	char *text;
	va_list ap;

	va_start(ap, path);
	assert_true(vasprintf(&text, path, ap) >= 0);
	va_end(ap);
	say(r, method, body, text);
	remote_hear(r, &a);
	if (a.status != status)
		fail_msg("%s %s: %d %s", method, text, a.status, a.body);
	free(text);
	data = json_incref(json_object_get(a.json, "data"));
	answer_free(&a);
	return data;
}

int
remote_rows(const struct daemon *d, const char *table)
{
	char sql[100];
	sqlite3 *db;
	sqlite3_stmt *st;
	int count;

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", table);
	assert_int_equal(
	    sqlite3_open_v2(daemon_path(d, "data/stet.db"), &db, SQLITE_OPEN_READWRITE, NULL),
	    SQLITE_OK);
	(void)sqlite3_busy_timeout(db, WAIT_MS);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	count = sqlite3_column_int(st, 0);
	(void)sqlite3_finalize(st);
	(void)sqlite3_close(db);
	return count;
}
