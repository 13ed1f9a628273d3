/* filekey.c - keys of files: names that are valid in every directory and bucket. */
#include <stet/file.h>
#include <string.h>

#define KEY_MAX 120

bool
stet_file_key_good(const char *key)
{
	static const char good[] = "-_.0123456789abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t len = strspn(key, good);

	return len > 0 && len <= KEY_MAX && key[len] == '\0' && strchr("-_.", *key) == NULL;
}
