/* chance.h - random sequences that can be run again: MODEL_SEED says which, MODEL_STEPS how long;
 * or variables of other names. */
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

/* Under a sanitizer, which is about each kind of step more than about many of them, a third. */
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

/* One of 0 to n - 1. */
static int
pick(int n)
{
	chance.seed = chance.seed * 1103515245U + 12345U;
	return (int)((chance.seed >> 16) % (unsigned)n);
}

#endif
