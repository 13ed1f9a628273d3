/*
 * kept.c - items that are included beside others, as JSON, kept with the snapshot: many items refer
 * to the same ones, and so do the lists of many callers. What is kept depends on what the caller
 * may read and on the form of the answer (`form`). It is bounded, and ends with the snapshot.
 */
#include "read/include.h"
#include <string.h>

#define BUCKETS 512 /* a power of two */
#define ROWS_MAX 2000
#define BYTES_MAX ((size_t)1 << 20)

struct kept {
	struct kept_row *bucket[BUCKETS];
	size_t rows, bytes;
};

struct kept *
kept_of(struct stet_call *call)
{
	static const char key;
	void **slot = stet_snapshot_slot(call, &key);

	if (slot != NULL && *slot == NULL)
		*slot = stet_snapshot_alloc(call, sizeof(struct kept));
	return slot != NULL ? *slot : NULL;
}

const struct kept_row *
kept_find(const struct kept *kept, unsigned form, const char *id)
{
	const struct kept_row *row = kept != NULL ? kept->bucket[stet_hash(id) % BUCKETS] : NULL;

	while (row != NULL && (row->form != form || strcmp(row->id, id) != 0))
		row = row->next;
	return row;
}

static char *
copy(struct stet_call *call, const char *text, size_t len)
{
	char *out = stet_snapshot_alloc(call, len + 1);

	return memcpy(out, text, len);
}

void
kept_add(struct stet_call *call, struct kept *kept, unsigned form, const char *id, const char *text,
    size_t len)
{
	struct kept_row *row, **bucket = &kept->bucket[stet_hash(id) % BUCKETS];

	if (kept->rows == ROWS_MAX || len > BYTES_MAX - kept->bytes)
		return;
	kept->rows++;
	kept->bytes += len;
	row = stet_snapshot_alloc(call, sizeof(*row));
	*row = (struct kept_row){ *bucket, form, copy(call, id, strlen(id)), copy(call, text, len),
		len };
	*bucket = row;
}
