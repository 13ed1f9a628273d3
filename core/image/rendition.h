/* rendition.h - smaller copies of stored images: what image.c and the store have to do with them.
 */
#ifndef CORE_IMAGE_RENDITION_H
#define CORE_IMAGE_RENDITION_H

#include "files/filedriver.h"
#include "image/imagewire.h"

/* image.c: asks the program; fails as stet_image_look. */
enum stet_status image_ask(
    struct stet_call *, struct imagewire_ask *, int in, int out, struct imagewire_answer *);

/* Removes the renditions of a file that is removed. From any thread that may wait. */
void rendition_forget(const struct file_place *);

#endif
