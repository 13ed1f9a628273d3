/*
 * imageproc.h - the program stet-image, which decodes images in confinement: started when it is
 * needed, asked, and ended when it does not answer. One for the whole process.
 */
#ifndef CORE_IMAGE_IMAGEPROC_H
#define CORE_IMAGE_IMAGEPROC_H

#include "image/imagewire.h"
#include <stdbool.h>

/* Sends a request and waits for its answer; any thread that may wait. `out` is a file that the
 * result is written to. At most as many images as there are processors are decoded at a time.
 * Returns false if the program cannot be started or asked; *why then points to a text that is
 * never freed. */
bool imageproc_ask(const struct imagewire_ask *, int in, int out, struct imagewire_answer *answer,
    const char **why);

#endif
