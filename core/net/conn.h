/*
 * conn.h - connections. A conn belongs to one worker and is touched by its thread only. What goes
 * with a call into other lanes is its exchange; a conn may be gone when the call comes back.
 */
#ifndef CORE_CONN_H
#define CORE_CONN_H

#include "call/call.h"
#include "http/address.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <sys/queue.h>

struct conf;
struct worker;

#define CONN_INPUT_MAX 32768 /* then the rest waits in the kernel */
#define CONN_OUTPUT_MAX 262144 /* then what produces it waits */

/* What the configuration says, copied: workers share nothing. */
struct conn_limits {
	int64_t head_timeout, body_timeout, idle_timeout, call_timeout; /* ms */
	uint64_t body_min_rate, answer_min_rate; /* bytes per second */
	uint64_t answer_cache; /* bytes */
	bool server_timing;
	struct address_block *trusted; /* owned */
	size_t trusted_count;
};

enum conn_state {
	CONN_HEAD, /* between requests, or in a head */
	CONN_OPENING, /* before the first: TLS begins */
	CONN_BODY,
	CONN_CALL, /* the call is in its lane */
	CONN_FILE, /* its answer is a file, which leaves (filesend.c) */
	CONN_CLOSING, /* answered for the last time: what is still unsent leaves */
	CONN_LINGER /* closed for writing; reading away what comes until the peer closes too */
};

/* Deadlines are queues, one a kind: each has one span, so the first in it is due first. */
enum conn_queue {
	QUEUE_IDLE,
	QUEUE_HEAD,
	QUEUE_BODY,
	QUEUE_CALL,
	QUEUE_SEND, /* output is waiting for the peer */
	QUEUE_LINGER,
	QUEUES,
	QUEUE_NONE = QUEUES
};

struct body;
TAILQ_HEAD(conn_list, conn);

/* The connections of one worker. */
struct connset {
	struct worker *worker;
	struct conn_limits limits;
	struct conn_list queue[QUEUES];
	struct event *timer;
	int64_t armed; /* when the timer is due; 0: it is not */
	_Atomic unsigned count;
	bool draining;
	void (*on_empty)(void *);
	void *on_empty_arg;
	struct answers *answers;
	struct encoder *encoder;
	/* For replies (send.c): scratch, and the date of this second. */
	struct buf head;
	int64_t date_second;
	char date[30];
	/* Lines for the access log that are not written yet. */
	struct buf access;
	struct event *access_timer;
};

struct conn {
	TAILQ_ENTRY(conn) link; /* of set->queue[queue] */
	struct connset *set;
	enum conn_queue queue;
	enum conn_state state;
	int64_t since; /* clock_monotonic: when it entered its queue */
	int64_t due; /* clock_monotonic */
	struct bufferevent *bev; /* NULL: gone; the conn is freed when its step ends */
	struct event *readable; /* without TLS: of its socket */
	struct address peer;
	struct address client; /* of the request at hand: the peer, or whom trusted proxies name */
	char peer_text[ADDRESS_TEXT_SIZE];
	struct stet_call *call; /* of the request at hand */
	struct body *body; /* that is coming; in the call's arena */
	size_t scanned; /* of the head that is coming */
	uint64_t queued; /* bytes given to the output so far */
	uint64_t mark; /* progress when it entered its queue */
	int64_t
	    answer_due; /* clock_monotonic: the last answer has left, or it is dropped; 0: never */
	bool secure; /* with TLS */
	bool reads; /* its socket is looked at for more */
	bool last; /* no request after this one */
	bool eof; /* the peer sends no more */
	bool began; /* something of a new request came since the deadline was set */
	bool running;
};

/* What a call carries through its lane (call->io), in its arena. */
struct exchange {
	struct conn *conn; /* the worker's; NULL: nobody waits for the reply */
	struct stream *stream; /* of STET_STREAM ops */
	struct call_mark mark; /* what a call has before its first run */
};

void conn_accept(struct connset *, evutil_socket_t, const struct address *peer, bool secure);
/* The socket is of no use any more: drop it, and let the call at hand finish for nobody. The first
 * is for the conn's own steps, and leaves its memory to them. */
void conn_drop(struct conn *);
void conn_close(struct conn *);
/* Something that it waited for has come. */
void conn_go_on(struct conn *);
/* How much output waits. */
size_t conn_pending(const struct conn *);

void conn_timeout(struct conn *);

#endif
