/*
 * clip.c - reads headers of videos and sounds. Boxes are read in one flat loop: a box with relevant
 * boxes in it is entered, by going on after its header; any other is skipped. Each step advances by
 * at least a header, and there are few steps, so no file takes long.
 */
#include "clip.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEPS_MAX 4096 /* headers of one file */
#define SECONDS_MAX 1e8 /* three years */
#define SIDE_MAX 65535
#define TAIL 65536 /* bytes at the end of an Ogg file: a page is not longer */

struct source {
	int fd;
	uint64_t size;
};

static bool
read_at(const struct source *s, uint64_t at, void *to, size_t len)
{
	return at <= s->size && s->size - at >= len &&
	       pread(s->fd, to, len, (off_t)at) == (ssize_t)len;
}

static uint64_t
big(const unsigned char *at, int bytes)
{
	uint64_t n = 0;

	for (int i = 0; i < bytes; i++)
		n = n << 8 | at[i];
	return n;
}

static uint64_t
little(const unsigned char *at, int bytes)
{
	uint64_t n = 0;

	for (int i = bytes - 1; i >= 0; i--)
		n = n << 8 | at[i];
	return n;
}

static void
set_seconds(struct clip *out, double count, double per_second)
{
	double seconds = per_second > 0 ? count / per_second : 0;

	if (isfinite(seconds) && seconds > 0 && seconds < SECONDS_MAX)
		out->seconds = seconds;
}

static void
set_size(struct clip *out, uint64_t width, uint64_t height)
{
	if (out->width != 0 || width < 1 || height < 1 || width > SIDE_MAX || height > SIDE_MAX)
		return;
	out->width = (int64_t)width;
	out->height = (int64_t)height;
}

/* ---- MP4 and QuickTime ---- */

static void
mp4_movie(const struct source *s, uint64_t at, uint64_t size, struct clip *out)
{
	unsigned char b[32];
	bool is_long;

	if (!read_at(s, at, b, sizeof(b)))
		return;
	is_long = b[0] == 1;
	if (size < (is_long ? 32 : 20))
		return;
	if (is_long ? big(b + 24, 8) != UINT64_MAX : big(b + 16, 4) != UINT32_MAX)
		set_seconds(out, (double)(is_long ? big(b + 24, 8) : big(b + 16, 4)),
		    (double)(is_long ? big(b + 20, 4) : big(b + 12, 4)));
}

/* Width and height are fixed-point numbers, 16 bits before the point and 16 after it. */
static void
mp4_track(const struct source *s, uint64_t at, uint64_t size, struct clip *out)
{
	unsigned char version, b[8];
	uint64_t behind;

	if (!read_at(s, at, &version, 1))
		return;
	behind = version == 1 ? 88 : 76;
	if (size >= behind + sizeof(b) && read_at(s, at + behind, b, sizeof(b)))
		set_size(out, big(b, 2), big(b + 4, 2));
}

static void
mp4(const struct source *s, struct clip *out)
{
	unsigned char b[16];
	uint64_t at = 0, size, head;

	for (int step = 0; step < STEPS_MAX && read_at(s, at, b, 8); step++) {
		head = 8;
		size = big(b, 4);
		if (size == 1) {
			if (!read_at(s, at, b, 16))
				return;
			size = big(b + 8, 8);
			head = 16;
		}
		if (size < head || size > s->size - at)
			return;
		if (memcmp(b + 4, "moov", 4) == 0 || memcmp(b + 4, "trak", 4) == 0)
			size = head;
		else if (memcmp(b + 4, "mvhd", 4) == 0)
			mp4_movie(s, at + head, size - head, out);
		else if (memcmp(b + 4, "tkhd", 4) == 0)
			mp4_track(s, at + head, size - head, out);
		at += size;
	}
}

/* ---- Matroska and WebM ---- */

/* Reads a number of variable length, which its first byte tells. Returns the length, or 0.
 * `marked`: keeps the bit that marks the length. */
