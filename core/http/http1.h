/*
 * http1.h - parses HTTP/1.1 messages strictly (RFC 9110, RFC 9112). Bytes go in, slices of the same
 * bytes come out: no I/O and no allocation. A request that two parsers could read differently is
 * refused, since such differences let requests be smuggled past a proxy. Which requests are
 * refused, and with which status, stands in http1.c above each check.
 */
#ifndef CORE_HTTP1_H
#define CORE_HTTP1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HTTP1_HEAD_MAX 16384
#define HTTP1_HEADERS_MAX 100
/* Limits of chunked bodies: bytes of chunk extensions in one size line, and bytes of extensions
 * and trailers in one body. */
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
	HTTP_OTHER /* another token: no op has such a method */
};
extern const char *const http1_method_name[];

struct http1_header {
	char *name; /* lower case, NUL-terminated */
	char *value; /* trimmed, NUL-terminated */
};

/* A parsed head. All strings lie in the bytes given to http1_parse and live as long as they do. */
struct http1_head {
	enum http_method method;
	char
	    *path; /* the target's path as sent, still percent-encoded; starts with '/' or is "*" */
	char *query; /* what follows '?', as sent; NULL: no '?' */
	/* Lower case, without port ("example.org", "[::1]"); "" if HTTP/1.0 came without Host.
	 * The header Host has this same string as its value. */
	const char *host;
	int port; /* the port in Host; 0: none */
	int minor; /* HTTP/1.minor */
	bool keep_alive, chunked;
	bool expect_continue; /* Expect: 100-continue was sent and a body follows */
	bool has_length;
	uint64_t length; /* Content-Length, at most 18 digits; 0 if absent */
	struct http1_header header[HTTP1_HEADERS_MAX];
	size_t header_count;
	/* If the head is refused: the status to answer with, and the reason in words. */
	int status;
	const char *why;
};

/* Finds the end of a head. Returns its length, including the empty line at its end; 0 if more
 * bytes are needed; -1 if the bytes can never become a good head, with *status 400 (a bare CR or
 * LF, another control byte) or 431 (longer than HTTP1_HEAD_MAX). *scanned keeps how far earlier
 * calls have looked; it starts at 0. One empty line before the request line is accepted (RFC
 * 9112, 2.2) and counts as part of the head. */
long http1_head_end(const char *, size_t, size_t *scanned, int *status);
/* Parses a whole head in place: the bytes are cut into strings. Returns false if it is refused;
 * then only `status` and `why` may be used. */
bool http1_parse(char *head, size_t len, struct http1_head *);
/* Returns the value of the first header of that name, or NULL. */
const char *http1_header(const struct http1_head *, const char *lower_case_name);

/* The state of the decoder for chunked bodies (RFC 9112, 7.1). All zero is the start. */
struct http1_chunks {
	int state;
	uint64_t left; /* bytes left of the current chunk */
	size_t line; /* length of the size line so far */
	size_t overhead; /* bytes of extensions and trailers so far */
	bool done; /* the last chunk and the trailers have been read */
};
/* Decodes some of `in`. Returns how many bytes it consumed; 0 if more are needed or the body is
 * done; -1 if the body is malformed, and on each later call. *data and *size are set to the
 * content among the consumed bytes; *size may be 0. Bytes after the end of the body are not
 * consumed: they belong to the next request. */
long http1_chunk(
    struct http1_chunks *, const char *in, size_t len, const char **data, size_t *size);

/* Maps a character that may stand in a token (RFC 9110, 5.6.2) to its lower case, and all others
 * to 0. */
extern const unsigned char http1_token[256];

#endif
