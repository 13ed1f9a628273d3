/*
 * file.h - files: answers that are files. The core sends them with ranges and conditions; who may
 * have which, and what it is, is the module's to say.
 */
#ifndef STET_FILE_H
#define STET_FILE_H

#include <stet/call.h>

/* How a browser is to take a file. */
enum stet_file_show {
	STET_FILE_SAFE, /* shown when it is a picture, a film or a sound, which run nothing; else
			 * saved
			 */
	STET_FILE_SAVE,
	STET_FILE_SHOW /* also what may hold scripts: only for what nobody but us has made */
};

struct stet_file_answer {
	/* As the client said it when it was uploaded, if you like: what is no media type is sent as
	 * application/octet-stream. NULL: that, too. Browsers never guess another. */
	const char *type;
	const char *name; /* under which it is saved; hostile; NULL: none */
	enum stet_file_show show;
	const char *cache; /* Cache-Control; NULL: "private, no-store" */
	/* The entity tag, without quotes, of these very bytes (a digest of them): with it a client
	 * goes on where it stopped, and asks whether it has them. NULL: only by the date. */
	const char *tag;
	int64_t modified; /* milliseconds since the epoch; 0: as the file has it */
	/* Content-Security-Policy; NULL: "sandbox; default-src 'none'; img-src 'self'; style-src
	 * 'unsafe-inline'" */
	const char *policy;
	/* New fields go here, and nowhere else. */
};

/*
 * For an op with STET_FILE, in the read or the slow lane: answer with this file, from its beginning
 * to the end that it has now. The descriptor is the call's from here on, whatever comes of it. The
 * bytes go from the disk to the socket without passing through the handler, as the client takes
 * them: a file may be removed meanwhile, but must not be written to. HEAD, Range, If-Range,
 * If-Match, If-None-Match, If-Modified-Since and If-Unmodified-Since are answered by the core.
 */
STET_API STET_MUST enum stet_status stet_reply_file(
    struct stet_call *, int fd, const struct stet_file_answer *);

#endif
