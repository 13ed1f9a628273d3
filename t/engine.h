/*
 * engine.h - the database engine that tests of modules, of the daemon and of commands run on. It is
 * SQLite, or PostgreSQL if the environment has T_ENGINE=postgresql. t/engine/run starts a server
 * for these tests, and sets
 *
 *   T_ENGINE_URI       a database of the test program's own, as in stet.conf; the names of those of
 * its sites begin with its name T_ENGINE_DIR       a directory of the run: "modules" has the
 * engine's module alone, "files" the keys files-directory of sites
 *
 * Each data directory has a database, whose name is derived from its path. All are dropped when
 * the program has ended.
 */
#ifndef T_ENGINE_H
#define T_ENGINE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Returns true if tests run on PostgreSQL. Ends the program if the environment is not whole. */
bool engine_is_postgresql(void);
/* Writes the keys for the site in this directory, one a line, into its section of stet.conf:
 * nothing for SQLite. Files stay in DATA/files: files-directory is a link to it, and both
 * directories are made. A busy machine has a minute to answer (database-timeout). */
void engine_keys(FILE *conf, const char *data);
/* For PostgreSQL: makes the database of the site in this directory, unless it is there. */
void engine_make(const char *data);
/* For PostgreSQL: makes the database of the site in `to`, as a copy of that of the closed site in
 * `from`. */
void engine_copy(const char *from, const char *to);
/* For PostgreSQL: counts what is in the tables of the site in this directory, so that statements of
 * a test that has written much are planned as they are in use. */
void engine_analyze(const char *data);
/* Returns the directories with modules: `path`, and the one with the module of the engine. Static
 * buffer. */
const char *engine_modules(const char *path);

/* Starts a PostgreSQL server of the test's own as a child (t/engine/server), with its data and its
 * socket in DIR/pg. Returns its process when it can be used, or 0 if PostgreSQL is not installed.
 * SIGINT ends it. May be called again with the same directory after it has ended. */
pid_t engine_server(const char *dir);
/* The process of the server itself, whose parent is the script; 0: there is none. */
pid_t engine_postmaster(const char *dir);
/* The parameter of a URI for the user of its databases, such as "&user=nobody". */
const char *engine_server_user(void);

#endif
