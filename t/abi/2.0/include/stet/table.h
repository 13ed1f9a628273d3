/*
 * table.h - structures that cross between modules built against different versions of these
 * headers. The rules are in the book ("ABI policy"); this is what the inline functions of the other
 * headers, the descriptor and services use.
 */
#ifndef STET_TABLE_H
#define STET_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stet/status.h>

/* An array of structures that a module hands over. It carries its stride, the size of a row where
 * the array was made, so rows may grow: read it with stet_table_row. Never grows itself. */
struct stet_table {
	const void *row;
	uint32_t count, stride;
};
#define STET_TABLE(a)                                           \
	{                                                       \
		(a), sizeof(a) / sizeof((a)[0]), sizeof((a)[0]) \
	}

/* Read row i of a table, whatever its stride, into a row of `size` bytes. */
STET_API void stet_table_row(const struct stet_table *, uint32_t i, void *row, size_t size);
/* Copy a structure that has `from_size` bytes into one that has `size`: members that the first
 * lacks become zero, those that the second lacks are left out. */
STET_API void stet_extend(void *to, size_t size, const void *from, size_t from_size);

#endif
