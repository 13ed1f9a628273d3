/*
 * imageproc.h - the program stet-image, which decodes images in a sandbox. It is started on demand,
 * and killed if it does not answer. There is one for the whole process.
 */
#ifndef MEDIA_IMAGE_IMAGEPROC_H
#define MEDIA_IMAGE_IMAGEPROC_H

#include "image/imagewire.h"
#include <stdbool.h>

/* Sends a request and waits for its answer; any thread that may block. The result is written to the
 * file `out`. At most one image per processor is decoded at a time. Returns false if the program
 * cannot be started or asked; *why is then a text that is never freed. */
bool imageproc_ask(const struct imagewire_ask *, int in, int out, struct imagewire_answer *answer,
    const char **why);

#endif
