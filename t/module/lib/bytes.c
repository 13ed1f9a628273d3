/* bytes.c - bytes in the files of a site. */
#include "bytes.h"
#include "base/dir.h"
#include "base/words.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns true if the file contains the text. A missing file contains nothing. */
static bool
holds(const char *path, const char *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool found = false;
	void *at;

	if (fd < 0)
		return false;
	assert_int_equal(fstat(fd, &st), 0);
	if (st.st_size > 0) {
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		assert_ptr_not_equal(at, MAP_FAILED);
		found = memmem(at, (size_t)st.st_size, text, strlen(text)) != NULL;
		munmap(at, (size_t)st.st_size);
	}
	close(fd);
	return found;
}

bool
bytes_in_database(struct harness *h, const char *text)
{
	char *database = words_format("%s/" SITE_DATABASE, harness_data(h));
	char *log = words_format("%s/" SITE_DATABASE "-wal", harness_data(h));
	bool found = holds(database, text) || holds(log, text);

	free(database);
	free(log);
	return found;
}
