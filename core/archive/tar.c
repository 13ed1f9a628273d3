/* tar.c - heads of files in a pax archive: written, and read strictly. */
#include "archive/tar.h"
#include "base/buf.h"
#include <stdio.h>
#include <string.h>

#define NAME 100 /* bytes of a name in the head itself */
#define SIZE_IN_HEAD 077777777777ULL
#define END_BLOCKS_MAX 40
#define PAX_MAX (TAR_NAME_MAX + 200)
#define PAX_ROOM ((PAX_MAX + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK)

/* POSIX 1003.1, ustar. */
struct head {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100];
	char magic[8], user[32], group[32], major[8], minor[8], prefix[155], rest[12];
};
_Static_assert(sizeof(struct head) == TAR_BLOCK, "a head is a block");

static const char magic[8] = "ustar\00000"; /* followed by the version */

/* ---- writing ---- */

static void
octal(char *field, size_t size, uint64_t n)
{
	field[--size] = '\0';
	while (size > 0) {
		field[--size] = (char)('0' + (n & 7));
		n >>= 3;
	}
}

static unsigned
checksum(const struct head *h)
{
	const unsigned char *at = (const unsigned char *)h;
	unsigned sum = 8 * ' '; /* for the checksum its own field counts as blanks */

	for (size_t i = 0; i < sizeof(*h); i++)
		if (i < offsetof(struct head, sum) || i >= offsetof(struct head, type))
			sum += at[i];
	return sum;
}

static void
head_add(struct buf *b, const char *name, char type, uint64_t size, int64_t mtime)
{
	struct head h;

	memset(&h, 0, sizeof(h));
	memcpy(h.name, name, strnlen(name, NAME));
	octal(h.mode, sizeof(h.mode), 0600);
	octal(h.uid, sizeof(h.uid), 0);
	octal(h.gid, sizeof(h.gid), 0);
	octal(h.size, sizeof(h.size), size);
	octal(h.mtime, sizeof(h.mtime), mtime > 0 ? (uint64_t)mtime : 0);
	h.type = type;
	memcpy(h.magic, magic, sizeof(magic));
	octal(h.sum, sizeof(h.sum) - 1, checksum(&h));
	h.sum[7] = ' ';
	buf_add(b, (const char *)&h, sizeof(h));
}

/* "LENGTH key=value\n", where LENGTH counts itself. */
static void
record_add(struct buf *b, const char *key, const char *value)
{
	size_t body = strlen(key) + strlen(value) + 3, len = body + 1, digits;
	char text[24];

	do {
		digits = (size_t)snprintf(text, sizeof(text), "%zu", len);
		len = body + digits;
	} while (digits != (size_t)snprintf(text, sizeof(text), "%zu", len));
	buf_printf(b, "%s %s=%s\n", text, key, value);
}

static void
zeros_add(struct buf *b, size_t n)
{
	static const char zeros[TAR_BLOCK];

	buf_add(b, zeros, n);
}

