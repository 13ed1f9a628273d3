/* filesum.h - SHA-256 of files. */
#ifndef CORE_FILES_FILESUM_H
#define CORE_FILES_FILESUM_H

#include <stdbool.h>
#include <stet/file.h>

/* SHA-256 of an open file, as text. false: it cannot be read. */
bool filesum(int fd, char out[STET_SHA256_SIZE]);

#endif
