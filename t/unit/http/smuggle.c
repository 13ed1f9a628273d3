/* smuggle.t - every request of t/smuggle is refused, as its table says. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "http/http1.h"
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES_MAX 500

struct attempt {
	char *name;
	int status;
	bool in_body;
};

static struct attempt attempts[CASES_MAX];
static struct CMUnitTest smuggle[CASES_MAX + 1];
static size_t attempt_count;
static char directory[4096];

/* Returns the content of a file; the caller frees it. */
static char *
read_whole(const char *name, const char *suffix, size_t *len)
{
	char path[sizeof(directory) + 300], *text = malloc(100001);
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s%s", directory, name, suffix);
	file = fopen(path, "rb");
	if (file == NULL || text == NULL) {
		printf("Bail out! cannot read %s\n", path);
		exit(1);
	}
	*len = fread(text, 1, 100000, file);
	text[*len] = '\0';
	fclose(file);
	return text;
}

/* Parses one request like a connection, with bytes arriving `step` at a time. Returns the status of
 * its error, 0 if it is incomplete, -1 if it was accepted. */
static int
refusal(const char *in, size_t len, size_t step, bool *in_body)
{
	struct http1_head head;
	struct http1_chunks chunks = { 0 };
	size_t have = 0, scanned = 0, size;
	const char *data, *p;
	int status = 0;
	long end = 0, n = 0;
	char *text;

	for (; end == 0 && have < len; end = http1_head_end(in, have, &scanned, &status))
		have = len - have > step ? have + step : len;
	*in_body = false;
	if (end <= 0)
		return status;
	text = malloc((size_t)end);
	assert_non_null(text);
	memcpy(text, in, (size_t)end);
	if (!http1_parse(text, (size_t)end, &head))
		status = head.status;
	free(text);
	if (status != 0)
		return status;
	*in_body = true;
	if (!head.chunked)
		return len - (size_t)end < head.length ? 0 : -1;
	for (p = in + end; p < in + len && n >= 0 && !chunks.done; p += n) {
		size_t left = len - (size_t)(p - in);

		n = http1_chunk(&chunks, p, left < step ? left : step, &data, &size);
	}
	return n < 0 ? 400 : chunks.done ? -1 : 0;
}

static void
is_refused(void **state)
{
	const struct attempt *a = *state;
	size_t len, step;
	bool in_body;
	char *in = read_whole(a->name, ".req", &len);

	for (step = 1; step <= len; step = step < 8 ? step + 1 : step * 3) {
		assert_int_equal(refusal(in, len, step, &in_body), a->status);
		assert_int_equal(in_body, a->in_body);
	}
	assert_int_equal(refusal(in, len, len, &in_body), a->status);
	free(in);
}

/* Checks that every file has a line in the table. */
static void
every_request_is_in_the_table(void **state)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	size_t files = 0;

	(void)state;
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		size_t i, len = strlen(entry->d_name);

		if (len < 4 || strcmp(entry->d_name + len - 4, ".req") != 0)
			continue;
		files++;
		for (i = 0; i < attempt_count; i++)
			if (strncmp(attempts[i].name, entry->d_name, len - 4) == 0 &&
			    attempts[i].name[len - 4] == '\0')
				break;
		if (i == attempt_count)
			fail_msg("%s is not in the table", entry->d_name);
	}
	closedir(dir);
	assert_true(files >= 80);
	assert_int_equal(files, attempt_count);
}

/* Splits "NAME STATUS WHERE: …" in place. */
static void
read_line(char *line)
{
	struct attempt *a = &attempts[attempt_count];
	char *status = strchr(line, ' '), *where;

	if (attempt_count == CASES_MAX || status == NULL) {
		printf("Bail out! a bad line in the table: %s\n", line);
		exit(1);
	}
	*status++ = '\0';
	a->name = line;
	a->status = (int)strtol(status, &where, 10);
	a->in_body = strncmp(where, " body:", 6) == 0;
	if (a->status < 400 || (!a->in_body && strncmp(where, " head:", 6) != 0)) {
		printf("Bail out! a bad line in the table: %s\n", line);
		exit(1);
	}
	smuggle[attempt_count].name = a->name;
	smuggle[attempt_count].test_func = is_refused;
	smuggle[attempt_count++].initial_state = a;
}

int
main(void)
{
	const char *source = getenv("STET_SOURCE");
	char *table, *line, *next;
	size_t len;
	int failed;

	snprintf(directory, sizeof(directory), "%s/t/smuggle", source != NULL ? source : ".");
	table = read_whole("expect", "", &len);
	for (line = table; *line != '\0'; line = next) {
		next = strchr(line, '\n');
		if (next == NULL)
			next = line + strlen(line);
		else
			*next++ = '\0';
		if (*line != '#')
			read_line(line);
	}
	smuggle[attempt_count].name = "every_request_is_in_the_table";
	smuggle[attempt_count].test_func = every_request_is_in_the_table;
	failed = _cmocka_run_group_tests("smuggle", smuggle, attempt_count + 1, NULL, NULL);
	free(table);
	return failed;
}
