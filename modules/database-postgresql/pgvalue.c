/* pgvalue.c - reads and writes PostgreSQL's binary forms. */
#include "pgvalue.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 32 /* bytes of a number as text */

/* ---- reading ---- */

/* An unsigned integer of `len` bytes, the highest first. */
static uint64_t
unpack(const char *data, int len)
{
	uint64_t n = 0;

	for (int i = 0; i < len; i++)
		n = n << 8 | (unsigned char)data[i];
	return n;
}

static double
unpack_real(const struct pg_cell *c)
{
	uint64_t bits = unpack(c->data, c->len);
	uint32_t half = (uint32_t)bits;
	float single;
	double real;

	if (c->len == 4) {
		memcpy(&single, &half, sizeof(single));
		return (double)single;
	}
	memcpy(&real, &bits, sizeof(real));
	return real;
}

/* numeric: the number of digits, the weight of the first, the sign, how many to show; then digits
 * of base 10,000. Returns false if it is not whole, or too large. */
static bool
numeric_whole(const struct pg_cell *c, int64_t *out)
{
	int digits = (int)unpack(c->data, 2), weight = (int16_t)unpack(c->data + 2, 2);
	bool negative = unpack(c->data + 4, 2) != 0;
	int64_t n = 0;

	if (weight > 4 || digits > weight + 1)
		return false;
	for (int i = 0; i <= weight; i++) {
		int64_t digit = i < digits ? (int64_t)unpack(c->data + 8 + 2 * (size_t)i, 2) : 0;

		if (__builtin_mul_overflow(n, 10000, &n) || __builtin_add_overflow(n, digit, &n))
			return false;
	}
	*out = negative ? -n : n;
	return true;
}

static double
numeric_real(const struct pg_cell *c)
{
	int digits = (int)unpack(c->data, 2), weight = (int16_t)unpack(c->data + 2, 2);
	bool negative = unpack(c->data + 4, 2) != 0;
	double n = 0;

	for (int i = 0; i < digits; i++)
		n += (double)unpack(c->data + 8 + 2 * (size_t)i, 2) * pow(10000, weight - i);
	return negative ? -n : n;
}

/* Returns false for a type that is no integer. */
static bool
whole(const struct pg_cell *c, int64_t *out)
{
	switch (c->type) {
	case PG_INT8:
		*out = (int64_t)unpack(c->data, 8);
		return true;
	case PG_INT4:
		*out = (int32_t)unpack(c->data, 4);
		return true;
	case PG_INT2:
		*out = (int16_t)unpack(c->data, 2);
		return true;
	case PG_BOOL:
		*out = c->data[0] != 0;
		return true;
	case PG_NUMERIC:
		return numeric_whole(c, out);
	default:
		return false;
	}
}

static bool
is_real(const struct pg_cell *c)
{
	return c->type == PG_FLOAT8 || c->type == PG_FLOAT4 || c->type == PG_NUMERIC;
}

static double
real_of(const struct pg_cell *c)
{
	return c->type == PG_NUMERIC ? numeric_real(c) : unpack_real(c);
}

/* As SQLite converts: a number that is too large becomes the largest. */
static int64_t
clamped(double real)
{
	if (isnan(real))
		return 0;
	if (real >= 9223372036854775808.0)
		return INT64_MAX;
	return real < -9223372036854775808.0 ? INT64_MIN : (int64_t)real;
}

int64_t
pgvalue_int(const struct pg_cell *c)
{
	int64_t n = 0;

	if (c->data == NULL)
		return 0;
	if (whole(c, &n))
		return n;
	return is_real(c) ? clamped(real_of(c)) : strtoll(c->data, NULL, 10);
}

double
pgvalue_real(const struct pg_cell *c)
{
	int64_t n = 0;

	if (c->data == NULL)
		return 0;
	if (is_real(c))
		return real_of(c);
	return whole(c, &n) ? (double)n : strtod(c->data, NULL);
}

