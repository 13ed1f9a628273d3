/* header.c - writes the lines of a reply's head. */
#include "op/header.h"
#include "base/buf.h"
#include "http/http1.h"
#include <string.h>
#include <strings.h>

static const struct {
	int status;
	const char *line;
} lines[] = {
	{ 200, "HTTP/1.1 200 OK\r\n" },
	{ 201, "HTTP/1.1 201 Created\r\n" },
	{ 202, "HTTP/1.1 202 Accepted\r\n" },
	{ 204, "HTTP/1.1 204 No Content\r\n" },
	{ 206, "HTTP/1.1 206 Partial Content\r\n" },
	{ 302, "HTTP/1.1 302 Found\r\n" },
	{ 303, "HTTP/1.1 303 See Other\r\n" },
	{ 304, "HTTP/1.1 304 Not Modified\r\n" },
	{ 400, "HTTP/1.1 400 Bad Request\r\n" },
	{ 401, "HTTP/1.1 401 Unauthorized\r\n" },
	{ 403, "HTTP/1.1 403 Forbidden\r\n" },
	{ 404, "HTTP/1.1 404 Not Found\r\n" },
	{ 405, "HTTP/1.1 405 Method Not Allowed\r\n" },
	{ 406, "HTTP/1.1 406 Not Acceptable\r\n" },
	{ 408, "HTTP/1.1 408 Request Timeout\r\n" },
	{ 409, "HTTP/1.1 409 Conflict\r\n" },
	{ 410, "HTTP/1.1 410 Gone\r\n" },
	{ 412, "HTTP/1.1 412 Precondition Failed\r\n" },
	{ 413, "HTTP/1.1 413 Content Too Large\r\n" },
	{ 415, "HTTP/1.1 415 Unsupported Media Type\r\n" },
	{ 416, "HTTP/1.1 416 Range Not Satisfiable\r\n" },
	{ 417, "HTTP/1.1 417 Expectation Failed\r\n" },
	{ 422, "HTTP/1.1 422 Unprocessable Content\r\n" },
	{ 429, "HTTP/1.1 429 Too Many Requests\r\n" },
	{ 431, "HTTP/1.1 431 Request Header Fields Too Large\r\n" },
	{ 500, "HTTP/1.1 500 Internal Server Error\r\n" },
	{ 501, "HTTP/1.1 501 Not Implemented\r\n" },
	{ 502, "HTTP/1.1 502 Bad Gateway\r\n" },
	{ 503, "HTTP/1.1 503 Service Unavailable\r\n" },
	{ 505, "HTTP/1.1 505 HTTP Version Not Supported\r\n" },
	{ 507, "HTTP/1.1 507 Insufficient Storage\r\n" },
};
void
header_status(struct buf *b, int status)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (lines[i].status == status) {
			buf_str(b, lines[i].line);
			return;
		}
	}
	buf_printf(b, "HTTP/1.1 %d Status\r\n", status);
}

void
header_number(struct buf *b, const char *name, uint64_t n)
{
	char text[21];
	size_t at = sizeof(text) - 1;

	text[at] = '\0';
	do
		text[--at] = (char)('0' + n % 10);
	while ((n /= 10) != 0);
	header_put(b, name, text + at);
}

void
header_put(struct buf *b, const char *name, const char *value)
{
	size_t name_len = strlen(name), len = strlen(value);
	char *to = buf_room(b, name_len + len + 4);

	to = mempcpy(mempcpy(to, name, name_len), ": ", 2);
	buf_wrote(b, mempcpy(mempcpy(to, value, len), "\r\n", 2));
}

void
header_methods(struct buf *b, const char *header, unsigned allowed)
{
	bool first = true;

	if ((allowed & 1U << HTTP_GET) != 0)
		allowed |= 1U << HTTP_HEAD;
	allowed |= 1U << HTTP_OPTIONS;
	buf_str(b, header);
	for (int m = 0; m < HTTP_OTHER; m++) {
		if ((allowed & 1U << m) == 0)
			continue;
		buf_str(b, first ? ": " : ", ");
		buf_str(b, http1_method_name[m]);
		first = false;
	}
	buf_add(b, "\r\n", 2);
}

bool
header_has(const struct call_pair *p, const char *name)
{
	for (; p != NULL; p = p->next)
		if (strcasecmp(p->name, name) == 0)
			return true;
	return false;
}
