/*
 * conn.h - connections. A connection belongs to one worker, and only that thread touches it. A call
 * that moves to another thread carries an exchange: the connection may be gone when it returns.
 */
#ifndef CORE_CONN_H
#define CORE_CONN_H

#include "call/call.h"
#include "http/address.h"
#include "net/tls.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <sys/queue.h>

struct conf;
struct loop;

/* Input beyond this stays in the kernel; if memory is short, less is read (net/weight.h). */
#define CONN_INPUT_MAX 32768
#define CONN_OUTPUT_MAX 262144 /* beyond this the handler waits */

/* Limits from the configuration, copied, because workers share nothing. */
struct conn_limits {
	int64_t head_timeout, body_timeout, idle_timeout, call_timeout, read_timeout; /* ms */
	uint64_t body_min_rate, answer_min_rate; /* bytes per second */
	uint64_t answer_cache; /* bytes */
	bool server_timing;
	struct address_block *trusted; /* owned */
	size_t trusted_count;
};

enum conn_state {
	CONN_HEAD, /* between requests, or reading a head */
	CONN_OPENING, /* before the first request: the TLS handshake */
	CONN_BODY,
	CONN_CALL, /* the call runs in its lane */
	CONN_FILE, /* its answer is a file that is being sent (filesend.c) */
	CONN_CLOSING, /* the last response is made: sends what is queued */
	CONN_LINGER /* our side is closed: input is discarded until the peer closes too */
};

/* The kinds of deadlines. Each has a queue of connections with the same time span, so the first
 * is due first. */
enum conn_queue {
	QUEUE_IDLE,
	QUEUE_HEAD,
	QUEUE_BODY,
	QUEUE_CALL,
	QUEUE_SEND, /* output waits for the peer */
	QUEUE_LINGER,
	QUEUES,
	QUEUE_NONE = QUEUES
};

struct body;
TAILQ_HEAD(conn_list, conn);

/* The connections of one worker. */
struct connset {
	struct loop *loop;
	struct conn_limits limits;
	struct conn_list queue[QUEUES];
	struct event *timer;
	int64_t armed; /* clock_monotonic; 0: the timer is not set */
	_Atomic unsigned count;
	bool draining;
	void (*go_on)(struct conn *); /* conn_go_on, for code below the state machine */
	void (*on_empty)(void *);
	void *on_empty_arg;
	struct answers *answers;
	struct encoder *encoder;
	/* For replies (send.c): scratch space, and the Date header of this second. */
	struct buf head;
	int64_t date_second;
	char date[30];
	/* Lines of the access log that are not written yet. */
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
	struct bufferevent *bev; /* NULL: closed; the conn is freed when its step ends */
	struct event *readable; /* without TLS: the event of its socket */
	struct address peer;
	struct address
	    client; /* of the current request: the peer, or the client that trusted proxies name */
	struct caller caller; /* of the current request and of the response being sent */
	char peer_text[ADDRESS_TEXT_SIZE];
	struct stet_call *call; /* the current request, or NULL */
	struct body *body; /* the body being read; in the call's arena */
	size_t scanned; /* bytes of the next head already searched for its end */
	size_t weight; /* bytes counted for this connection (net/weight.h) */
	size_t in_most, out_most; /* peak size of input and output since each was empty */
	uint64_t queued; /* bytes given to the output so far */
	uint64_t mark; /* value of progress() when it entered its queue */
	int64_t answer_due; /* clock_monotonic: when the last answer must have left, or the
			       connection is dropped; 0: never */
	struct tls_watch watch; /* notices incoming TLS records */
	bool record; /* an incomplete TLS record has arrived */
	bool secure; /* with TLS */
	bool reads; /* its socket is read */
	bool last; /* close after this request */
	bool eof; /* the peer has closed its sending side */
	bool broken; /* its output failed: conn.c drops it in this step */
	bool began; /* a new request began since the deadline was set */
	bool running;
};

/* The link between a call in its lane and its connection (op_part.io). In the call's arena. */
struct exchange {
	struct conn *conn; /* for the worker thread only; NULL: the client is gone */
	struct stream *stream; /* of an op with STET_STREAM */
	struct call_mark mark; /* memory of the call before its first run */
	/* Size of that memory in bytes. A reader may set it while the worker counts. */
	_Atomic size_t weight;
};

void conn_accept(struct connset *, evutil_socket_t, const struct address *peer, bool secure);
/* Close the socket and let the current call run to its end without a client. conn_drop is for the
 * connection's own steps, which free it afterwards; conn_close also frees it. */
void conn_drop(struct conn *);
void conn_close(struct conn *);
/* Resumes the connection after what it waited for has arrived. */
void conn_go_on(struct conn *);
/* Returns the number of bytes in the output queue. */
static inline size_t
conn_pending(const struct conn *c)
{
	return evbuffer_get_length(bufferevent_get_output(c->bev));
}

void conn_timeout(struct conn *);

#endif
