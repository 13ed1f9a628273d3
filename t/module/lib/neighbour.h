/* neighbour.h - a server on loopback for tests of requests to other machines: it gives one answer
 * to whoever asks. */
#ifndef T_MODULE_NEIGHBOUR_H
#define T_MODULE_NEIGHBOUR_H

#include <pthread.h>
#include <stdatomic.h>

struct harness;

struct neighbour {
	int fd, port;
	pthread_t thread;
	const char *_Atomic answer; /* NULL: none, until the client goes or the neighbour does */
	const char *(*choose)(const char *heard); /* the answer to this request; NULL: `answer` */
	char heard[8192]; /* the last request */
	_Atomic int connections, heard_count; /* who came; whose request was read */
};

/* What others may ask: fetch_allow of a harness. */
extern const char *const neighbour_block[];

/* Begin on a free port, answering 200 and "hello". */
void neighbour_open(struct neighbour *);
void neighbour_close(struct neighbour *);
/* The same with a site whose fetches may reach this machine. */
struct harness *neighbour_site_open(struct neighbour *);
void neighbour_site_close(struct neighbour *, struct harness *);
/* Text for `answer`. */
#define NEIGHBOUR_ANSWER(status_line, length, body)                                       \
	"HTTP/1.1 " status_line "\r\nContent-Type: text/plain\r\nContent-Length: " length \
	"\r\nConnection: close\r\n\r\n" body
/* Its URL; static buffer. */
const char *neighbour_url(const struct neighbour *, const char *rest);

#endif