static size_t
vint(const struct source *s, uint64_t at, size_t most, bool marked, uint64_t *out)
{
	unsigned char b[8];
	size_t len = 1;

	if (!read_at(s, at, b, 1))
		return 0;
	while (len <= most && (b[0] & (0x80 >> (len - 1))) == 0)
		len++;
	if (len > most || !read_at(s, at, b, len))
		return 0;
	if (!marked)
		b[0] &= (unsigned char)(0xff >> len);
	*out = big(b, (int)len);
	return len;
}

static double
real(const unsigned char *b, size_t len)
{
	uint64_t bits = big(b, (int)len);
	uint32_t half = (uint32_t)bits;
	double whole = 0;
	float part = 0;

	if (len == 8)
		memcpy(&whole, &bits, sizeof(whole));
	if (len != 4)
		return whole;
	memcpy(&part, &half, sizeof(part));
	return (double)part;
}

struct matroska {
	double scale, duration; /* nanoseconds of a tick; ticks */
	uint64_t width, height;
};

/* Returns true for the elements Segment, Info, Tracks, TrackEntry and Video. */
static bool
is_entered(uint64_t id)
{
	return id == 0x18538067 || id == 0x1549a966 || id == 0x1654ae6b || id == 0xae || id == 0xe0;
}

static void
matroska_value(uint64_t id, const unsigned char *b, size_t len, struct matroska *m)
{
	if (id == 0x2ad7b1)
		m->scale = (double)big(b, (int)len);
	else if (id == 0x4489)
		m->duration = real(b, len);
	else if (id == 0xb0 && m->width == 0)
		m->width = big(b, (int)len);
	else if (id == 0xba && m->height == 0)
		m->height = big(b, (int)len);
}

static void
matroska(const struct source *s, struct clip *out)
{
	struct matroska m = { .scale = 1000000 };
	uint64_t at = 0, id, size;
	unsigned char b[8];

	for (int step = 0; step < STEPS_MAX; step++) {
		size_t first = vint(s, at, 4, true, &id), second;

		if (first == 0 || (second = vint(s, at + first, 8, false, &size)) == 0 ||
		    id == 0x1f43b675) /* a cluster: all headers are before it */
			break;
		at += first + second;
		if (is_entered(id))
			continue;
		if (size > s->size - at)
			break;
		if (size <= sizeof(b) && read_at(s, at, b, size))
			matroska_value(id, b, size, &m);
		at += size;
	}
	set_seconds(out, m.duration * m.scale, 1e9);
	set_size(out, m.width, m.height);
}

/* ---- sounds ---- */

static void
wav(const struct source *s, struct clip *out)
{
	uint64_t at = 12, size, rate = 0;
	unsigned char b[12];

	for (int step = 0; step < STEPS_MAX && read_at(s, at, b, 8); step++) {
		size = little(b + 4, 4);
		at += 8;
		if (memcmp(b, "data", 4) == 0) {
			if (size > s->size - at)
				size = s->size - at;
			set_seconds(out, (double)size, (double)rate);
			return;
		}
		if (memcmp(b, "fmt ", 4) == 0 && read_at(s, at, b, 12))
			rate = little(b + 8, 4); /* bytes per second */
		at += size + size % 2;
	}
}

static void
flac(const struct source *s, struct clip *out)
{
	unsigned char b[18];

	if (read_at(s, 8, b, sizeof(b)))
		set_seconds(
		    out, (double)(big(b + 13, 5) & 0xfffffffff), (double)(big(b + 10, 3) >> 4));
}

/* Finds the last page, which has the number of samples up to its end. */
static void
ogg_end(const struct source *s, double rate, struct clip *out)
{
	static const char page[] = { 'O', 'g', 'g', 'S', 0 };
	unsigned char tail[TAIL];
	size_t len = s->size < TAIL ? (size_t)s->size : TAIL;

	if (!read_at(s, s->size - len, tail, len))
		return;
	for (size_t i = len; i-- > 0;)
		if (len - i >= 14 && memcmp(tail + i, page, sizeof(page)) == 0 &&
		    (tail[i + 13] & 0x80) == 0) {
			set_seconds(out, (double)little(tail + i + 6, 8), rate);
			return;
		}
}