const char *
pgvalue_text(const struct pg_cell *c, struct arena *arena, size_t *len)
{
	char *text;
	int64_t n;

	if (c->data == NULL) {
		*len = 0;
		return NULL;
	}
	if (!is_real(c) && !whole(c, &n)) {
		*len = (size_t)c->len;
		return c->data;
	}
	text = arena_alloc(arena, NUMBER_MAX);
	if (whole(c, &n)) {
		*len = (size_t)snprintf(text, NUMBER_MAX, "%lld", (long long)n);
		return text;
	}
	/* As SQLite writes it: a real number never looks like an integer. */
	*len = (size_t)snprintf(text, NUMBER_MAX - 2, "%.15g", real_of(c));
	if (strpbrk(text, ".en") == NULL)
		*len = (size_t)(stpcpy(text + *len, ".0") - text);
	return text;
}

/* ---- sending ---- */

static struct pg_sent
packed(struct arena *arena, uint64_t n, int len)
{
	char *data = arena_alloc(arena, 8);

	for (int i = len - 1; i >= 0; i--, n >>= 8)
		data[i] = (char)(n & 0xff);
	return (struct pg_sent){ data, len, 1 };
}

static struct pg_sent
packed_real(struct arena *arena, double real)
{
	uint64_t bits;

	memcpy(&bits, &real, sizeof(bits));
	return packed(arena, bits, 8);
}

static struct pg_sent
as_text(const char *text, size_t len)
{
	return (struct pg_sent){ text, (int)len, 1 };
}

static struct pg_sent
printed(struct arena *arena, const struct stet_val *v)
{
	char *text = arena_alloc(arena, NUMBER_MAX);

	(void)(v->type == STET_V_INT ? snprintf(text, NUMBER_MAX, "%lld", (long long)v->u.i)
				     : snprintf(text, NUMBER_MAX, "%.17g", v->u.r));
	return as_text(text, strlen(text));
}

/* The integer that a value is, also as a text: as a column of integers of SQLite takes it. */
static bool
is_whole(const struct stet_val *v, int64_t *n)
{
	char *end;

	switch (v->type) {
	case STET_V_INT:
		*n = v->u.i;
		return true;
	case STET_V_REAL:
		*n = clamped(v->u.r);
		return (double)*n == v->u.r;
	case STET_V_TEXT:
		*n = strtoll(v->u.s, &end, 10);
		return v->len > 0 && end == v->u.s + v->len;
	default:
		return false;
	}
}

static bool
send_int(const struct stet_val *v, int len, struct arena *arena, struct pg_sent *out)
{
	int64_t n, most = len == 8 ? INT64_MAX : len == 4 ? INT32_MAX : INT16_MAX;

	if (!is_whole(v, &n) || n > most || n < -most - 1)
		return false;
	*out = packed(arena, (uint64_t)n, len);
	return true;
}

static bool
send_real(const struct stet_val *v, struct arena *arena, struct pg_sent *out)
{
	char *end;
	double real;

	if (v->type == STET_V_TEXT) {
		real = strtod(v->u.s, &end);
		if (v->len == 0 || end != v->u.s + v->len)
			return false;
	} else if (v->type == STET_V_BLOB) {
		return false;
	} else
		real = v->type == STET_V_INT ? (double)v->u.i : v->u.r;
	*out = packed_real(arena, real);
	return true;
}

bool
pgvalue_send(const struct stet_val *v, Oid type, struct arena *arena, struct pg_sent *out)
{
	int64_t n;

	*out = (struct pg_sent){ NULL, 0, 1 };
	if (v->type == STET_V_NULL)
		return true;
	switch (type) {
	case PG_INT8:
		return send_int(v, 8, arena, out);
	case PG_INT4:
		return send_int(v, 4, arena, out);
	case PG_INT2:
		return send_int(v, 2, arena, out);
	case PG_FLOAT8:
		return send_real(v, arena, out);
	case PG_BOOL:
		if (!is_whole(v, &n))
			return false;
		*out = packed(arena, n != 0, 1);
		return true;
	case PG_NUMERIC:
		if (v->type == STET_V_BLOB)
			return false;
		*out = v->type == STET_V_TEXT
			   ? as_text(arena_strndup(arena, v->u.s, v->len), v->len)
			   : printed(arena, v);
		out->format = 0; /* as a text that ends with a NUL */
		return true;
	default:
		*out = v->type == STET_V_INT || v->type == STET_V_REAL
			   ? printed(arena, v)
			   : as_text(v->type == STET_V_TEXT ? v->u.s : v->u.b, v->len);
		if (out->data == NULL)
			out->data = "";
		return true;
	}
}
