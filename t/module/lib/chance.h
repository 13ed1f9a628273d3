/* chance.h - random sequences that can be repeated: MODEL_SEED is the seed, MODEL_STEPS the length.
 * A test may use other variables. */
#ifndef T_MODULE_CHANCE_H
#define T_MODULE_CHANCE_H

#include "config.h"

#include <stdlib.h>

static struct {
	unsigned seed;
	int steps;
} chance;

static int
chance_number(const char *name, int fallback)
{
	const char *text = getenv(name);

	return text != NULL ? (int)strtol(text, NULL, 10) : fallback;
}

/* Reads seed and length. Under a sanitizer a third of the steps is enough: it needs each kind of
 * step, not many of them. */
static inline void
chance_from(const char *seed, const char *steps, int usual)
{
#ifdef STET_SANITIZED
	usual = usual / 3;
#endif
	chance.seed = (unsigned)chance_number(seed, 1958);
	chance.steps = chance_number(steps, usual);
}

static inline void
chance_begin(int steps)
{
	chance_from("MODEL_SEED", "MODEL_STEPS", steps);
}

/* Returns a number from 0 to n - 1. */
static int
pick(int n)
{
	chance.seed = chance.seed * 1103515245U + 12345U;
	return (int)((chance.seed >> 16) % (unsigned)n);
}

#endif
