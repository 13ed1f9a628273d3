/* reply.h - the reply of a call as bytes. */
#ifndef CORE_OP_REPLY_H
#define CORE_OP_REPLY_H

#include "call/call.h"

/* Status and body of a reply, as JSON envelope or raw bytes. All memory belongs to the call. */
struct rendered {
	int status;
	const char *type; /* Content-Type; NULL: no body */
	const char *prefix, *suffix; /* constant text around data: the envelope */
	const char *data;
	size_t len;
	const char *etag; /* without quotes; NULL: none */
	struct call_pair *headers;
	int coding; /* enum coding in which it is sent */
	struct file *file; /* send this file instead of data; NULL: send data */
};
void reply_render(struct stet_call *, struct rendered *);
/* Returns the entity tag of the reply to a GET: the handler's own, or a digest of the body. */
const char *reply_tag(struct stet_call *);

#endif
