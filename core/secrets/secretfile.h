/* secretfile.h - a password or key in a file that only its owner and group may open. */
#ifndef CORE_SECRETS_SECRETFILE_H
#define CORE_SECRETS_SECRETFILE_H

#include <stddef.h>

/* Reads the file as text. Returns NULL, or the reason why not, to be freed; `text` then holds
 * nothing. The caller erases `text` after use (sodium_memzero). */
char *secretfile_read(const char *path, char *text, size_t size);

#endif
