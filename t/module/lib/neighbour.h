/* neighbour.h - a server on loopback for tests of outgoing requests: it sends one response to every
 * request. */
#ifndef T_MODULE_NEIGHBOUR_H
#define T_MODULE_NEIGHBOUR_H

#include <pthread.h>
#include <stdatomic.h>

struct harness;

struct neighbour {
	int fd, port;
	pthread_t thread;
	const char *_Atomic answer; /* NULL: none; the connection stays open */
	_Atomic size_t length; /* of responses with NUL bytes; 0: they are texts */
	/* returns the response to this request; NULL: `answer` */
	const char *(*choose)(const char *heard);
	char heard[8192]; /* the last request */
	_Atomic int connections, heard_count; /* accepted; requests read */
};

/* fetch_allow of a harness whose site may reach this server. */
extern const char *const neighbour_block[];

/* Starts the server on a free port; it answers 200 and "hello". */
void neighbour_open(struct neighbour *);
void neighbour_close(struct neighbour *);
/* Starts the server, and opens a site that may fetch from this machine. */
struct harness *neighbour_site_open(struct neighbour *);
void neighbour_site_close(struct neighbour *, struct harness *);
/* The text of a response, for `answer`. */
#define NEIGHBOUR_ANSWER(status_line, length, body)                                       \
	"HTTP/1.1 " status_line "\r\nContent-Type: text/plain\r\nContent-Length: " length \
	"\r\nConnection: close\r\n\r\n" body
/* Returns the server's URL followed by `rest`; static buffer. */
const char *neighbour_url(const struct neighbour *, const char *rest);

#endif