size_t
tar_padding(uint64_t size)
{
	return (size_t)((TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

void
tar_head(struct buf *b, const struct tar_entry *e)
{
	struct buf pax = { 0 };
	char number[24];
	uint64_t size = e->size;

	if (strlen(e->name) > NAME)
		record_add(&pax, "path", e->name);
	if (size > SIZE_IN_HEAD) {
		(void)snprintf(number, sizeof(number), "%llu", (unsigned long long)size);
		record_add(&pax, "size", number);
		size = 0;
	}
	if (pax.len > 0) {
		head_add(b, "pax", 'x', pax.len, e->mtime);
		buf_add(b, pax.data, pax.len);
		zeros_add(b, tar_padding(pax.len));
	}
	head_add(b, e->name, '0', size, e->mtime);
	buf_free(&pax);
}

/* ---- names ---- */

bool
tar_name_good(const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len > TAR_NAME_MAX || name[len - 1] == '/')
		return false;
	while (*name != '\0') {
		size_t n = strcspn(name, "/");

		if (n == 0 || (n <= 2 && strspn(name, ".") >= n))
			return false;
		for (size_t i = 0; i < n; i++)
			if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
				return false;
		name += n;
		name += *name == '/';
	}
	return true;
}

/* ---- reading ---- */

static bool
number_of(const char *field, size_t size, uint64_t *out)
{
	size_t i = 0;

	*out = 0;
	for (; i < size && field[i] >= '0' && field[i] <= '7'; i++)
		*out = *out << 3 | (uint64_t)(field[i] - '0');
	if (i == 0)
		return false;
	for (; i < size; i++)
		if (field[i] != '\0' && field[i] != ' ')
			return false;
	return true;
}

/* Reads one record of a pax header. Records that stet does not write are refused. */
static bool
record_take(struct tar_entry *e, const char *key, size_t key_len, const char *value, size_t len,
    bool *has_size)
{
	if (key_len == 4 && memcmp(key, "path", 4) == 0) {
		if (len > TAR_NAME_MAX || memchr(value, '\0', len) != NULL)
			return false;
		memcpy(e->name, value, len);
		e->name[len] = '\0';
		return true;
	}
	if (key_len != 4 || memcmp(key, "size", 4) != 0 || len == 0 || len > 18)
		return false;
	e->size = 0;
	for (size_t i = 0; i < len; i++) {
		if (value[i] < '0' || value[i] > '9')
			return false;
		e->size = e->size * 10 + (uint64_t)(value[i] - '0');
	}
	*has_size = true;
	return true;
}

static bool
records(struct tar_entry *e, const char *text, size_t len, bool *has_size)
{
	while (len > 0) {
		size_t n = 0, digits = 0, equals;

		while (digits < len && digits < 5 && text[digits] >= '0' && text[digits] <= '9')
			n = n * 10 + (size_t)(text[digits++] - '0');
		if (digits == 0 || n > len || n < digits + 4 || text[digits] != ' ' ||
		    text[n - 1] != '\n')
			return false;
		for (equals = digits + 1; equals < n - 1 && text[equals] != '=';)
			equals++;
		if (equals == n - 1 || !record_take(e, text + digits + 1, equals - digits - 1,
					   text + equals + 1, n - 2 - equals, has_size))
			return false;
		text += n;
		len -= n;
	}
	return true;
}

static bool
all_zero(const void *block)
{
	const char *at = block;

	return at[0] == '\0' && memcmp(at, at + 1, TAR_BLOCK - 1) == 0;
}

static const char *
read_block(tar_get *get, void *arg, void *block, size_t len, bool *failed)
{
	long n = get(arg, block, len);

	*failed = n < 0;
	return n == (long)len ? NULL : "it is cut off";
}

static const char *
check_head(const struct head *h, uint64_t *size)
{
	uint64_t sum;

	if (memcmp(h->magic, magic, sizeof(magic)) != 0)
		return "it is not an archive of stet";
	if (!number_of(h->sum, sizeof(h->sum), &sum) || sum != checksum(h))
		return "the head of a file in it is damaged";
	if (!number_of(h->size, sizeof(h->size), size))
		return "a file in it has a size that is no number";
	if (h->type != '0' && h->type != 'x')
		return "it holds something other than files: a link, a directory or a device";
	if (h->prefix[0] != '\0' || h->link[0] != '\0')
		return "it was not made by stet";
	return NULL;
}

/* Only zeros may follow: the second end block, and the padding of other tars. */
static const char *
check_end(tar_get *get, void *arg, bool *failed)
{
	char block[TAR_BLOCK];
	long n = 0;

	for (int i = 0; i < END_BLOCKS_MAX; i++) {
		n = get(arg, block, sizeof(block));
		*failed = n < 0;
		if (n < TAR_BLOCK || !all_zero(block))
			break;
		if (i + 1 == END_BLOCKS_MAX)
			n = 1;
	}
	return n == 0 || *failed ? NULL : "there is something behind its end";
}

static const char *
take_pax(tar_get *get, void *arg, struct tar_entry *e, uint64_t len, bool *has_size, bool *failed)
{
	char text[PAX_ROOM];
	const char *why;

	if (len == 0 || len > PAX_MAX)
		return "a file in it has too long a name";
	why = read_block(get, arg, text, (size_t)len + tar_padding(len), failed);
	if (why == NULL && !records(e, text, (size_t)len, has_size))
		why = "the head of a file in it says what stet never does";
	return why;
}

static const char *
next(tar_get *get, void *arg, struct tar_entry *e, bool *done, bool *failed)
{
	bool pax = false, has_size = false;
	struct head h;
	uint64_t size;

	*e = (struct tar_entry){ 0 };
	for (;;) {
		const char *why = read_block(get, arg, &h, sizeof(h), failed);

		if (why != NULL)
			return why;
		if (!pax && all_zero(&h)) {
			*done = true;
			return check_end(get, arg, failed);
		}
		if ((why = check_head(&h, &size)) != NULL)
			return why;
		if (h.type == '0')
			break;
		if (pax)
			return "a file in it has two heads";
		pax = true;
		if ((why = take_pax(get, arg, e, size, &has_size, failed)) != NULL)
			return why;
	}
	if (!has_size)
		e->size = size;
	if (e->name[0] == '\0')
		memcpy(e->name, h.name, strnlen(h.name, NAME));
	if (!number_of(h.mtime, sizeof(h.mtime), &size))
		return "a file in it has a time that is no number";
	e->mtime = (int64_t)size;
	return tar_name_good(e->name) ? NULL : "a file in it has a name that leads elsewhere";
}

enum tar_outcome
tar_next(tar_get *get, void *arg, struct tar_entry *e, const char **why)
{
	bool done = false, failed = false;

	*why = next(get, arg, e, &done, &failed);
	if (failed)
		*why = NULL;
	if (failed || *why != NULL)
		return TAR_BAD;
	return done ? TAR_DONE : TAR_ENTRY;
}
