/* exports.c - export files for tests of the import. */
#include "exports.h"
#include "harness.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#define MOST (UINT64_C(2) << 30)

const char *
export_path(const char *name)
{
	static char path[600];

	(void)snprintf(
	    path, sizeof(path), "%s/../shared/data/wxr/%s.xml", getenv("STET_SOURCE"), name);
	return access(path, R_OK) == 0 ? path : NULL;
}

char *
export_load(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *bytes;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_non_null(bytes = malloc((size_t)st.st_size + 1));
	assert_int_equal(read(fd, bytes, (size_t)st.st_size), st.st_size);
	close(fd);
	*len = (size_t)st.st_size;
	bytes[*len] = '\0';
	return bytes;
}

int
export_file(char path[64])
{
	int fd = memfd_create("export", MFD_CLOEXEC);

	assert_true(fd >= 0);
	(void)snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

void
export_write(int fd, const char *at, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, at, len);

		assert_true(n > 0);
		at += n;
		len -= (size_t)n;
	}
}

/* ---- callbacks of the reader ---- */

static void
copy(char *to, size_t size, const char *text)
{
	(void)snprintf(to, size, "%s", text);
}

static enum stet_status
on_site(void *arg, const struct wxr_site *s)
{
	struct told *t = arg;

	t->sites++;
	copy(t->title, sizeof(t->title), s->title);
	return STET_OK;
}

static enum stet_status
on_author(void *arg, const struct wxr_author *a)
{
	struct told *t = arg;

	t->authors++;
	assert_true(*a->login != '\0');
	return STET_OK;
}

static enum stet_status
on_term(void *arg, const struct wxr_term *term)
{
	struct told *t = arg;

	if (strcmp(term->taxonomy, "category") == 0)
		t->categories++;
	else if (strcmp(term->taxonomy, "post_tag") == 0)
		t->tags++;
	else
		t->terms++;
	t->term_metas += (int)term->meta_count;
	return STET_OK;
}

static void
count_parts(struct told *t, const struct wxr_item *item)
{
	for (size_t i = 0; i < item->meta_count; i++) {
		t->values += strlen(item->meta[i].value);
		copy(t->value, sizeof(t->value), item->meta[i].value);
	}
	for (size_t i = 0; i < item->comment_count; i++) {
		t->said += strlen(item->comments[i].content);
		t->comment_metas += (int)item->comments[i].meta_count;
		for (size_t m = 0; m < item->comments[i].meta_count; m++)
			t->values += strlen(item->comments[i].meta[m].value);
	}
	for (size_t i = 0; i < item->label_count; i++)
		assert_non_null(item->labels[i].taxonomy);
}

static enum stet_status
on_item(void *arg, const struct wxr_item *item)
{
	struct told *t = arg;

	t->items++;
	t->metas += (int)item->meta_count;
	t->comments += (int)item->comment_count;
	t->labels += (int)item->label_count;
	t->content += strlen(item->content);
	t->excerpts += strlen(item->excerpt);
	count_parts(t, item);
	copy(t->type, sizeof(t->type), item->type);
	copy(t->text, sizeof(t->text), item->content);
	copy(t->slug, sizeof(t->slug), item->slug);
	copy(t->link, sizeof(t->link), item->link);
	copy(t->date, sizeof(t->date), item->date_gmt);
	copy(t->author, sizeof(t->author), item->author);
	t->id = item->id;
	t->parent = item->parent;
	t->line = item->line;
	return STET_OK;
}

static enum stet_status
on_notice(void *arg, const struct wxr_notice *n)
{
	struct told *t = arg;

	t->notices++;
	t->skipped += n->skipped;
	t->repaired += !n->skipped;
	t->notice_line = n->line;
	copy(t->notice, sizeof(t->notice), n->text);
	return STET_OK;
}

static double
processor(void)
{
	struct timespec now;

	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void
export_read(const char *path, uint64_t most, struct told *t)
{
	struct stet_call *call = call_new();
	const struct wxr_sink sink = { on_site, on_author, on_term, on_item, on_notice, t };
	double begun = processor();

	*t = (struct told){ 0 };
	t->status = wxr_read(call, &path, 1, most, &sink, &t->totals);
	t->seconds = processor() - begun;
	copy(t->error, sizeof(t->error), stet_error_text(call));
	assert_int_equal(t->items, t->totals.items);
	call_free(call);
}

void
export_read_bytes(const char *bytes, size_t len, struct told *t)
{
	char path[64];
	int fd = export_file(path);

	export_write(fd, bytes, len);
	export_read(path, MOST, t);
	close(fd);
}

void
export_read_text(const char *text, struct told *t)
{
	export_read_bytes(text, strlen(text), t);
}

char *
export_gzip(const char *bytes, size_t len, size_t *packed)
{
	z_stream z = { 0 };
	size_t room = len + len / 100 + 1000;
	char *out = malloc(room);

	assert_non_null(out);
	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, 0), Z_OK);
	z.next_in = (unsigned char *)(uintptr_t)bytes;
	z.avail_in = (unsigned)len;
	z.next_out = (unsigned char *)out;
	z.avail_out = (unsigned)room;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	*packed = room - z.avail_out;
	(void)deflateEnd(&z);
	return out;
}
