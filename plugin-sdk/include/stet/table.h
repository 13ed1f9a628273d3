/*
 * table.h - structures that cross between modules which were built with different versions of
 * these headers. The book has the rules ("ABI policy"); here is what the inline functions of the
 * other headers, the descriptor and services use.
 */
#ifndef STET_TABLE_H
#define STET_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stet/status.h>

/* An array of structures that a module passes on. It carries its stride, the size of a row in
 * the headers of the module that made it, so that rows can grow: read them with stet_table_row.
 * This structure itself never grows. */
struct stet_table {
	const void *row;
	uint32_t count, stride;
};
#define STET_TABLE(a)                                           \
	{                                                       \
		(a), sizeof(a) / sizeof((a)[0]), sizeof((a)[0]) \
	}

/* Copies row i of a table, whatever its stride, to a row of `size` bytes. */
STET_API void stet_table_row(const struct stet_table *, uint32_t i, void *row, size_t size);
/* Copies a structure of `from_size` bytes to one of `size` bytes: zeroes members that the source
 * lacks, drops members that the target lacks. */
STET_API void stet_extend(void *to, size_t size, const void *from, size_t from_size);

#endif
