/* file.h - answers that are files: what is said of them, and which part is sent. */
#ifndef CORE_FILE_H
#define CORE_FILE_H

#include "call/call.h"
#include "http/condition.h"
#include <stet/file.h>

struct event;

/* In the call's memory; the descriptor is closed with the call. */
struct file {
	int fd;
	uint64_t size;
	const char *type, *tag, *cache, *policy, *disposition;
	int64_t modified; /* seconds since the epoch */
	bool part; /* 206 */
	uint64_t begin, at, end; /* of what is sent; at: how far it is (filesend.c) */
	struct event *writable; /* filesend.c */
	bool copied; /* the kernel does not send such files itself */
	uint64_t here; /* as far as it was in memory when that was looked at */
	struct fill *fill; /* what reads it from the disk; NULL: nothing needs to */
};

/* The header Content-Disposition of such an answer with this type. */
const char *file_disposition(struct stet_call *, const struct stet_file_answer *, const char *type);
/* As conditions know it. */
struct condition_of file_condition(const struct file *);
/* Which part does the request ask for? false: one that is not there. */
bool file_range(struct file *, const struct http1_head *);
/* pread, unless it has to wait for the disk: -1 with EAGAIN, or what is there before that. On file
 * systems that cannot tell it waits. */
ssize_t file_peek(const struct file *, void *to, size_t len, uint64_t at);
/* The bytes to send, when they are few and in memory, in the call's; NULL: they are not, or cannot
 * be read. */
#define FILE_FEW 32768
const char *file_few(struct stet_call *, const struct file *);
/* Its headers; `body`: and those of the bytes that follow. */
void file_put(struct buf *, const struct file *, bool body);

#endif
