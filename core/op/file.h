/* file.h - replies that are files: headers, conditions and ranges. */
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
	uint64_t begin, at, end; /* the range to send; at: position reached (filesend.c) */
	struct event *writable; /* filesend.c */
	bool copied; /* read and send in pieces, without sendfile */
	uint64_t here; /* end of the part last found in memory */
	struct fill *fill; /* the read from the disk that is under way, or NULL */
};

/* Returns the header Content-Disposition for a file of this type. */
const char *file_disposition(struct stet_call *, const struct stet_file_answer *, const char *type);
/* Returns the file's validators for conditional requests. */
struct condition_of file_condition(const struct file *);
/* Applies the header Range. Returns false if the range lies outside the file. */
bool file_range(struct file *, const struct http1_head *);
/* Reads like pread, but only from memory. Returns fewer bytes, or -1 with EAGAIN, where it would
 * wait for the disk. File systems without RWF_NOWAIT may block. */
ssize_t file_peek(const struct file *, void *to, size_t len, uint64_t at);
/* Returns the bytes to send, in the call's memory, if they are at most FILE_FEW and can be read
 * without waiting. Otherwise NULL. */
#define FILE_FEW 32768
const char *file_few(struct stet_call *, const struct file *);
/* Writes the file's headers. `body`: also those that describe the bytes that follow. */
void file_put(struct buf *, const struct file *, bool body);

#endif