static void
ogg(const struct source *s, struct clip *out)
{
	unsigned char segments, b[16];

	if (!read_at(s, 26, &segments, 1) || !read_at(s, 27 + (uint64_t)segments, b, sizeof(b)))
		return;
	if (memcmp(b, "OpusHead", 8) == 0)
		ogg_end(s, 48000, out);
	else if (memcmp(b, "\1vorbis", 7) == 0)
		ogg_end(s, (double)little(b + 12, 4), out);
}

/* ---- MP3 ---- */

struct frame {
	int rate, samples, kilobits;
	unsigned side; /* offset of the Xing header, if there is one */
};

static bool
mp3_frame(const unsigned char b[4], struct frame *f)
{
	static const int rates[] = { 44100, 48000, 32000 };
	static const int first[] = { 0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256,
		320 },
			 second[] = { 0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144,
				 160 };
	int version = b[1] >> 3 & 3, bits = b[2] >> 4, rate = b[2] >> 2 & 3; /* version 3: MPEG 1 */
	bool mono = b[3] >> 6 == 3;

	if (b[0] != 0xff || (b[1] & 0xe6) != 0xe2 || version == 1 || bits == 0 || bits == 15 ||
	    rate == 3)
		return false;
	f->rate = rates[rate] >> (version == 3 ? 0 : version == 2 ? 1 : 2);
	f->samples = version == 3 ? 1152 : 576;
	f->kilobits = version == 3 ? first[bits] : second[bits];
	f->side = version == 3 ? (mono ? 21 : 36) : (mono ? 13 : 21);
	return true;
}

/* With a header Xing or Info the duration is exact. Without one, all frames are assumed to have the
 * bit rate of the first. */
static void
mp3(const struct source *s, struct clip *out)
{
	unsigned char b[12];
	struct frame f;
	uint64_t at = 0;

	if (read_at(s, 0, b, 10) && memcmp(b, "ID3", 3) == 0)
		at = 10 + ((uint64_t)(b[6] & 0x7f) << 21 | (uint64_t)(b[7] & 0x7f) << 14 |
			      (uint64_t)(b[8] & 0x7f) << 7 | (b[9] & 0x7f));
	if (!read_at(s, at, b, 4) || !mp3_frame(b, &f))
		return;
	if (read_at(s, at + f.side, b, 12) &&
	    (memcmp(b, "Xing", 4) == 0 || memcmp(b, "Info", 4) == 0) && (b[7] & 1) != 0)
		set_seconds(out, (double)big(b + 8, 4) * f.samples, f.rate);
	else
		set_seconds(out, (double)(s->size - at) * 8, f.kilobits * 1000.0);
}

void
clip_read(int fd, struct clip *out)
{
	struct source s = { .fd = fd };
	unsigned char b[12];
	struct stat st;

	*out = (struct clip){ .seconds = 0 };
	if (fstat(fd, &st) != 0 || st.st_size < (off_t)sizeof(b))
		return;
	s.size = (uint64_t)st.st_size;
	if (!read_at(&s, 0, b, sizeof(b)))
		return;
	if (memcmp(b + 4, "ftyp", 4) == 0 || memcmp(b + 4, "moov", 4) == 0)
		mp4(&s, out);
	else if (memcmp(b, "\x1a\x45\xdf\xa3", 4) == 0)
		matroska(&s, out);
	else if (memcmp(b, "RIFF", 4) == 0 && memcmp(b + 8, "WAVE", 4) == 0)
		wav(&s, out);
	else if (memcmp(b, "fLaC", 4) == 0)
		flac(&s, out);
	else if (memcmp(b, "OggS", 4) == 0)
		ogg(&s, out);
	else
		mp3(&s, out);
}
