/*
 * http1.h - HTTP/1.1 messages, strictly (RFC 9110, RFC 9112): bytes in, slices out. No I/O, no
 * memory of its own. What is refused, and with which status, is in http1.c above each check.
 */
#ifndef CORE_HTTP1_H
#define CORE_HTTP1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HTTP1_HEAD_MAX 16384
#define HTTP1_HEADERS_MAX 100
/* Chunk extensions of one size line; and extensions and trailers of one body, in all. */
#define HTTP1_EXTENSION_MAX 256
#define HTTP1_OVERHEAD_MAX 16384

enum http_method {
	HTTP_GET,
	HTTP_HEAD,
	HTTP_POST,
	HTTP_PUT,
	HTTP_PATCH,
	HTTP_DELETE,
	HTTP_OPTIONS,
	HTTP_OTHER /* a token that we have no routes for */
};
extern const char *const http1_method_name[];

struct http1_header {
	char *name; /* lower case, NUL-terminated */
	char *value; /* trimmed, NUL-terminated */
};

/* All strings lie in the head's own bytes. */
struct http1_head {
	enum http_method method;
	char *path; /* of the target, as sent: still percent-encoded; starts with '/' or is "*" */
	char *query; /* after '?', as sent; NULL when there is none */
	/* Lower case, without port ("example.org", "[::1]"); "" when HTTP/1.0 came without one. The
	 * header's own value is this string too. */
	const char *host;
	int port; /* that Host gave; 0: none */
	int minor; /* HTTP/1.minor */
	bool keep_alive, chunked;
	bool expect_continue; /* and a body is to come */
	bool has_length;
	uint64_t length; /* Content-Length, at most INT64_MAX; 0 without one */
	struct http1_header header[HTTP1_HEADERS_MAX];
	size_t header_count;
	/* When the head is refused: the status to answer, and why. */
	int status;
	const char *why;
};

/* Where the head ends (past its CRLF CRLF), 0 when more bytes are needed, -1 when what is there can
 * never become a good head (a bare CR or LF, NUL; or more than HTTP1_HEAD_MAX bytes: *status tells,
 * 400 or 431). `*scanned` remembers between calls how far was looked; start with 0. One empty line
 * before the head belongs to it. */
long http1_head_end(const char *, size_t, size_t *scanned, int *status);
/* Parse a whole head in place (it is changed: cut into strings). false: refused, see status and
 * why; of a refused head nothing else may be used. */
bool http1_parse(char *head, size_t len, struct http1_head *);
/* The value of the first header of that name. NULL: not there. */
const char *http1_header(const struct http1_head *, const char *lower_case_name);

/* Chunked transfer coding. Zero-initialised is the start. */
struct http1_chunks {
	int state;
	uint64_t left; /* of the current chunk */
	size_t line; /* length of the size line so far */
	size_t overhead; /* bytes of extensions and trailers so far */
	bool done; /* the last chunk and its trailer are through */
};
/* Take some of `in`: returns how many bytes were consumed (0: more are needed, or it was done), -1
 * for a malformed body, now and ever after. *data and *size tell which of the consumed bytes are
 * content (size may be 0). Bytes after the end of the body are left alone. */
long http1_chunk(
    struct http1_chunks *, const char *in, size_t len, const char **data, size_t *size);

/* The lower case of a character that may stand in a token (RFC 9110, 5.6.2), 0 for all others. */
extern const unsigned char http1_token[256];

#endif
