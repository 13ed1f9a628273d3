/* arrived.h - exports of other systems that the command imports into a site, and what came of it.
 */
#ifndef T_MODULE_ARRIVED_H
#define T_MODULE_ARRIVED_H

#include "inside.h"
#include "leaving.h"
#include <stdio.h>

/* A site into which an export was imported. */
struct arrived {
	struct harness *harness;
	char *dir;
	char *report; /* lines of JSON, one for each item and notice */
	char *redirects; /* CSV */
};

/* Returns the path of a fixture of these tests. Static buffer. */
const char *arrived_path(const char *name);
/* Reads a whole file; the caller frees the text. */
char *arrived_text(const char *path);

/* A file of an archive: its name there, and the fixture that it is. */
struct arrived_file {
	const char *name, *fixture;
};
/* Writes a zip file; a file without a name ends the list. */
void arrived_zip(const char *path, const struct arrived_file *);

/* Imports a file or a directory by the command into a site of the collection stories; the command
 * must end with this status. `format`: of "import from", or "wxr". `set`: an option, NAME=VALUE;
 * NULL: none. */
struct arrived arrived_by(const char *format, const char *path, const char *set, int status);
void arrived_done(const struct arrived *);
/* Asserts that the report contains the text. */
void arrived_told(const struct arrived *, const char *what);
/* Asserts that the list of redirects has this one. */
void arrived_redirects(const struct arrived *, const char *from, const char *to);
/* Asserts a row of an account: how many were read, and how many stored. */
void arrived_account(
    const json_t *account, const char *what, const char *name, int read, int stored);
/* Requests an item, COLLECTION/SLUG. */
struct outcome *arrived_get(const struct arrived *, const char *path);
/* Are requests recorded? Then the command, which is a process of its own, is left out. */
bool arrived_recorded(void);
/* Writes a text to a file. */
void arrived_put(const char *path, const char *text);

#define TEXT(o, member, text) assert_string_equal(harness_text((o)->data, "item." member), text)
#define ASK(s, sql, answer) assert_string_equal(inside_ask((s)->harness, sql), answer)

#endif
