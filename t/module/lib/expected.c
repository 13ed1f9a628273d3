/* expected.c - expected output in a file: sections of one line and the indented lines below it. */
#include "expected.h"
#include <stdio.h>
#include <stdlib.h>

static char *
read_all(const char *path)
{
	FILE *from = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (from == NULL)
		return strdup("");
	if (getdelim(&text, &size, '\0', from) < 0)
		fail_msg("%s cannot be read", path);
	fclose(from);
	return text;
}

static size_t
section_length(const char *text)
{
	const char *end = strchr(text, '\n');

	while (end != NULL && end[1] == '\t')
		end = strchr(end + 1, '\n');
	return end != NULL ? (size_t)(end - text) + 1 : strlen(text);
}

static void
update(const char *path, const char *head, const char *text)
{
	FILE *to = fopen(path, "w");

	assert_non_null(to);
	fputs(head, to);
	fputs(text, to);
	assert_int_equal(fclose(to), 0);
}

void
expected_compare(const struct expected *e, const char *got)
{
	char path[1024], *all;
	const char *want;
	int wrong = 0;

	(void)snprintf(
	    path, sizeof(path), "%s/%s", harness_path("STET_SOURCE", "t/module/core"), e->name);
	if (getenv(e->update) != NULL)
		update(path, e->head, got);
	want = all = read_all(path);
	while (*want == '#')
		want += strcspn(want, "\n") + 1;
	while (*want != '\0' || *got != '\0') {
		size_t w = section_length(want), g = section_length(got);

		if (w != g || memcmp(want, got, w) != 0) {
			print_error(
			    "%s says:\n%.*snow:\n%.*s\n", e->name, (int)w, want, (int)g, got);
			if (++wrong == 5)
				break;
		}
		want += w;
		got += g;
	}
	free(all);
	if (wrong > 0)
		fail_msg("if that is meant, %s=1 writes %s anew", e->update, e->name);
}

/* ---- plans as text ---- */

/* Writes the start of a statement: SELECT, INSERT INTO x, UPDATE x, … */
static void
write_head(FILE *to, const char *sql, size_t len)
{
	static const struct {
		const char *verb;
		int words;
	} heads[] = { { "SELECT ", 1 }, { "WITH ", 1 }, { "INSERT ", 3 }, { "UPDATE ", 2 },
		{ "DELETE ", 3 }, { "CREATE ", 3 }, { "ALTER ", 3 }, { "DROP ", 3 } };
	int words = 4;

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (strncmp(sql, heads[i].verb, strlen(heads[i].verb)) == 0)
			words = heads[i].words;
	fputc('\t', to);
	for (size_t i = 0; i < len && (sql[i] != ' ' || --words > 0); i++)
		fputc(sql[i], to);
}

/*
 * Writes a step of a plan in words that all versions of SQLite share. Newer versions make a
 * co-routine of some subqueries that older ones materialize. They also call an index covering in a
 * DELETE or an UPDATE, and name rows of VALUES.
 */
static void
write_step(FILE *to, const char *step, size_t len, bool changes)
{
	static const char routine[] = "CO-ROUTINE ", covering[] = " COVERING INDEX ",
			  values[] = "-ROW VALUES CLAUSE";
	const char *rows = memmem(step, len, values, sizeof(values) - 1);
	const char *at = changes ? memmem(step, len, covering, sizeof(covering) - 1) : NULL;
	size_t until = at != NULL ? (size_t)(at - step) : 0;

	if (strncmp(step, routine, sizeof(routine) - 1) == 0)
		fprintf(to, "MATERIALIZE %.*s", (int)(len - sizeof(routine) + 1),
		    step + sizeof(routine) - 1);
	else if (rows != NULL)
		fprintf(to, "%.*s CONSTANT ROWS", (int)(rows - step), step);
	else if (at != NULL)
		fprintf(to, "%.*s%.*s", (int)until, step, (int)(len - until - 9), at + 9);
	else
		fprintf(to, "%.*s", (int)len, step);
}

void
expected_write(FILE *to, const char *trace)
{
	bool open = false, first = true, changes = false;

	for (const char *line = trace; *line != '\0';) {
		size_t len = strcspn(line, "\n");

		if (strncmp(line, "    ", 4) == 0) {
			fputs(first ? ": " : "; ", to);
			write_step(to, line + 4, len - 4, changes);
			first = false;
		} else {
			if (open)
				fputc('\n', to);
			write_head(to, line, len);
			changes =
			    strncmp(line, "DELETE ", 7) == 0 || strncmp(line, "UPDATE ", 7) == 0;
			open = first = true;
		}
		line += len + (line[len] != '\0');
	}
	if (open)
		fputc('\n', to);
}
