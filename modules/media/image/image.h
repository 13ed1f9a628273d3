/* image.h - images as the program stet-image decodes them. */
#ifndef MEDIA_IMAGE_IMAGE_H
#define MEDIA_IMAGE_IMAGE_H

#include "image/imagewire.h"
#include <stet/image.h>

/* Sends a request to the program. Fails as stet_image_look. */
enum stet_status image_ask(
    struct stet_call *, struct imagewire_ask *, int in, int out, struct imagewire_answer *);
/* The function `look` of the service images/1. */
enum stet_status image_look(struct stet_call *, int fd, struct stet_image *out, size_t size);
/* probe.c, a check of `stet doctor`: can the program be started, and is it confined? */
enum stet_status image_check(struct stet_call *);

#endif
