/* http1.c - heads of requests: the first byte says in which steps the rest is fed. */
#include "http/http1.h"
#include "fuzz.h"
#include <stdbool.h>
#include <string.h>

static long
head_end(const char *in, size_t len, size_t step, int *status)
{
	size_t have = 0, scanned = 0;
	long end = 0;

	*status = 0;
	while (end == 0 && have < len) {
		have = len - have > step ? have + step : len;
		end = http1_head_end(in, have, &scanned, status);
		must(scanned <= have);
		must(end <= (long)have);
		must(end >= 0 || *status == 400 || *status == 431);
	}
	return end;
}

/* Returns true if this string ends inside the text. */
static void
must_be_within(const char *s, const char *text, size_t len)
{
	must(s >= text && s < text + len);
	must(memchr(s, '\0', len - (size_t)(s - text)) != NULL);
}

static void
headers_must_be_sound(const struct http1_head *head, const char *text, size_t len)
{
	const struct http1_header *h = head->header, *end = h + head->header_count;
	const char *p;

	must(head->host != NULL && (head->host[0] != '\0' || head->minor == 0));
	must(head->port >= 0 && head->port <= 65535);
	must(head->header_count <= HTTP1_HEADERS_MAX);
	for (; h < end; h++) {
		must_be_within(h->name, text, len);
		must_be_within(h->value, text, len);
		for (p = h->name; *p != '\0'; p++)
			must(http1_token[(unsigned char)*p] == (unsigned char)*p);
		must(p != h->name);
		for (p = h->value; *p != '\0'; p++)
			must(((unsigned char)*p >= ' ' && *p != 0x7f) || *p == '\t');
		must(http1_header(head, h->name) != NULL);
	}
}

static void
must_be_sound(const struct http1_head *head, const char *text, size_t len)
{
	const char *p;

	must(head->method <= HTTP_OTHER && (head->minor == 0 || head->minor == 1));
	must_be_within(head->path, text, len);
	must(head->path[0] == '/' || strcmp(head->path, "*") == 0);
	for (p = head->path; *p != '\0'; p++)
		must(*p > ' ' && *p < 0x7f && *p != '#' && *p != '?');
	if (head->query != NULL)
		must_be_within(head->query, text, len);
	must(!head->chunked || (!head->has_length && head->minor == 1));
	must(head->length <= INT64_MAX && (head->has_length || head->length == 0));
	headers_must_be_sound(head, text, len);
}

/* Writes the head again in its simplest form, which must parse to the same result. */
static void
must_read_the_same(const struct http1_head *head, const char *method)
{
	static char text[2 * HTTP1_HEAD_MAX + 4 * HTTP1_HEADERS_MAX + 4096];
	static struct http1_head again;
	char *p = text, *end = text + sizeof(text);
	size_t i;

	p += snprintf(p, (size_t)(end - p), "%s %s%s%s HTTP/1.%d\r\n", method, head->path,
	    head->query != NULL ? "?" : "", head->query != NULL ? head->query : "", head->minor);
	for (i = 0; i < head->header_count; i++)
		p += snprintf(p, (size_t)(end - p), "%s: %s\r\n", head->header[i].name,
		    head->header[i].value);
	p += snprintf(p, (size_t)(end - p), "\r\n");
	must(p < end);
	must(http1_parse(text, (size_t)(p - text), &again));
	must(again.method == head->method && again.minor == head->minor);
	must(strcmp(again.path, head->path) == 0 && strcmp(again.host, head->host) == 0);
	must(again.chunked == head->chunked && again.has_length == head->has_length);
	must(again.length == head->length && again.keep_alive == head->keep_alive);
	must(again.expect_continue == head->expect_continue);
	must(again.header_count == head->header_count);
	for (i = 0; i < head->header_count; i++)
		must(strcmp(again.header[i].value, head->header[i].value) == 0);
}

/* Copies the text to a block of its exact size, so that sanitizers notice an access past it. */
static void
parse(const char *in, size_t len)
{
	static struct http1_head head;
	char *text = malloc(len + (len == 0));

	must(text != NULL);
	memcpy(text, in, len);
	if (http1_parse(text, len, &head)) {
		must_be_sound(&head, text, len);
		must_read_the_same(&head, text + (text[0] == '\r' ? 2 : 0));
	} else
		must(head.why != NULL && head.status >= 400 && head.status <= 505);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *in = (const char *)data + 1;
	int status, other;
	long end;

	if (len < 2)
		return 0;
	len--;
	end = head_end(in, len, len, &status);
	must(head_end(in, len, 1, &other) == end && other == status);
	must(head_end(in, len, data[0] + 1U, &other) == end && other == status);
	if (end > 0)
		parse(in, (size_t)end);
	/* The parser does not rely on what head_end has seen. */
	parse(in, len);
	return 0;
}
