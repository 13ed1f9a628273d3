/* rendition.h - smaller copies of stored images: functions shared with image.c and the store. */
#ifndef CORE_IMAGE_RENDITION_H
#define CORE_IMAGE_RENDITION_H

#include "files/filedriver.h"
#include "image/imagewire.h"

/* image.c: sends a request to the program. Fails like stet_image_look. */
enum stet_status image_ask(
    struct stet_call *, struct imagewire_ask *, int in, int out, struct imagewire_answer *);

/* Removes the renditions of a removed file. From any thread that may block. */
void rendition_forget(const struct stet_file_place *);

#endif
