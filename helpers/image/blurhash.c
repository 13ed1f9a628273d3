/* blurhash.c - the encoder of blurhashes: few cosine components of an image, in 28 characters. */
#include "blurhash.h"
#include <math.h>
#include <stdio.h>

#define ACROSS 4
#define DOWN 3
#define COMPONENTS (ACROSS * DOWN)
#define SIZE_FLAG ((ACROSS - 1) + (DOWN - 1) * 9)

struct color {
	double r, g, b;
};

static char *
put_base83(char *out, unsigned value, int digits)
{
	static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "abcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

	for (int i = digits - 1; i >= 0; i--) {
		out[i] = alphabet[value % 83];
		value /= 83;
	}
	return out + digits;
}

static double
to_linear(unsigned char value)
{
	double v = value / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static unsigned
to_srgb(double value)
{
	double v = fmax(0, fmin(1, value));

	return v <= 0.0031308 ? (unsigned)(v * 12.92 * 255 + 0.5)
			      : (unsigned)((1.055 * pow(v, 1 / 2.4) - 0.055) * 255 + 0.5);
}

static struct color
component(const struct pixels *p, const double linear[256], int x, int y)
{
	double norm = x == 0 && y == 0 ? 1 : 2, scale;
	struct color sum = { 0, 0, 0 };

	for (size_t row = 0; row < p->height; row++) {
		double across = cos(M_PI * y * (double)row / (double)p->height);
		const unsigned char *at = p->bytes + row * p->width * p->bands;

		for (size_t column = 0; column < p->width; column++, at += p->bands) {
			double basis = cos(M_PI * x * (double)column / (double)p->width) * across;

			sum.r += basis * linear[at[0]];
			sum.g += basis * linear[at[1]];
			sum.b += basis * linear[at[2]];
		}
	}
	scale = norm / ((double)p->width * (double)p->height);
	return (struct color){ sum.r * scale, sum.g * scale, sum.b * scale };
}

static unsigned
quantized(double value, double most)
{
	double ratio = value / most;
	double root = copysign(sqrt(fabs(ratio)), ratio);

	return (unsigned)fmax(0, fmin(18, floor(root * 9 + 9.5)));
}

static double
largest(const struct color *of)
{
	double most = of[1].r;

	for (int i = 1; i < COMPONENTS; i++)
		most = fmax(most, fmax(of[i].r, fmax(of[i].g, of[i].b)));
	return most;
}

void
blurhash_encode(const struct pixels *p, char out[BLURHASH_SIZE])
{
	struct color of[COMPONENTS];
	double linear[256], most;
	unsigned level;
	char *at = out;

	for (int i = 0; i < 256; i++)
		linear[i] = to_linear((unsigned char)i);
	for (int i = 0; i < COMPONENTS; i++)
		of[i] = component(p, linear, i % ACROSS, i / ACROSS);
	level = (unsigned)fmax(0, fmin(82, floor(largest(of) * 166 - 0.5)));
	most = (level + 1) / 166.0;
	at = put_base83(at, SIZE_FLAG, 1);
	at = put_base83(at, level, 1);
	at = put_base83(at, to_srgb(of[0].r) << 16 | to_srgb(of[0].g) << 8 | to_srgb(of[0].b), 4);
	for (int i = 1; i < COMPONENTS; i++)
		at = put_base83(at,
		    quantized(of[i].r, most) * 19 * 19 + quantized(of[i].g, most) * 19 +
			quantized(of[i].b, most),
		    2);
	*at = '\0';
}

void
blurhash_color(const struct pixels *p, char out[COLOR_SIZE])
{
	unsigned long long sum[3] = { 0, 0, 0 }, count = 0;
	const unsigned char *at = p->bytes, *end = at + p->width * p->height * p->bands;

	for (; at < end; at += p->bands) {
		if (p->bands == 4 && at[3] < 128)
			continue;
		for (int i = 0; i < 3; i++)
			sum[i] += at[i];
		count++;
	}
	for (int i = 0; i < 3; i++)
		sum[i] = count > 0 ? (sum[i] + count / 2) / count : 0;
	(void)snprintf(out, COLOR_SIZE, "#%02x%02x%02x", (unsigned)sum[0] & 0xff,
	    (unsigned)sum[1] & 0xff, (unsigned)sum[2] & 0xff);
}
