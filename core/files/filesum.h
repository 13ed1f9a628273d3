/* filesum.h - SHA-256 of files. */
#ifndef CORE_FILES_FILESUM_H
#define CORE_FILES_FILESUM_H

#include <stdbool.h>
#include <stet/file.h>
#include <sys/types.h>

/* SHA-256 of an open file, as text. false: it cannot be read. */
bool filesum(int fd, char out[STET_SHA256_SIZE]);
/* The same of at most `len` bytes from `at` on. */
bool filesum_part(int fd, off_t at, uint64_t len, char out[STET_SHA256_SIZE]);

#endif
