/* fuzz.h - the entry of a fuzz target, and its assertion. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The entry of libFuzzer. The bytes are the target's alone, but const. */
int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* A property that must hold for every input: libFuzzer keeps the input that breaks it. */
#define must(x)                                                                            \
	do {                                                                               \
		if (!(x)) {                                                                \
			fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #x); \
			abort();                                                           \
		}                                                                          \
	} while (0)

#endif
