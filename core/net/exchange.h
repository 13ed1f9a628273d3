/*
 * exchange.h - the link between a call and its connection (struct exchange): made before the call
 * may leave its worker, cut when the client is gone.
 */
#ifndef CORE_NET_EXCHANGE_H
#define CORE_NET_EXCHANGE_H

#include "net/conn.h"

/* The call is from the client of the connection: the peer, or whom a trusted proxy names. */
void exchange_client(struct conn *, struct stet_call *);
/* Ties the call to the connection. `done` is called on the worker when it has ended. */
struct exchange *exchange_tie(struct conn *, void (*done)(struct stet_call *));
/* Ties the call, and gives it to a reader of its site (op/far.h), which admits it. `admitted` is
 * called on the worker if it has not run, or was refused. */
void exchange_enter(
    struct conn *, void (*done)(struct stet_call *), void (*admitted)(struct stet_call *));
/* The client is gone: the call, if there is one, runs to its end without it. */
void exchange_cut(struct conn *);

#endif
