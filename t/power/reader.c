/* reader.c - a record in memory. */
#include "reader.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
read_all(struct reader *r, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	ssize_t n = 1;

	if (fd >= 0 && fstat(fd, &st) == 0 && (r->bytes = malloc((size_t)st.st_size + 1)) != NULL)
		while (n > 0 && r->size < (size_t)st.st_size) {
			n = read(fd, r->bytes + r->size, (size_t)st.st_size - r->size);
			r->size += n > 0 ? (size_t)n : 0;
		}
	if (fd >= 0)
		close(fd);
	return r->bytes != NULL && r->size == (size_t)st.st_size;
}

bool
reader_open(struct reader *r, const char *path)
{
	struct record_head head;
	size_t at = 0, room = 0;

	memset(r, 0, sizeof(*r));
	if (!read_all(r, path))
		return false;
	while (at < r->size) {
		if (r->count == room) {
			room = room * 2 + 1024;
			r->at = realloc(r->at, room * sizeof(size_t));
			if (r->at == NULL)
				abort();
		}
		if (r->size - at < sizeof(head))
			return false;
		memcpy(&head, r->bytes + at, sizeof(head));
		r->at[r->count++] = at;
		at += sizeof(head) + head.paths;
		if (at > r->size || r->size - at < head.len)
			return false;
		at += head.len;
	}
	return true;
}

void
reader_free(struct reader *r)
{
	free(r->bytes);
	free(r->at);
	memset(r, 0, sizeof(*r));
}

struct record_head
reader_entry(const struct reader *r, size_t i, const char **paths, const void **bytes)
{
	struct record_head head;

	memcpy(&head, r->bytes + r->at[i], sizeof(head));
	*paths = (const char *)r->bytes + r->at[i] + sizeof(head);
	*bytes = *paths + head.paths;
	return head;
}
