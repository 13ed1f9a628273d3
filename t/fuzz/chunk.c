/* chunk.c - chunked bodies: the first byte says in which steps the rest is fed. */
#include "fuzz.h"
#include "http/http1.h"
#include <stdbool.h>
#include <string.h>

struct outcome {
	char *content;
	size_t len, consumed;
	bool done, refused;
};

/* Feeds a piece as a block of its own size. */
static void
feed(struct http1_chunks *c, const char *in, size_t len, struct outcome *o)
{
	char *block = malloc(len), *p = block;
	const char *data;
	size_t size;
	long n;

	must(block != NULL);
	memcpy(block, in, len);
	while (p < block + len && !c->done && !o->refused) {
		n = http1_chunk(c, p, (size_t)(block + len - p), &data, &size);
		o->refused = n < 0;
		if (n < 0)
			break;
		must(n > 0 && n <= block + len - p);
		must(data >= p && data + size <= p + n);
		memcpy(o->content + o->len, data, size);
		o->len += size;
		o->consumed += (size_t)n;
		p += n;
	}
	must(c->overhead <= HTTP1_OVERHEAD_MAX || o->refused);
	o->done = c->done;
	free(block);
}

static struct outcome
decode(const char *in, size_t len, size_t step)
{
	struct http1_chunks c = { 0 };
	struct outcome o = { .content = malloc(len + 1) };
	size_t at;

	must(o.content != NULL);
	for (at = 0; at < len && !o.refused && !o.done; at += step)
		feed(&c, in + at, len - at < step ? len - at : step, &o);
	must(!(o.done && o.refused));
	must(o.consumed <= len);
	return o;
}

static void
must_agree(const struct outcome *whole, const char *in, size_t len, size_t step)
{
	struct outcome o = decode(in, len, step);

	must(o.done == whole->done && o.refused == whole->refused);
	must(o.len == whole->len && memcmp(o.content, whole->content, o.len) == 0);
	must(o.refused || o.consumed == whole->consumed);
	free(o.content);
}

/* The content, encoded as one chunk without extensions or trailers, must decode to itself. */
static void
must_come_back(const struct outcome *whole)
{
	char *text = malloc(whole->len + 64);
	size_t len = 0;
	struct outcome o;

	must(text != NULL);
	if (whole->len > 0) {
		len = (size_t)snprintf(text, 32, "%zX\r\n", whole->len);
		memcpy(text + len, whole->content, whole->len);
		len += whole->len;
		memcpy(text + len, "\r\n", 2);
		len += 2;
	}
	memcpy(text + len, "0\r\n\r\n", 5);
	len += 5;
	o = decode(text, len, len);
	must(o.done && o.consumed == len);
	must(o.len == whole->len && memcmp(o.content, whole->content, o.len) == 0);
	free(o.content);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *in = (const char *)data + 1;
	struct outcome whole;

	if (len < 2)
		return 0;
	len--;
	whole = decode(in, len, len);
	must_agree(&whole, in, len, 1);
	must_agree(&whole, in, len, data[0] + 1U);
	if (whole.done) {
		/* Bytes after the body must not change the result. */
		must_agree(&whole, in, whole.consumed, whole.consumed);
		must_come_back(&whole);
	}
	free(whole.content);
	return 0;
}
