/* reply.h - the answer as bytes. */
#ifndef CORE_OP_REPLY_H
#define CORE_OP_REPLY_H

#include "call/call.h"

/* The body of the answer, JSON envelope or raw, and its status. The buffer is the call's.
 */
struct rendered {
	int status;
	const char *type; /* Content-Type; NULL: no body */
	const char *prefix, *suffix; /* constant text around data */
	const char *data;
	size_t len;
	const char *etag; /* without quotes; NULL: none */
	struct call_pair *headers;
	int coding; /* enum coding: in which it leaves */
	struct file *file; /* its bytes, in place of data; NULL: they are there */
};
void reply_render(struct stet_call *, struct rendered *);
/* The entity tag of what the handler of a GET has answered: its own, or a digest. */
const char *reply_tag(struct stet_call *);

#endif
