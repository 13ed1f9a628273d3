/*
 * daemon.h - tests over real sockets: a stetd on a free port, with a temporary data directory and
 * the module "probe", and clients that send raw bytes. Every wait has a limit; reaching it fails
 * the test. A test compiled with OVER_TLS uses TLS throughout.
 */
#ifndef T_HTTP_DAEMON_H
#define T_HTTP_DAEMON_H

/* cmocka.h needs these included before it. */
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
	char dir[64]; /* has "data", "stet.conf", and files of the test */
	int log; /* the daemon's standard error */
	char *said; /* everything that was read from it */
	size_t said_len;
};

/* Directory of the bundled modules below $STET_BUILD; that of the probe, unless set. Plugins are in
 * the daemon's directory. */
extern const char *daemon_modules;
/* Starts the daemon. Both texts may be NULL: lines for the file (before the site), and lines for
 * the site. `files` is the limit of open files; 0: that of the test. */
struct daemon *daemon_start(const char *conf, const char *site, int files);
/* The same in two steps. daemon_run may be called again after the daemon has ended. */
struct daemon *daemon_new(const char *conf, const char *site);
void daemon_run(struct daemon *, int files);
/* Starts the daemon without waiting for its first message. */
void daemon_begin(struct daemon *, int files);
/* Writes a file into the daemon's directory, readable for everybody. */
void daemon_put_file(const struct daemon *, const char *name, const char *text);
/* Writes another configuration, for the next start or SIGHUP. */
void daemon_write_conf(struct daemon *, const char *conf, const char *site);
/* Waits for more of its log; false: it has ended. */
bool daemon_hears(struct daemon *);
/* Waits for a text after the first `from` bytes of its log. Returns where the text ends. */
size_t daemon_said(struct daemon *, size_t from, const char *text);
void daemon_signal(struct daemon *, int number);
/* Sends SIGHUP and waits until the log confirms it. Returns the length of the log before. */
size_t daemon_reload(struct daemon *);
/* Waits for the daemon to end; returns its exit status. */
int daemon_ended(struct daemon *);
/* Sends SIGTERM unless the daemon has ended; its exit status must be 0. */
void daemon_stop(struct daemon *);
/* The same as a teardown: the daemon is the state of the tests. */
int daemon_teardown(void **state);
/* A path in the daemon's directory, in one of four static buffers. */
const char *daemon_path(const struct daemon *, const char *name);
/* Sets the clock of a daemon whose STET_CLOCK names its file "clock"; milliseconds since 1970. */
void daemon_clock(const struct daemon *, long long ms);
/* Waits until the daemon's directory has a file of this name. */
void daemon_file(const struct daemon *, const char *name);
int daemon_descriptors(const struct daemon *); /* number of open ones */
/* The daemon's resident memory in bytes; 0 with a sanitizer, which does not release freed
 * memory. */
long daemon_resident(const struct daemon *);

struct client {
	int fd;
	pid_t tls; /* the process that does TLS for us; 0: none */
	char *in; /* bytes that were received and not used yet */
	size_t len, cap;
};
/* Connects to the daemon, with a small receive buffer if `slow`. */
void client_open(struct client *, const struct daemon *, bool slow);
/* The same, but returns false if the connection is refused. Close the client in either case. */
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
/* Reads one response; bare: to HEAD. Free it with answer_free. */
void client_answer(struct client *, struct answer *, bool bare);
/* The same; returns false if the connection ended before. Free it in either case. */
bool client_hears(struct client *, struct answer *, bool bare);
/* The value of a header, a copy owned by the answer; or NULL. */
const char *answer_header(const struct answer *, const char *name);
/* error.code, or "" */
const char *answer_code(const struct answer *);
void answer_free(struct answer *);
/* Waits for the end of the connection; false: bytes arrived instead. */
bool client_ended(struct client *);
/* Returns true if there is something to read, without waiting. */
bool client_quiet(struct client *, int ms);
/* Reads raw bytes, at most `most`; returns 0 at the end. */
size_t client_read(struct client *, char *, size_t most);

/* Copies the word with this index to `out`; "" if the line has fewer words. Returns out. */
const char *word_of(const char *line, int index, char *out, size_t size);

/* Sends one request on a new connection and reads the response. */
void ask(struct daemon *, struct answer *, const char *method, const char *path);
/* The same with more header lines, each with its CRLF; "": none. */
void ask_more(
    struct daemon *, struct answer *, const char *method, const char *path, const char *lines);

#endif
