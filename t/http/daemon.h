/*
 * daemon.h - tests over real sockets: a stetd on a free port, with a temporary data directory and
 * the module "probe", and clients that speak bytes. Every wait ends by itself; running out of time
 * fails the test. A test compiled with OVER_TLS has all of it over TLS.
 */
#ifndef T_HTTP_DAEMON_H
#define T_HTTP_DAEMON_H

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <jansson.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>

#define WAIT_MS 20000

struct daemon {
	pid_t pid;
	int port;
	char dir[64]; /* "data", "stet.conf", and what the test puts there */
	int log; /* its standard error */
	char *said; /* all that was read from it */
	size_t said_len;
};

/* Below $STET_BUILD: the bundled modules. That of the probe, unless set. Plugins are what lies in
 * the daemon's directory. */
extern const char *daemon_modules;
/* Start with more lines for the file (before the site), and for the site; both may be NULL. files
 * is the limit of open files, 0 for what we have. */
struct daemon *daemon_start(const char *conf, const char *site, int files);
/* The same in two steps; it may run again in its directory after it has ended. */
struct daemon *daemon_new(const char *conf, const char *site);
void daemon_run(struct daemon *, int files);
/* Start it without waiting for a word of it. */
void daemon_begin(struct daemon *, int files);
/* Write a file below its directory, which everybody may read. */
void daemon_put_file(const struct daemon *, const char *name, const char *text);
/* Write another file, for the next start or SIGHUP. */
void daemon_write_conf(struct daemon *, const char *conf, const char *site);
/* Wait for more of its log; false: it has ended. */
bool daemon_hears(struct daemon *);
/* Wait for it to say a text after `from` bytes of its log; returns where the text ends. */
size_t daemon_said(struct daemon *, size_t from, const char *text);
void daemon_signal(struct daemon *, int number);
/* SIGHUP, and wait until it says that it has obeyed; where its log ended before. */
size_t daemon_reload(struct daemon *);
/* Wait for it to end: its exit status. */
int daemon_ended(struct daemon *);
/* SIGTERM unless it has ended; it must exit with 0. */
void daemon_stop(struct daemon *);
/* The same, as the teardown of a group of tests whose state it is. */
int daemon_teardown(void **state);
/* A path in its directory; static buffer of four. */
const char *daemon_path(const struct daemon *, const char *name);
/* Set the clock that it reads where STET_CLOCK names its file "clock": milliseconds since 1970. */
void daemon_clock(const struct daemon *, long long ms);
/* Wait until there is such a file. */
void daemon_file(const struct daemon *, const char *name);
int daemon_descriptors(const struct daemon *); /* open ones */
/* Its bytes that are in memory; 0 where a sanitizer keeps what was freed. */
long daemon_resident(const struct daemon *);

struct client {
	int fd;
	pid_t tls; /* the process that speaks it for us; 0: none does */
	char *in; /* what came and was not taken yet */
	size_t len, cap;
};
/* NULL daemon members never are: a connection, with a small receive buffer if `slow`. */
void client_open(struct client *, const struct daemon *, bool slow);
/* The same; false: nobody takes it. To be closed all the same. */
bool client_try(struct client *, const struct daemon *, bool slow);
void client_close(struct client *);
void client_send(struct client *, const char *, size_t);
void client_say(struct client *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

struct answer {
	int status;
	char *head; /* status line and headers */
	char *body;
	size_t len, cap;
	bool whole; /* false: the connection ended before the body did */
	json_t *json; /* NULL when the body is not JSON */
};
/* Read one answer; bare: to HEAD. Free it with answer_free. */
void client_answer(struct client *, struct answer *, bool bare);
/* The same; false: the connection ended before it. Free it all the same. */
bool client_hears(struct client *, struct answer *, bool bare);
/* The value of a header (a copy in the answer's memory), or NULL. */
const char *answer_header(const struct answer *, const char *name);
/* error.code, or "" */
const char *answer_code(const struct answer *);
void answer_free(struct answer *);
/* Wait for the end of the connection; false: bytes came instead. */
bool client_ended(struct client *);
/* Is there something to read, at once? */
bool client_quiet(struct client *, int ms);
/* Read some raw bytes, at most `most`; 0 at the end. */
size_t client_read(struct client *, char *, size_t most);

/* The word at an index of a line, "" when there are not so many; returns out. */
const char *word_of(const char *line, int index, char *out, size_t size);

/* One request on a connection of its own. */
void ask(struct daemon *, struct answer *, const char *method, const char *path);
/* The same with more lines of header, each with its end; "": none. */
void ask_more(
    struct daemon *, struct answer *, const char *method, const char *path, const char *lines);

#endif
