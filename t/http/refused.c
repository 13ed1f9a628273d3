/* refused.c - sends the corpus of t/smuggle to a daemon: each request is refused, the connection
 * closed, and no other response sent. */
#include "daemon.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static struct daemon *d;

static int
start(void **state)
{
	*state = d = daemon_start(NULL, NULL, 0);
	return 0;
}

static size_t
slurp(const char *name, char *out, size_t size)
{
	char path[4096];
	FILE *file;
	size_t n;

	(void)snprintf(path, sizeof(path), "%s/t/smuggle/%s.req", getenv("STET_SOURCE"), name);
	file = fopen(path, "rb");
	if (file == NULL)
		fail_msg("there is no %s", path);
	n = fread(out, 1, size, file);
	assert_true(feof(file));
	fclose(file);
	return n;
}

/* The refusal is the only response, and the connection ends after it although the client has not
 * closed its side. With `split`, the bytes are sent in two pieces. */
static void
refused(const char *name, int status, bool in_body, size_t split)
{
	static char bytes[200000];
	size_t len = slurp(name, bytes, sizeof(bytes));
	struct client c;
	struct answer a;
	bool good;

	client_open(&c, d, false);
	split = split < len ? split : len;
	client_send(&c, bytes, split);
	client_send(&c, bytes + split, len - split);
	client_answer(&c, &a, false);
	good = a.status == status || (in_body && a.status >= 401 && a.status <= 405);
	if (!good || answer_header(&a, "Connection") == NULL || *answer_code(&a) == '\0')
		fail_msg("%s: wanted %d, got %s%s", name, status, a.head, a.body);
	answer_free(&a);
	if (!client_ended(&c))
		fail_msg("%s: more came after the refusal: %.*s", name, (int)c.len, c.in);
	client_close(&c);
}

static void
every_request_of_the_corpus_is_refused(void **state)
{
	char path[4096], line[512], name[128], status[16], where[32];
	int count = 0;
	FILE *file;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/t/smuggle/expect", getenv("STET_SOURCE"));
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		int want;
		bool in_body;

		if (*line == '#' || *line == '\n')
			continue;
		(void)word_of(line, 0, name, sizeof(name));
		want = (int)strtol(word_of(line, 1, status, sizeof(status)), NULL, 10);
		in_body = strncmp(word_of(line, 2, where, sizeof(where)), "body", 4) == 0;
		refused(name, want, in_body, SIZE_MAX);
		refused(name, want, in_body, 20);
		count++;
	}
	fclose(file);
	assert_true(count > 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_request_of_the_corpus_is_refused),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, start, daemon_teardown);
}
