/* file.c - replies that are files: headers, conditions and ranges. */
#include "op/file.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/condition.h"
#include "http/http1.h"
#include "http/httpdate.h"
#include "http/range.h"
#include "op/header.h"
#include <ctype.h>
#include <errno.h>
#include <stet/table.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define TYPE_MAX 255
#define NAME_MAX_BYTES 200
#define POLICY "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"

/* ---- type, name and date ---- */

static const char *
skip_token(const char *s)
{
	while (http1_token[(unsigned char)*s] != 0)
		s++;
	return s;
}

/* Returns true for type/subtype with parameters. Parameters are only checked for characters that
 * would break the header. */
static bool
is_type(const char *s)
{
	const char *slash = skip_token(s), *end;

	if (strlen(s) > TYPE_MAX || slash == s || *slash != '/')
		return false;
	end = skip_token(slash + 1);
	if (end == slash + 1 || (*end != '\0' && strchr("; \t", *end) == NULL))
		return false;
	for (; *end != '\0'; end++)
		if (*end < ' ' || *end > '~')
			return false;
	return true;
}

/* Returns true if browsers show files of this type without running scripts in them. */
static bool
is_tame(const char *type)
{
	static const char *const tame[] = { "image/jpeg", "image/png", "image/gif", "image/webp",
		"image/avif", "image/x-icon", "video/mp4", "video/webm", "audio/mpeg", "audio/wav",
		"audio/ogg" };
	size_t len = strcspn(type, "; \t");

	for (size_t i = 0; i < sizeof(tame) / sizeof(tame[0]); i++)
		if (len == strlen(tame[i]) && strncasecmp(type, tame[i], len) == 0)
			return true;
	return false;
}

/* Returns the length of a character that must not be in a file name, or 0. These are controls and
 * marks that reverse the text after them (U+202A to U+202E, U+2066 to U+2069), so that "exe.gpj"
 * cannot appear as "jpg.exe". The text is UTF-8. */
static size_t
no_character(const unsigned char *p)
{
	if (*p < ' ' || *p == 0x7f)
		return 1;
	if (*p == 0xc2 && p[1] < 0xa0)
		return 2;
	if (*p != 0xe2)
		return 0;
	if ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
	    (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9))
		return 3;
	return 0;
}

/* Returns the last part of a path without forbidden characters; NULL if nothing is left. */
static char *
clean_name(struct stet_call *call, const char *name)
{
	char *out, *to;
	size_t skip;

	if (name == NULL || stet_utf8_length(name) < 0)
		return NULL;
	for (const char *p = name; *p != '\0'; p++)
		if (*p == '/' || *p == '\\')
			name = p + 1;
	to = out = stet_strdup(call, name);
	for (; *name != '\0'; name += skip > 0 ? skip : 1) {
		skip = no_character((const unsigned char *)name);
		if (skip == 0)
			*to++ = *name;
	}
	*to = '\0';
	return *out != '\0' ? out : NULL;
}

/* Cuts the name to NAME_MAX_BYTES but keeps its extension. */
static void
shorten(char *name)
{
	size_t len = strlen(name), keep;
	const char *dot = strrchr(name, '.');
	size_t ending = dot != NULL && strlen(dot) <= 16 ? strlen(dot) : 0;

	if (len <= NAME_MAX_BYTES)
		return;
	keep = stet_utf8_cut(name, NAME_MAX_BYTES - ending);
	memmove(name + keep, name + len - ending, ending + 1);
}

/* Returns true for characters that need no escape in a quoted file name. */
static bool
is_plain(char c)
{
	return c >= ' ' && c <= '~' && strchr("\"\\%", c) == NULL;
}

/* Makes Content-Disposition (RFC 6266): an ASCII name for all clients, and the full name (RFC 8187)
 * if it differs. */
static const char *
disposition(struct stet_call *call, const char *said, bool shown)
{
	char *name = clean_name(call, said), *plain, *coded, *to;
	const char *how = shown ? "inline" : "attachment";
	bool same = true;

	if (name == NULL)
		return how;
	shorten(name);
	plain = stet_strdup(call, name);
	to = coded = stet_alloc(call, 3 * strlen(name) + 1);
	for (const unsigned char *p = (const unsigned char *)name; *p != '\0'; p++) {
		if (isalnum(*p) || (*p < 0x80 && strchr("!#$&+-.^_`|~", *p) != NULL)) {
			*to++ = (char)*p;
			continue;
		}
		*to++ = '%';
		*to++ = "0123456789ABCDEF"[*p >> 4];
		*to++ = "0123456789ABCDEF"[*p & 15];
	}
	for (char *p = plain; *p != '\0'; p++)
		if (!is_plain(*p)) {
			*p = '_';
			same = false;
		}
	if (same)
		return stet_printf(call, "%s; filename=\"%s\"", how, plain);
	return stet_printf(call, "%s; filename=\"%s\"; filename*=UTF-8''%s", how, plain, coded);
}

