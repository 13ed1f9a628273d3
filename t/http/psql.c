/* psql.c - see psql.h. */
#include "psql.h"
#include "harness.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

char *
psql_ask(const char *uri, const char *sql)
{
	FILE *out = tmpfile();
	char *text;
	pid_t child;
	long size;
	int status;

	assert_non_null(out);
	(void)fflush(NULL);
	if ((child = fork()) == 0) {
		(void)setenv("PGOPTIONS", "-c search_path=stet_main", 1);
		(void)dup2(fileno(out), STDOUT_FILENO);
		execlp("psql", "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", uri,
		    "-c", sql, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(fseek(out, 0, SEEK_END), 0);
	size = ftell(out);
	assert_true(size >= 0);
	text = calloc(1, (size_t)size + 1);
	assert_non_null(text);
	rewind(out);
	assert_int_equal(fread(text, 1, (size_t)size, out), size);
	(void)fclose(out);
	if (size > 0 && text[size - 1] == '\n')
		text[size - 1] = '\0';
	return text;
}
