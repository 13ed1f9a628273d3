/* rendition.h - smaller copies of stored images: what is shared with image.c. */
#ifndef CORE_IMAGE_RENDITION_H
#define CORE_IMAGE_RENDITION_H

#include "image/imagewire.h"
#include <stet/call.h>

/* image.c: sends a request to the program. Fails like stet_image_look. */
enum stet_status image_ask(
    struct stet_call *, struct imagewire_ask *, int in, int out, struct imagewire_answer *);

#endif