static void
close_file(void *arg)
{
	const struct file *f = arg;

	close(f->fd);
}

/* Returns the seconds, rounded down also before 1970. */
static int64_t
seconds_of(int64_t ms)
{
	return ms >= 0 ? ms / 1000 : -((999 - ms) / 1000);
}

const char *
file_disposition(struct stet_call *call, const struct stet_file_answer *said, const char *type)
{
	return disposition(call, said->name,
	    said->show == STET_FILE_SHOW || (said->show == STET_FILE_SAFE && is_tame(type)));
}

/* Returns the file's date, but not later than now. */
static int64_t
date_of(const struct stet_file_answer *said, const struct stat *st)
{
	int64_t now = clock_now() / 1000;
	int64_t date = said->modified != 0 ? seconds_of(said->modified) : st->st_mtime;

	return date < now ? date : now;
}

enum stet_status
stet_reply_file_sized(
    struct stet_call *call, int fd, const struct stet_file_answer *theirs, size_t size)
{
	struct file *f = stet_alloc(call, sizeof(*f));
	struct stet_file_answer said;
	struct stat st;

	f->fd = fd;
	stet_defer(call, close_file, f);
	stet_extend(&said, sizeof(said), theirs, size);
	stet_assert(call->op != NULL && (call->op->row.flags & STET_FILE) != 0);
	if (fstat(fd, &st) != 0)
		return stet_fault(call, "the file of an answer: %s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return stet_fault(call, "what is to be answered is no file");
	f->size = f->end = (uint64_t)st.st_size;
	f->modified = date_of(&said, &st);
	f->type = said.type != NULL && is_type(said.type) ? stet_strdup(call, said.type)
							  : "application/octet-stream";
	if (said.tag != NULL && *said.tag != '\0' && condition_good_tag(said.tag))
		f->tag = stet_strdup(call, said.tag);
	f->cache = stet_strdup(call, said.cache);
	f->policy = said.policy != NULL ? stet_strdup(call, said.policy) : POLICY;
	stet_assert(strpbrk(f->policy, "\r\n") == NULL &&
		    (f->cache == NULL || strpbrk(f->cache, "\r\n") == NULL));
	f->disposition = file_disposition(call, &said, f->type);
	call->reply.file = f;
	return STET_OK;
}

/* ---- conditions and ranges ---- */

struct condition_of
file_condition(const struct file *f)
{
	return (struct condition_of){ .tag = f->tag, .modified = f->modified };
}

/* Returns the header of this name, or NULL if it is absent or repeated. */
static const char *
only(const struct http1_head *head, const char *name)
{
	const char *value = NULL;

	for (size_t i = 0; i < head->header_count; i++)
		if (strcmp(head->header[i].name, name) == 0) {
			if (value != NULL)
				return NULL;
			value = head->header[i].value;
		}
	return value;
}

bool
file_range(struct file *f, const struct http1_head *head)
{
	const struct condition_of it = file_condition(f);
	const char *said = head->method == HTTP_GET ? only(head, "range") : NULL;
	uint64_t last;

	if (said == NULL || !condition_range(head, &it, clock_now() / 1000))
		return true;
	switch (range_read(said, f->size, &f->at, &last)) {
	case RANGE_BEYOND:
		return false;
	case RANGE_PART:
		f->part = true;
		f->begin = f->at;
		f->end = last + 1;
		return true;
	default:
		f->at = 0;
		return true;
	}
}

ssize_t
file_peek(const struct file *f, void *to, size_t len, uint64_t at)
{
	struct iovec v = { to, len };
	ssize_t n = preadv2(f->fd, &v, 1, (off_t)at, RWF_NOWAIT);

	return n == -1 && errno == EOPNOTSUPP ? pread(f->fd, to, len, (off_t)at) : n;
}

const char *
file_few(struct stet_call *call, const struct file *f)
{
	size_t len = (size_t)(f->end - f->begin);
	char *bytes;

	if (f->end - f->begin > FILE_FEW)
		return NULL;
	bytes = stet_alloc(call, len);
	return file_peek(f, bytes, len, f->begin) == (ssize_t)len ? bytes : NULL;
}

void
file_put(struct buf *b, const struct file *f, bool body)
{
	char date[HTTPDATE_SIZE];

	httpdate_text(f->modified, date);
	header_put(b, "Last-Modified", date);
	header_put(b, "Accept-Ranges", "bytes");
	if (f->cache != NULL)
		header_put(b, "Cache-Control", f->cache);
	header_put(b, "Content-Security-Policy", f->policy);
	if (!body)
		return;
	header_put(b, "Content-Disposition", f->disposition);
	if (f->part)
		buf_printf(b, "Content-Range: bytes %llu-%llu/%llu\r\n", (unsigned long long)f->at,
		    (unsigned long long)(f->end - 1), (unsigned long long)f->size);
}
