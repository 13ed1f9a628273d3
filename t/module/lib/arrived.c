/* arrived.c - exports of other systems that the command imports into a site, and what came of it.
 */
#include "arrived.h"
#include <minizip/zip.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX 262144

const char *
arrived_path(const char *name)
{
	char path[200];

	(void)snprintf(path, sizeof(path), "t/module/import/%s", name);
	return harness_path("STET_SOURCE", path);
}

static char *
load(const char *path, size_t *len)
{
	FILE *file = fopen(path, "re");
	char *text = calloc(1, FILE_MAX);

	if (file == NULL)
		fail_msg("cannot open %s", path);
	assert_non_null(text);
	*len = fread(text, 1, FILE_MAX - 1, file);
	assert_int_equal(fclose(file), 0);
	return text;
}

char *
arrived_text(const char *path)
{
	size_t len;
	char *text = load(path, &len);

	assert_true(len > 0);
	return text;
}

void
arrived_zip(const char *path, const struct arrived_file *file)
{
	zipFile zip = zipOpen64(path, APPEND_STATUS_CREATE);

	assert_non_null(zip);
	for (; file->name != NULL; file++) {
		size_t len;
		char *bytes = load(arrived_path(file->fixture), &len);

		assert_int_equal(zipOpenNewFileInZip64(zip, file->name, NULL, NULL, 0, NULL, 0,
				     NULL, Z_DEFLATED, 6, 0),
		    0);
		assert_int_equal(zipWriteInFileInZip(zip, bytes, (unsigned)len), 0);
		assert_int_equal(zipCloseFileInZip(zip), 0);
		free(bytes);
	}
	assert_int_equal(zipClose(zip, NULL), 0);
}

/* Returns the text of a file; "" if there is none. The caller frees it. */
static char *
text_if(const char *path)
{
	size_t len;

	return access(path, R_OK) == 0 ? load(path, &len) : strdup("");
}

struct arrived
arrived_by(const char *format, const char *path, const char *set, int status)
{
	struct arrived s = { .report = NULL };
	char report[600], redirects[600], source[600];
	const char *args[14] = { "import" };
	size_t n = 1;
	int got;

	(void)snprintf(source, sizeof(source), "%s", path);
	s.dir = leaving_close(leaving_furnished(), leaving_locales);
	(void)snprintf(report, sizeof(report), "%s/report.jsonl", s.dir);
	(void)snprintf(redirects, sizeof(redirects), "%s/redirects.csv", s.dir);
	if (strcmp(format, "wxr") != 0)
		args[n++] = "from";
	args[n++] = format;
	args[n++] = source;
	args[n++] = "--report";
	args[n++] = report;
	args[n++] = "--redirects";
	args[n++] = redirects;
	if (set != NULL)
		args[n++] = "--set";
	args[n] = set;
	got = leaving_run(s.dir, args, NULL);
	s.report = text_if(report);
	s.redirects = text_if(redirects);
	if (got != status) {
		(void)fputs(s.report, stderr);
		fail_msg("the command ended with status %d", got);
	}
	s.harness = leaving_open(s.dir, leaving_locales);
	return s;
}

void
arrived_done(const struct arrived *s)
{
	harness_close(s->harness, true);
	leaving_remove(s->dir);
	free(s->report);
	free(s->redirects);
}

void
arrived_told(const struct arrived *s, const char *what)
{
	if (strstr(s->report, what) == NULL)
		fail_msg("not told: %s: %s", what, s->report);
}

void
arrived_redirects(const struct arrived *s, const char *from, const char *to)
{
	char line[400];

	(void)snprintf(line, sizeof(line), "\"%s\",\"%s\",301", from, to);
	if (strstr(s->redirects, line) == NULL)
		fail_msg("no redirect %s: %s", line, s->redirects);
}

void
arrived_account(const json_t *account, const char *what, const char *name, int read, int stored)
{
	const json_t *row;
	size_t i;

	json_array_foreach(account, i, row)
	{
		const char *is = json_string_value(json_object_get(row, "name"));

		if (strcmp(json_string_value(json_object_get(row, "what")), what) != 0 ||
		    strcmp(is != NULL ? is : "", name) != 0)
			continue;
		assert_int_equal(json_integer_value(json_object_get(row, "read")), read);
		assert_int_equal(json_integer_value(json_object_get(row, "stored")), stored);
		return;
	}
	fail_msg("the account has no %s %s", what, name);
}

struct outcome *
arrived_get(const struct arrived *s, const char *path)
{
	char request[200];
	struct outcome *o;

	(void)snprintf(request, sizeof(request), "GET /content/%s", path);
	harness_ok(o, harness_request(s->harness, admin, request, NULL, NULL));
	return o;
}

bool
arrived_recorded(void)
{
	return getenv("STET_RECORD") != NULL;
}

void
arrived_put(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}
