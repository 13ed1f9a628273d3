/* operand.c - reads the value of a condition, by the type of the field or date that it is compared
 * with. */
#include "read/read.h"
#include <math.h>
#include <string.h>

#define STRING_MAX 2048 /* characters */
static bool
operand_time(const struct operand *o, const char *s, struct stet_val *out)
{
	int64_t ms;

	if (!stet_time_parse(s, &ms)) {
		stet_issue(o->call, o->path, "must be an ISO 8601 date or date-time");
		return false;
	}
	*out = stet_val_str(stet_time_text(o->call, o->last ? stet_time_last(s, ms) : ms));
	return true;
}

static bool
operand_string(const struct operand *o, const json_t *v, struct stet_val *out)
{
	const char *s = json_string_value(v);

	if (s == NULL) {
		stet_issue(o->call, o->path, "must be a string");
		return false;
	}
	if (stet_utf8_length(s) > STRING_MAX) {
		stet_issue(o->call, o->path, "must be at most %d characters", STRING_MAX);
		return false;
	}
	if (o->time)
		return operand_time(o, s, out);
	*out = stet_val_str(s);
	return true;
}

static bool
operand_number(const struct operand *o, const json_t *v, bool integer, struct stet_val *out)
{
	double x = json_number_value(v);

	if (json_is_integer(v)) {
		*out = integer ? stet_val_int(json_integer_value(v)) : stet_val_real(x);
		return true;
	}
	if (!json_is_real(v) || (integer && (floor(x) != x || fabs(x) > 9007199254740992.0))) {
		stet_issue(o->call, o->path, "must be %s", integer ? "an integer" : "a number");
		return false;
	}
	*out = integer ? stet_val_int((int64_t)x) : stet_val_real(x);
	return true;
}

bool
operand_is_boolean(const json_t *v, bool *out)
{
	const char *s = json_string_value(v);
	bool yes = json_is_true(v) || (json_is_integer(v) && json_integer_value(v) == 1) ||
		   (s != NULL && (strcmp(s, "true") == 0 || strcmp(s, "1") == 0));
	bool no = json_is_false(v) || (json_is_integer(v) && json_integer_value(v) == 0) ||
		  (s != NULL && (strcmp(s, "false") == 0 || strcmp(s, "0") == 0));

	*out = yes;
	return yes || no;
}

static bool
operand_boolean(const struct operand *o, const json_t *v, struct stet_val *out)
{
	bool yes;

	if (!operand_is_boolean(v, &yes)) {
		stet_issue(o->call, o->path, "must be true, false, 1 or 0");
		return false;
	}
	*out = stet_val_int(yes);
	return true;
}

bool
operand_read(const struct operand *o, const json_t *v, struct stet_val *out)
{
	if (o->kind == AS_INTEGER || o->kind == AS_REAL)
		return operand_number(o, v, o->kind == AS_INTEGER, out);
	if (o->kind != AS_BOOLEAN)
		return operand_string(o, v, out);
	return operand_boolean(o, v, out);
}

static size_t
encode(unsigned char *out, uint32_t c)
{
	static const uint32_t lead[] = { 0, 0xc0, 0xe0, 0xf0 };
	const size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

	out[0] = (unsigned char)(lead[more] | c >> 6 * more);
	for (size_t i = 1; i <= more; i++)
		out[i] = (unsigned char)(0x80 | (c >> 6 * (more - i) & 0x3f));
	return more + 1;
}

const char *
operand_after(struct stet_call *call, const char *prefix)
{
	size_t len = strlen(prefix);
	unsigned char *out = stet_alloc(call, len + 4);

	memcpy(out, prefix, len);
	/* Increments the last character, or drops it if there is no greater one. */
	while (len > 0) {
		size_t at = len - 1;
		uint32_t c;

		while (at > 0 && (out[at] & 0xc0) == 0x80)
			at--;
		c = len - at == 1 ? out[at] : out[at] & (0x7fu >> (len - at));
		for (size_t i = at + 1; i < len; i++)
			c = c << 6 | (out[i] & 0x3fu);
		c += c == 0xd7ff ? 0x801 : 1;
		if (c <= 0x10ffff) {
			out[at + encode(&out[at], c)] = '\0';
			return (char *)out;
		}
		len = at;
	}
	return NULL;
}
