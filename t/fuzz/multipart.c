/* multipart.c - form data: a step, a Content-Type up to the first line end, and the body after it.
 */
#include "http/multipart.h"
#include "base/buf.h"
#include "fuzz.h"
#include <stdbool.h>
#include <string.h>

/* Records all events as text, with a NUL after each string. */
struct outcome {
	struct buf log;
	bool fed, finished, open;
	int parts;
};

static void
add_string(struct outcome *o, const char *s)
{
	const char *p;

	for (p = s; p != NULL && *p != '\0'; p++)
		must((unsigned char)*p >= ' ' && *p != 0x7f);
	must(s == NULL || strlen(s) < MULTIPART_HEAD_MAX);
	buf_char(&o->log, s != NULL ? '+' : '-');
	if (s != NULL)
		buf_add(&o->log, s, strlen(s) + 1);
}

static bool
on_part(void *ctx, const char *name, const char *filename, const char *type)
{
	struct outcome *o = ctx;

	must(!o->open && ++o->parts <= MULTIPART_PARTS_MAX);
	must(name != NULL && *name != '\0');
	o->open = true;
	add_string(o, name);
	add_string(o, filename);
	add_string(o, type);
	return true;
}

static bool
on_data(void *ctx, const char *data, size_t len)
{
	struct outcome *o = ctx;

	must(o->open && len > 0);
	buf_add(&o->log, data, len);
	return true;
}

static bool
on_end(void *ctx)
{
	struct outcome *o = ctx;

	must(o->open);
	o->open = false;
	buf_char(&o->log, '\0');
	return true;
}

static struct outcome
decode(const char *boundary, const char *in, size_t len, size_t step)
{
	static const struct multipart_events events = { on_part, on_data, on_end };
	struct outcome o = { .fed = true };
	struct multipart *m = multipart_new(boundary, &events, &o);
	size_t at, n;
	char *block;

	buf_str(&o.log, "");
	for (at = 0; at < len; at += n) {
		n = len - at < step ? len - at : step;
		block = malloc(n);
		must(block != NULL);
		memcpy(block, in + at, n);
		o.fed = multipart_feed(m, block, n);
		must(o.fed || multipart_why(m) != NULL);
		free(block);
	}
	o.finished = multipart_finish(m);
	must(o.fed || !o.finished);
	must(o.finished == (multipart_why(m) == NULL));
	must(!(o.finished && o.open));
	multipart_free(m);
	return o;
}

static void
must_agree(
    const struct outcome *whole, const char *boundary, const char *in, size_t len, size_t step)
{
	struct outcome o = decode(boundary, in, len, step);

	must(o.fed == whole->fed && o.finished == whole->finished);
	must(o.parts == whole->parts && o.log.len == whole->log.len);
	must(o.log.len == 0 || memcmp(o.log.data, whole->log.data, o.log.len) == 0);
	buf_free(&o.log);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *in = (const char *)data + 1, *line;
	char boundary[71] = "b", *type;
	struct outcome whole;

	if (len < 2)
		return 0;
	len--;
	line = memchr(in, '\n', len);
	if (line != NULL) {
		type = strndup(in, (size_t)(line - in));
		must(type != NULL);
		if (multipart_boundary(type, boundary))
			must(strlen(boundary) >= 1 && strlen(boundary) <= 70);
		else
			memcpy(boundary, "b", 2);
		free(type);
		len -= (size_t)(line + 1 - in);
		in = line + 1;
	}
	whole = decode(boundary, in, len, len + 1);
	must_agree(&whole, boundary, in, len, 1);
	must_agree(&whole, boundary, in, len, data[0] + 1U);
	buf_free(&whole.log);
	return 0;
}
