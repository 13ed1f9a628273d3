/*
 * clip.h - reads the duration and the size of a video or sound from its headers. Nothing is
 * decoded.
 */
#ifndef MEDIA_CLIP_H
#define MEDIA_CLIP_H

#include <stdbool.h>
#include <stdint.h>

struct clip {
	double seconds; /* 0: unknown */
	int64_t width, height; /* pixels; 0: unknown, or a sound */
};

/* Reads MP4 and QuickTime, Matroska and WebM, WAV, FLAC, Ogg and MP3. Values out of bounds are
 * unknown, and so is everything about other files. Reads at most some thousand headers. */
void clip_read(int fd, struct clip *out);

#endif
