/*
 * imagewire.h - messages between the daemon and the program stet-image. Both are of one version and
 * run on one machine, so the messages are structures of a fixed size.
 *
 * The daemon sends a struct imagewire_ask over the program's control socket, with three
 * descriptors: the image, the file for the result, and a pipe. One struct imagewire_answer comes
 * back through the pipe, in one write.
 */
#ifndef MEDIA_IMAGE_IMAGEWIRE_H
#define MEDIA_IMAGE_IMAGEWIRE_H

#include <stdint.h>

#define IMAGEWIRE_VERSION 3
#define IMAGEWIRE_CONTROL 3 /* the descriptor of the control socket in the program */
#define IMAGEWIRE_IDLE_SECONDS 60 /* the program ends after this time without a request */
#define IMAGEWIRE_FOCAL 10000 /* focal points are in ten-thousandths of width and height */

enum { IMAGEWIRE_IN, IMAGEWIRE_OUT, IMAGEWIRE_REPLY, IMAGEWIRE_FDS };

enum imagewire_task {
	IMAGEWIRE_PROBE, /* only set up the sandbox, and report how strict it is */
	IMAGEWIRE_LOOK,
	IMAGEWIRE_MAKE
};

enum imagewire_format {
	IMAGEWIRE_NONE,
	IMAGEWIRE_JPEG,
	IMAGEWIRE_PNG,
	IMAGEWIRE_GIF,
	IMAGEWIRE_WEBP,
	IMAGEWIRE_AVIF, /* read only */
	IMAGEWIRE_HEIC, /* read only */
	IMAGEWIRE_FORMATS
};

enum imagewire_fit { IMAGEWIRE_INSIDE, IMAGEWIRE_CONTAIN, IMAGEWIRE_COVER };

struct imagewire_ask {
	uint32_t version, task;
	uint32_t seconds; /* limit of wall time and of processor time */
	uint32_t width, height, fit, format, quality; /* width or height may be 0 */
	uint32_t focal_x, focal_y;
	uint64_t pixels, memory, size; /* limits: of the image, of address space, of the result */
};

enum imagewire_state {
	IMAGEWIRE_DONE,
	IMAGEWIRE_UNREADABLE, /* not an image, or incomplete */
	IMAGEWIRE_UNSUPPORTED, /* this machine has no decoder of the format */
	IMAGEWIRE_TOO_LARGE, /* more pixels than allowed */
	IMAGEWIRE_KILLED, /* ended by a signal: crashed, out of time, or a forbidden system call */
	IMAGEWIRE_UNCONFINED, /* this system cannot confine the program: nothing was read */
	IMAGEWIRE_MISMATCH /* the program is of another version */
};

struct imagewire_answer {
	uint32_t version, state, signal;
	uint32_t landlock; /* 1: the kernel has landlock, and it is in force */
	uint32_t readable; /* a bit 1 << FORMAT for each format that this machine can decode */
	uint32_t width, height, format; /* size as displayed; format of the result */
	char blurhash[32], color[8]; /* "": none */
	char why[128];
};

#endif
